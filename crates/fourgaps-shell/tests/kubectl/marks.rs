//! `kubectl label`, `annotate`, `taint`, `cordon` and `patch`.

use crate::verbs::{bench, check};

#[test]
fn labels_are_set_written_over_and_removed() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl label node omen zone=a", "node/omen labeled\n", "", 0),
            ("kubectl label node omen zone=a", "node/omen not labeled\n", "", 0),
            (
                "kubectl label node omen zone=b",
                "",
                "error: 'zone' already has a value (a), and --overwrite is false\n",
                1,
            ),
            ("kubectl label node omen zone=b --overwrite", "node/omen labeled\n", "", 0),
            ("kubectl label no/omen no/nuc1 rack=1", "node/omen labeled\nnode/nuc1 labeled\n", "", 0),
            (
                "kubectl label nodes --all tier=x",
                "node/nuc1 labeled\nnode/nuc2 labeled\nnode/omen labeled\nnode/omen2 labeled\n",
                "",
                0,
            ),
            ("kubectl label nodes -l zone=b tier-", "node/omen unlabeled\n", "", 0),
            (
                "kubectl label node omen nothing-",
                "label \"nothing\" not found.\nnode/omen not labeled\n",
                "",
                0,
            ),
            ("kubectl label ds agent a=b -o name", "daemonset.apps/agent\n", "", 0),
            (
                "kubectl label ds agent c=d --dry-run=client",
                "daemonset.apps/agent labeled (dry run)\n",
                "",
                0,
            ),
            (
                "kubectl label ds agent c=d --dry-run=server",
                "daemonset.apps/agent labeled (server dry run)\n",
                "",
                0,
            ),
            ("kubectl label ds agent --list", "a=b\nteam=gpu\n", "", 0),
            ("kubectl label ds", "", "error: at least one label update is required\n", 1),
            ("kubectl label node omen a=b=c", "", "error: invalid label spec: a=b=c\n", 1),
            (
                "kubectl label node omen a=b a-",
                "",
                "error: can not both modify and remove a label in the same command\n",
                1,
            ),
            (
                "kubectl label a=b",
                "",
                "error: one or more resources must be specified as <resource> <name> or <resource>/<name>\n",
                1,
            ),
            (
                "kubectl label nodes a=b",
                "",
                "error: resource(s) were provided, but no name was specified\n",
                1,
            ),
            ("kubectl label node rem a=b", "", "Error from server (NotFound): nodes \"rem\" not found\n", 1),
            (
                "kubectl label node a=b omen",
                "",
                "error: all resources must be specified before label changes: omen\n",
                1,
            ),
            ("kubectl label ns default a=b", "namespace/default labeled\n", "", 0),
            // What cannot be told is not done.
            (
                "kubectl label ds agent q=r -o wide",
                "",
                "error: unable to match a printer suitable for the output format \"wide\", allowed formats are: go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,yaml\n",
                1,
            ),
            ("kubectl get ds -l q=r -o name", "", "", 0),
        ],
    );
    let labels = bench.out("kubectl get ns default --show-labels --no-headers");
    assert!(labels.ends_with("a=b,kubernetes.io/metadata.name=default\n"), "{labels}");
    let wrong = bench.run("kubectl label node omen 'a=b c'").err;
    assert!(wrong.starts_with("error: invalid label value: \"a=b c\": a valid label must be"), "{wrong}");
}

#[test]
fn a_pod_that_loses_its_label_is_replaced_and_runs_on() {
    let mut bench = bench();
    let pod = "$(kubectl get pods -l app=agent -o jsonpath='{.items[0].metadata.name}')";
    let name = bench.out(&format!("echo -n {pod}"));
    bench.out(&format!("kubectl label pod {name} app=aside --overwrite"));
    bench.out("sleep 20");
    assert_eq!(bench.out("kubectl get pods -l app=agent -o name | wc -l").trim(), "4");
    let aside = bench.out(&format!(
        "kubectl get pod {name} -o jsonpath='{{.status.phase}} {{.metadata.ownerReferences}}'"
    ));
    assert_eq!(aside, "Running ");
}

#[test]
fn annotations_are_set_written_over_and_removed() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl annotate ds agent note=x", "daemonset.apps/agent annotated\n", "", 0),
            (
                "kubectl annotate ds agent note=y",
                "",
                "error: --overwrite is false but found the following declared annotation(s): 'note' already has a value (x)\n",
                1,
            ),
            ("kubectl annotate ds agent note=y --overwrite", "daemonset.apps/agent annotated\n", "", 0),
            ("kubectl annotate ds agent note-", "daemonset.apps/agent annotated\n", "", 0),
            (
                "kubectl annotate ds agent kubernetes.io/change-cause=a",
                "daemonset.apps/agent annotated\n",
                "",
                0,
            ),
            // The one that a history shows may always be written over.
            (
                "kubectl annotate ds agent kubernetes.io/change-cause=b",
                "daemonset.apps/agent annotated\n",
                "",
                0,
            ),
            ("kubectl annotate ds agent", "", "error: at least one annotation update is required\n", 1),
        ],
    );
    let cause =
        bench.out(r"kubectl get ds agent -o jsonpath='{.metadata.annotations.kubernetes\.io/change-cause}'");
    assert_eq!(cause, "b");
}

#[test]
fn taints_are_set_written_over_and_removed() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl taint nodes omen a=b:NoSchedule", "node/omen tainted\n", "", 0),
            (
                "kubectl taint nodes omen a=c:NoSchedule",
                "",
                "error: node omen already has a taint(s) with same effect(s) and --overwrite is false\n",
                1,
            ),
            ("kubectl taint nodes omen a=c:NoSchedule --overwrite", "node/omen modified\n", "", 0),
            ("kubectl taint nodes omen x:PreferNoSchedule a:NoSchedule-", "node/omen modified\n", "", 0),
            ("kubectl taint node omen x-", "node/omen untainted\n", "", 0),
            ("kubectl taint node omen x-", "", "error: taint \"x\" not found\n", 1),
            ("kubectl taint node omen x:NoExecute-", "", "error: taint \"x:NoExecute\" not found\n", 1),
            (
                "kubectl taint nodes --all k=v:PreferNoSchedule",
                "node/nuc1 tainted\nnode/nuc2 tainted\nnode/omen tainted\nnode/omen2 tainted\n",
                "",
                0,
            ),
            ("kubectl taint nodes -l kubernetes.io/hostname=omen k-", "node/omen untainted\n", "", 0),
            (
                "kubectl taint nodes omen a=b:Never",
                "",
                "error: invalid taint effect: Never, unsupported taint effect\nSee 'kubectl taint -h' for help and examples\n",
                1,
            ),
            (
                "kubectl taint nodes omen a=b",
                "",
                "error: invalid taint spec: a=b, name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\nSee 'kubectl taint -h' for help and examples\n",
                1,
            ),
            ("kubectl taint nodes omen", "", "error: at least one taint update is required\n", 1),
            (
                "kubectl taint pods x a:NoSchedule",
                "",
                "error: invalid resource type pods, only node types are supported\n",
                1,
            ),
            (
                "kubectl taint nodes a:NoSchedule",
                "",
                "error: at least one resource name must be specified since 'all' parameter is not set\n",
                1,
            ),
        ],
    );
}

#[test]
fn nodes_are_cordoned_by_name_and_by_label() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl cordon omen node/omen2", "node/omen cordoned\nnode/omen2 cordoned\n", "", 0),
            ("kubectl cordon omen", "node/omen already cordoned\n", "", 0),
            ("kubectl uncordon -l kubernetes.io/hostname=omen2", "node/omen2 uncordoned\n", "", 0),
            ("kubectl uncordon omen --dry-run=client", "node/omen uncordoned (dry run)\n", "", 0),
            ("kubectl uncordon omen", "node/omen uncordoned\n", "", 0),
            ("kubectl cordon rem", "", "Error from server (NotFound): nodes \"rem\" not found\n", 1),
            (
                "kubectl patch node omen -p '{\"spec\":{\"unschedulable\":true}}'",
                "node/omen patched\n",
                "",
                0,
            ),
        ],
    );
    assert!(bench.out("kubectl get node omen --no-headers").contains("Ready,SchedulingDisabled"));
    assert!(bench.out("kubectl describe node omen").contains("node.kubernetes.io/unschedulable:NoSchedule"));
}

#[test]
fn patches_of_three_kinds() {
    let mut bench = bench();
    let image = "kubectl get ds agent -o jsonpath='{.spec.template.spec.containers[*].image}'";
    check(
        &mut bench,
        &[
            (
                r#"kubectl patch ds agent -p '{"spec":{"template":{"spec":{"containers":[{"name":"agent","image":"agent:2"}]}}}}'"#,
                "daemonset.apps/agent patched\n",
                "",
                0,
            ),
            (image, "agent:2", "", 0),
            (
                r#"kubectl patch ds/agent --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"agent:3"}]'"#,
                "daemonset.apps/agent patched\n",
                "",
                0,
            ),
            (image, "agent:3", "", 0),
            (
                r#"kubectl patch ds agent --type=merge -p '{"spec":{"minReadySeconds":5}}'"#,
                "daemonset.apps/agent patched\n",
                "",
                0,
            ),
            (
                r#"kubectl patch ds agent --type merge -p '{"spec":{"minReadySeconds":5}}'"#,
                "daemonset.apps/agent patched (no change)\n",
                "",
                0,
            ),
            (
                r#"kubectl patch ds agent -p '{"spec":{"replicas":3}}'"#,
                "daemonset.apps/agent patched (no change)\n",
                "Warning: unknown field \"spec.replicas\"\n",
                0,
            ),
            (
                r#"kubectl patch ds agent -p '{"spec":{"minReadySeconds":"x"}}'"#,
                "",
                "The request is invalid: patch: Invalid value: \"map[spec:map[minReadySeconds:x]]\": cannot convert string to int32\n",
                1,
            ),
            (
                r#"kubectl patch ds agent --type=json -p '[{"op":"remove","path":"/spec/nothing"}]'"#,
                "",
                "The request is invalid: the server rejected our request due to an error in our request\n",
                1,
            ),
            (
                "kubectl patch ds agent --type=odd -p '{}'",
                "",
                "error: --type must be one of [json merge strategic], not \"odd\"\n",
                1,
            ),
            (
                "kubectl patch ds agent",
                "",
                "error: must specify --patch or --patch-file containing the contents of the patch\n",
                1,
            ),
            (
                "kubectl patch ds nobody -p '{}'",
                "",
                "Error from server (NotFound): daemonsets.apps \"nobody\" not found\n",
                1,
            ),
        ],
    );
    bench.out("printf 'spec:\\n  revisionHistoryLimit: 3\\n' > patch.yaml");
    assert_eq!(
        bench
            .out("kubectl patch ds agent --patch-file patch.yaml -o jsonpath='{.spec.revisionHistoryLimit}'"),
        "3"
    );
}

#[test]
fn variables_of_containers_are_set_and_removed() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl set env ds/agent A=1 B=2", "daemonset.apps/agent env updated\n", "", 0),
            ("kubectl set env ds/agent A=1", "", "", 0),
            ("kubectl set env ds/agent B- A=3", "daemonset.apps/agent env updated\n", "", 0),
            ("kubectl set env ds/agent --list", "# DaemonSet agent, container agent\nA=3\n", "", 0),
            (
                "kubectl set env ds/agent -c other X=1",
                "",
                "Warning: DaemonSet/agent does not have any containers matching \"other\"\n",
                0,
            ),
            (
                "kubectl set env ds/agent C=4 --dry-run=client",
                "daemonset.apps/agent env updated (dry run)\n",
                "",
                0,
            ),
            (
                "kubectl set env ds/agent",
                "",
                "error: at least one environment variable must be provided\n",
                1,
            ),
            ("kubectl set env ds/agent A-", "daemonset.apps/agent env updated\n", "", 0),
            ("kubectl get ds agent -o jsonpath='{.spec.template.spec.containers[0].env}'", "", "", 0),
        ],
    );
    let changed =
        bench.run("kubectl label event $(kubectl get ev -o jsonpath='{.items[0].metadata.name}') a=b");
    assert_eq!(
        (changed.err.as_str(), changed.status),
        ("kubectl: a change of an event: not simulated in this lab\n", 2)
    );
}
