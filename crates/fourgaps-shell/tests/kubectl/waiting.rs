//! `kubectl wait`. No recording has it: the words are those of kubectl's public source, 1.34.

use crate::verbs::{bench, check};

#[test]
fn what_is_waited_for_is_told_and_time_passes() {
    let mut bench = bench();
    let now = |bench: &mut crate::bench::Bench| bench.out("date +%s").trim().parse::<u64>().unwrap();
    let begun = now(&mut bench);
    check(
        &mut bench,
        &[
            ("kubectl wait node/omen --for=condition=Ready", "node/omen condition met\n", "", 0),
            ("kubectl wait node omen --for condition=ready=TRUE -o name", "node/omen\n", "", 0),
            (
                "kubectl wait deploy/web --for=condition=available",
                "deployment.apps/web condition met\n",
                "",
                0,
            ),
            (
                "kubectl wait ds/agent --for=jsonpath='{.status.numberReady}'=4",
                "daemonset.apps/agent condition met\n",
                "",
                0,
            ),
            (
                "kubectl wait ds/agent --for=jsonpath='{.status.desiredNumberScheduled}'",
                "daemonset.apps/agent condition met\n",
                "",
                0,
            ),
            // What is not there is gone.
            ("kubectl wait pod/none --for=delete", "", "", 0),
        ],
    );
    assert_eq!(now(&mut bench), begun, "nothing had to be waited for");
    check(
        &mut bench,
        &[
            (
                "kubectl wait node/omen --for=condition=Ready=False --timeout=90s",
                "",
                "error: timed out waiting for the condition on nodes/omen\n",
                1,
            ),
            (
                "kubectl wait --all nodes --for=condition=none --timeout=0",
                "",
                "timed out waiting for the condition on nodes/nuc1\ntimed out waiting for the condition on nodes/nuc2\n\
                 timed out waiting for the condition on nodes/omen\ntimed out waiting for the condition on nodes/omen2\n",
                1,
            ),
            (
                "kubectl wait pod/none --for=condition=Ready",
                "",
                "Error from server (NotFound): pods \"none\" not found\n",
                1,
            ),
            (
                "kubectl wait pods -l app=none --for=condition=Ready",
                "",
                "error: no matching resources found\n",
                1,
            ),
            (
                "kubectl wait pods --for=condition=Ready",
                "",
                "error: resource(s) were provided, but no name was specified\n",
                1,
            ),
            ("kubectl wait node/omen", "", "error: unrecognized condition: \"\"\n", 1),
            (
                "kubectl wait node/omen --for=jsonpath=x",
                "",
                "error: jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'\n",
                1,
            ),
            (
                "kubectl wait node/omen --for=jsonpath='{.metadata.name}'=",
                "",
                "error: jsonpath wait value cannot be empty\n",
                1,
            ),
            (
                "kubectl wait node/omen --for=delete --timeout=x",
                "",
                "error: invalid argument \"x\" for \"--timeout\" flag: time: invalid duration \"x\"\n",
                1,
            ),
        ],
    );
    assert_eq!(now(&mut bench), begun + 90);
}

/// Pods that come, get ready, and go; one that is made again under the same name has gone.
#[test]
fn pods_are_waited_for_on_their_way() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            (
                "kubectl run tool --image=tool:1 --overrides='{\"spec\":{\"terminationGracePeriodSeconds\":3}}'",
                "pod/tool created\n",
                "",
                0,
            ),
            ("kubectl wait --for=create pod/tool", "pod/tool condition met\n", "", 0),
            ("kubectl wait --for=condition=Ready pod/tool --timeout=1m", "pod/tool condition met\n", "", 0),
            ("kubectl get pod tool -o jsonpath='{.status.phase}'", "Running", "", 0),
            ("kubectl delete pod tool --wait=false", "pod \"tool\" deleted from default namespace\n", "", 0),
            ("kubectl wait --for=delete pod/tool", "pod/tool condition met\n", "", 0),
            ("kubectl get pod tool", "", "Error from server (NotFound): pods \"tool\" not found\n", 1),
            (
                "kubectl wait --for=create pod/tool --timeout=5s",
                "",
                "error: timed out waiting for the condition on pods/tool\n",
                1,
            ),
        ],
    );
}
