//! Verbs that change objects, as somebody types them at night. The words are those of kubectl's public source, 1.34.

use crate::bench::{Bench, with_nvidia};
use crate::term::Answer;

const AGENT: &str = r#"printf '%s' '
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, labels: {team: gpu}}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec:
      terminationGracePeriodSeconds: 3
      containers: [{name: agent, image: "agent:1", command: [sleep, inf]}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {terminationGracePeriodSeconds: 3, containers: [{name: web, image: "web:1"}]}
' > all.yaml"#;

pub fn bench() -> Bench {
    let mut bench = Bench::incident(&[("/etc/containerd/config.toml", &with_nvidia())]);
    bench.out(AGENT);
    bench.out("kubectl apply -f all.yaml");
    bench.out("sleep 30");
    bench
}

/// Lines, and what each prints: standard output, then standard error; and the status, where it is not 0.
#[track_caller]
pub fn check(bench: &mut Bench, lines: &[(&str, &str, &str, i32)]) {
    for (line, out, err, status) in lines {
        let answer = bench.run(line);
        let got = (answer.out.as_str(), answer.err.as_str(), answer.status);
        assert_eq!(got, (*out, *err, *status), "{line}");
    }
}

#[test]
fn rollouts_of_many_objects() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl rollout restart ds agent", "daemonset.apps/agent restarted\n", "", 0),
            (
                "kubectl rollout restart ds agent",
                "",
                "error: failed to create patch for agent: if restart has already been triggered within the past second, please wait before attempting to trigger another\n",
                1,
            ),
            (
                "kubectl rollout status ds/agent --timeout=5m | tail -1",
                "daemon set \"agent\" successfully rolled out\n",
                "",
                0,
            ),
            ("sleep 5; kubectl rollout restart ds", "daemonset.apps/agent restarted\n", "", 0),
            (
                "kubectl rollout pause ds/agent",
                "",
                "error: daemonsets.apps \"agent\" pausing is not supported\n",
                1,
            ),
            ("kubectl rollout pause deploy/web", "deployment.apps/web paused\n", "", 0),
            (
                "kubectl rollout restart deploy/web",
                "",
                "error: deployments.apps \"web\" can't restart paused deployment (run rollout resume first)\n",
                1,
            ),
            ("kubectl rollout resume deploy/web", "deployment.apps/web resumed\n", "", 0),
            ("kubectl rollout status", "", "error: required resource not specified\n", 1),
            (
                "kubectl rollout status ds/nobody",
                "",
                "Error from server (NotFound): daemonsets.apps \"nobody\" not found\n",
                1,
            ),
            (
                "kubectl rollout history ds/agent --revision=-1",
                "",
                "error: revision must be a positive integer: -1\n",
                1,
            ),
            (
                "kubectl rollout history ds/agent --revision=x",
                "",
                "error: invalid argument \"x\" for \"--revision\" flag: strconv.ParseInt: parsing \"x\": invalid syntax\nSee 'kubectl rollout history --help' for usage.\n",
                1,
            ),
            (
                "kubectl rollout restart ds -n kube-none",
                "",
                "No resources found in kube-none namespace.\n",
                0,
            ),
            (
                "kubectl rollout undo cm/x",
                "",
                "Error from server (NotFound): configmaps \"x\" not found\n",
                1,
            ),
            (
                "kubectl scale deploy web --replicas=3 --current-replicas=5",
                "",
                "error: Expected replicas to be 5, was 2\n",
                1,
            ),
            (
                "kubectl scale deploy/web deploy/web --replicas=3 --current-replicas=2 -o name | head -1",
                "deployment.apps/web\n",
                "error: Expected replicas to be 2, was 3\n",
                0,
            ),
            (
                "kubectl scale deploy nobody --replicas=1",
                "",
                "error: no objects passed to scale deployments.apps \"nobody\" not found\n",
                1,
            ),
            (
                "kubectl scale deploy web --replicas=-1",
                "",
                "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0\n",
                1,
            ),
            (
                "kubectl set image ds/agent agent=agent:9 --dry-run=client",
                "daemonset.apps/agent image updated (dry run)\n",
                "",
                0,
            ),
            ("kubectl set image ds/agent '*=agent:9'", "daemonset.apps/agent image updated\n", "", 0),
            ("kubectl set image ds/agent x=y", "", "error: unable to find container named \"x\"\n", 1),
            ("kubectl set image ds/agent", "", "error: at least one image update is required\n", 1),
        ],
    );
}

#[test]
fn words_that_nobody_knows_are_told_as_such() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            (
                "kubectl get pods --frob",
                "",
                "error: unknown flag: --frob\nSee 'kubectl get --help' for usage.\n",
                1,
            ),
            (
                "kubectl get pods -Z",
                "",
                "error: unknown shorthand flag: 'Z' in -Z\nSee 'kubectl get --help' for usage.\n",
                1,
            ),
            (
                "kubectl rollout status ds/agent --timeout",
                "",
                "error: flag needs an argument: --timeout\nSee 'kubectl rollout status --help' for usage.\n",
                1,
            ),
            (
                "kubectl get pods -n",
                "",
                "error: flag needs an argument: 'n' in -n\nSee 'kubectl get --help' for usage.\n",
                1,
            ),
            (
                "kubectl get pods --watch=maybe",
                "",
                "error: invalid argument \"maybe\" for \"-w, --watch\" flag: strconv.ParseBool: parsing \"maybe\": invalid syntax\nSee 'kubectl get --help' for usage.\n",
                1,
            ),
            (
                "kubectl gett pods",
                "",
                "error: unknown command \"gett\" for \"kubectl\"\n\nDid you mean this?\n\tset\n\tget\n",
                1,
            ),
            ("kubectl frobnicate", "", "error: unknown command \"frobnicate\" for \"kubectl\"\n", 1),
            ("kubectl top nodes", "", "kubectl: top nodes: not simulated in this lab\n", 2),
            (
                "kubectl get pods --server-print=false",
                "",
                "kubectl: --server-print=false: not simulated in this lab\n",
                2,
            ),
        ],
    );
}

#[test]
fn an_editor_of_the_environment_edits() {
    let mut bench = bench();
    let image = "kubectl get ds agent -o jsonpath='{.spec.template.spec.containers[0].image}'";
    check(
        &mut bench,
        &[
            (
                "EDITOR='sed -i s/agent:1/agent:2/' kubectl edit ds agent",
                "daemonset.apps/agent edited\n",
                "",
                0,
            ),
            (image, "agent:2", "", 0),
            (
                "KUBE_EDITOR='sed -i s/agent:2/agent:3/' EDITOR=false kubectl edit ds/agent",
                "daemonset.apps/agent edited\n",
                "",
                0,
            ),
            (image, "agent:3", "", 0),
            ("EDITOR=true kubectl edit ds agent", "", "Edit cancelled, no changes made.\n", 0),
            ("ls /tmp | grep -c kubectl-edit", "0\n", "", 1),
            (
                "EDITOR='truncate -s 0' kubectl edit ds agent",
                "",
                "Edit cancelled, saved file was empty.\n",
                0,
            ),
            (
                "EDITOR=true kubectl edit ds nobody",
                "",
                "Error from server (NotFound): daemonsets.apps \"nobody\" not found\n",
                1,
            ),
        ],
    );
    let Answer { out, err, status, .. } =
        bench.run("EDITOR='sed -i s/maxUnavailable:.1/maxUnavailable:\\ -1/' kubectl edit ds agent");
    assert_eq!((out.as_str(), status), ("", 1));
    assert!(err.starts_with("error: daemonsets.apps \"agent\" is invalid\nA copy of your changes has been stored to \"/tmp/kubectl-edit-"), "{err}");
    assert!(err.ends_with("\nerror: Edit cancelled, no valid changes were saved.\n"), "{err}");
    let copy = bench.out("cat /tmp/kubectl-edit-*.yaml | head -8");
    assert!(copy.contains("# daemonsets.apps \"agent\" was not valid:\n# * spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: -1: must be"), "{copy}");
    // A script that mends at the second look.
    bench.out("rm /tmp/kubectl-edit-*; printf '#!/bin/bash\\nif grep -q \"was not valid\" $1; then sed -i \"s/minReadySeconds: -5/minReadySeconds: 5/\" $1; else sed -i \"s/  revisionHistoryLimit/  minReadySeconds: -5\\\\n  revisionHistoryLimit/\" $1; fi\\n' > mend.sh; chmod +x mend.sh");
    let Answer { out, err, status, .. } = bench.run("EDITOR=./mend.sh kubectl edit ds agent");
    assert_eq!(
        (out.as_str(), err.as_str(), status),
        ("daemonset.apps/agent edited\n", "error: daemonsets.apps \"agent\" is invalid\n", 0)
    );
    assert_eq!(bench.out("kubectl get ds agent -o jsonpath='{.spec.minReadySeconds}'"), "5");
    let wrong = bench.run("EDITOR=false kubectl edit ds agent").err;
    assert!(
        wrong.starts_with("error: there was a problem with the editor \"false /tmp/kubectl-edit-"),
        "{wrong}"
    );
    let none = bench.run("EDITOR=nosucheditor kubectl edit ds agent").err;
    assert!(
        none.ends_with(".yaml\"\n")
            && none.contains("error: unable to launch the editor \"nosucheditor /tmp/"),
        "{none}"
    );
    // A Deployment's status, whose moments are numbers inside, comes through.
    bench.out("EDITOR='sed -i s/web:1/web:2/' kubectl edit deploy web; sleep 60");
    assert_eq!(bench.out("kubectl get deploy web -o jsonpath='{.status.updatedReplicas}'"), "2");
}

#[test]
fn logs_of_several_pods() {
    let mut bench = bench();
    check(
        &mut bench,
        &[
            ("kubectl logs -l app=agent", "", "", 0),
            ("kubectl logs -l app=nobody", "", "No resources found in default namespace.\n", 0),
            (
                "kubectl logs -l app=agent agent",
                "",
                "error: only a selector (-l) or a POD name is allowed\nSee 'kubectl logs -h' for help and examples\n",
                1,
            ),
            (
                "kubectl logs",
                "",
                "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command\nSee 'kubectl logs -h' for help and examples\n",
                1,
            ),
            ("kubectl exec ds/agent -- true", "", "", 0),
            (
                "kubectl exec ds/agent true",
                "",
                "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples\n",
                1,
            ),
        ],
    );
    let line = bench.out("kubectl logs -n gpu-operator gputest --prefix");
    assert!(line.starts_with("[pod/gputest/"), "{line}");
}

#[test]
fn a_drain_takes_all_its_flags() {
    let mut bench = bench();
    bench.out("kubectl run tool --image=tool:1 --overrides='{\"spec\":{\"nodeName\":\"omen\",\"terminationGracePeriodSeconds\":3}}'; sleep 5");
    let dry = bench.run("kubectl drain omen --ignore-daemonsets --force --dry-run=client");
    assert!(
        dry.out.contains("evicting pod default/tool (dry run)\n")
            && dry.out.ends_with("node/omen drained (dry run)\n"),
        "{dry:?}"
    );
    assert!(
        dry.err.contains("deleting Pods that declare no controller: ")
            && dry.err.contains("; ignoring DaemonSet-managed Pods: "),
        "{dry:?}"
    );
    assert!(!bench.out("kubectl get node omen").contains("SchedulingDisabled"));
    let some = bench.run("kubectl drain omen --ignore-daemonsets --force --pod-selector=run=nobody");
    assert!(some.out.ends_with("node/omen drained\n") && !some.out.contains("evict"), "{some:?}");
    let all = bench
        .run("kubectl drain -l kubernetes.io/hostname=omen --ignore-daemonsets --force --disable-eviction");
    assert!(all.out.contains("pod/tool deleted\n") && all.out.ends_with("node/omen drained\n"), "{all:?}");
    check(
        &mut bench,
        &[
            (
                "kubectl drain",
                "",
                "error: USAGE: drain NODE [flags]\nSee 'kubectl drain -h' for help and examples\n",
                1,
            ),
            (
                "kubectl drain omen -l a=b",
                "",
                "error: error: cannot specify both a node name and a --selector option\nSee 'kubectl drain -h' for help and examples\n",
                1,
            ),
        ],
    );
}

#[test]
fn every_kind_is_described() {
    let mut bench = bench();
    bench.out("kubectl create cm settings --from-literal=key=value; kubectl create quota q --hard=pods=9; kubectl create pdb b --selector=app=web --min-available=1");
    bench.out("printf 'apiVersion: v1\\nkind: Service\\nmetadata:\\n  name: web\\nspec:\\n  selector:\\n    app: web\\n  ports:\\n  - port: 80\\n' | kubectl apply -f -; sleep 2");
    for (line, wanted) in [
        (
            "kubectl describe cm settings",
            "Name:         settings\nNamespace:    default\nLabels:       <none>\nAnnotations:  <none>\n\nData\n====\nkey:\n----\nvalue\n\n\nBinaryData\n====\n\nEvents:  <none>\n",
        ),
        (
            "kubectl describe ns default",
            "Name:         default\nLabels:       kubernetes.io/metadata.name=default\nAnnotations:  <none>\nStatus:       Active\n\nResource Quotas\n  Name:     q\n  Resource  Used  Hard\n  --------  ---   ---\n  pods      6     9\n\nNo LimitRange resource.\n",
        ),
    ] {
        assert_eq!(bench.out(line), wanted);
    }
    let endpoints = bench.run("kubectl describe ep web").out;
    assert!(
        endpoints.contains("Subsets:\n  Addresses:          10.")
            && endpoints.contains("  NotReadyAddresses:  <none>\n"),
        "{endpoints}"
    );
    let revision = bench.out("kubectl describe controllerrevision -l app=agent");
    assert!(
        revision.contains("API Version:  apps/v1\n") && revision.contains("Revision:      1\n")
            || revision.contains("Revision:"),
        "{revision}"
    );
    let event = bench.out("kubectl describe event | head -20");
    assert!(event.contains("Involved Object:\n") && event.contains("  API Version:  "), "{event}");
    // The beginning of a name is enough.
    let pods = bench.out("kubectl describe pod agent-");
    assert_eq!(pods.matches("\nNamespace:").count(), 4, "{pods}");
    check(
        &mut bench,
        &[
            (
                "kubectl describe pod nobody",
                "",
                "Error from server (NotFound): pods \"nobody\" not found\n",
                1,
            ),
            ("kubectl describe pods -l a=nobody", "", "No resources found in default namespace.\n", 0),
            (
                "kubectl describe",
                "",
                "error: You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.\n",
                1,
            ),
        ],
    );
}

/// `--cascade=orphan`: the pods run on, and a DaemonSet or Deployment of the same selector takes them up again.
#[test]
fn what_an_owner_lets_go_runs_on_and_is_taken_up_again() {
    let mut bench = bench();
    let owned = "kubectl get pods,controllerrevisions,rs -o jsonpath='{range .items[*]}{.kind} {.metadata.name} {.metadata.ownerReferences[0].kind}{\"\\n\"}{end}'";
    let before = bench.out(owned);
    assert!(before.contains("Pod agent-") && before.contains(" DaemonSet\n"), "{before}");
    check(
        &mut bench,
        &[
            (
                "kubectl delete ds/agent deploy/web --cascade=orphan",
                "daemonset.apps \"agent\" deleted from default namespace\ndeployment.apps \"web\" deleted from default namespace\n",
                "",
                0,
            ),
            (
                "kubectl delete ds/agent --cascade=some",
                "",
                "error: invalid cascade value (some). Must be \"background\", \"foreground\", or \"orphan\"\n",
                1,
            ),
        ],
    );
    bench.out("sleep 120");
    let alone = bench.out(owned);
    assert_eq!(alone.lines().count(), before.lines().count(), "{alone}");
    assert!(!alone.contains("DaemonSet") && !alone.contains("Deployment"), "{alone}");
    // The pods of a Deployment are those of its ReplicaSet, which stays.
    assert_eq!(alone.matches(" ReplicaSet").count(), before.matches(" ReplicaSet").count());
    assert_eq!(bench.out("kubectl get pods --no-headers | grep -vc ' 1/1 .*Running'; true").trim(), "0");
    bench.out("kubectl apply -f all.yaml");
    bench.out("sleep 60");
    assert_eq!(bench.out(owned), before);
}
