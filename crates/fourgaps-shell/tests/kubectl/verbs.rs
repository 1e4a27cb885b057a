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

fn bench() -> Bench {
    let mut bench = Bench::incident(&[("/etc/containerd/config.toml", &with_nvidia())]);
    bench.out(AGENT);
    bench.out("kubectl apply -f all.yaml");
    bench.out("sleep 30");
    bench
}

/// Lines, and what each prints: standard output, then standard error; and the status, where it is not 0.
#[track_caller]
fn check(bench: &mut Bench, lines: &[(&str, &str, &str, i32)]) {
    for (line, out, err, status) in lines {
        let answer = bench.run(line);
        let got = (answer.out.as_str(), answer.err.as_str(), answer.status);
        assert_eq!(got, (*out, *err, *status), "{line}");
    }
}

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
fn objects_are_made_of_a_few_words() {
    let mut bench = bench();
    bench.out("mkdir conf; echo one > conf/a.txt; echo two > conf/b.txt; printf '# x\\nA=1\\nB=2\\n' > env");
    check(
        &mut bench,
        &[
            ("kubectl create ns one", "namespace/one created\n", "", 0),
            (
                "kubectl create ns one",
                "",
                "Error from server (AlreadyExists): namespaces \"one\" already exists\n",
                1,
            ),
            ("kubectl create cm a --from-literal=x=1 --from-literal=y='a b'", "configmap/a created\n", "", 0),
            ("kubectl get cm a -o jsonpath='{.data.x} {.data.y}'", "1 a b", "", 0),
            (
                "kubectl create configmap b --from-file=conf --from-file=key=env",
                "configmap/b created\n",
                "",
                0,
            ),
            ("kubectl get cm b -o json | jq -r '.data | keys | join(\" \")'", "a.txt b.txt key\n", "", 0),
            ("kubectl create cm c --from-env-file=env", "configmap/c created\n", "", 0),
            ("kubectl get cm c --no-headers | tr -s ' ' | cut -d' ' -f1,2", "c 2\n", "", 0),
            (
                "kubectl create cm a",
                "",
                "error: failed to create configmap: configmaps \"a\" already exists\n",
                1,
            ),
            (
                "kubectl create cm d --from-literal=x",
                "",
                "error: invalid literal source x, expected key=value\n",
                1,
            ),
            (
                "kubectl create cm d --from-file=nothing",
                "",
                "error: error reading nothing: no such file or directory\n",
                1,
            ),
            (
                "kubectl create quota q --hard=pods=90,requests.nvidia.com/gpu=4",
                "resourcequota/q created\n",
                "",
                0,
            ),
            (
                "kubectl create quota r --hard=pods",
                "",
                "error: Invalid argument syntax pods, expected <resource>=<value>\n",
                1,
            ),
            (
                "kubectl create pdb p --selector=app=web --min-available=50%",
                "poddisruptionbudget.policy/p created\n",
                "",
                0,
            ),
            ("kubectl create pdb p2 --min-available=1", "", "error: a selector must be specified\n", 1),
            (
                "kubectl create pdb p2 --selector=a=b",
                "",
                "error: one of min-available or max-unavailable must be specified\n",
                1,
            ),
            ("kubectl create deploy d --image=nginx -r 2 --port=80", "deployment.apps/d created\n", "", 0),
            (
                "kubectl create deploy d --image=nginx",
                "",
                "error: failed to create deployment: deployments.apps \"d\" already exists\n",
                1,
            ),
            ("kubectl create deploy e", "", "error: required flag(s) \"image\" not set\n", 1),
            (
                "kubectl create ns",
                "",
                "error: exactly one NAME is required, got 0\nSee 'kubectl create ns -h' for help and examples\n",
                1,
            ),
            ("kubectl create ns two --dry-run=client", "namespace/two created (dry run)\n", "", 0),
            ("kubectl create ns two --dry-run=server", "namespace/two created (server dry run)\n", "", 0),
            (
                "kubectl create ns two --dry-run=odd",
                "",
                "error: Invalid dry-run value (odd). Must be \"none\", \"server\", or \"client\".\n",
                1,
            ),
            (
                "kubectl create ns two --dry-run=client -o yaml",
                "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: two\nspec: {}\nstatus: {}\n",
                "",
                0,
            ),
            ("kubectl get ns two", "", "Error from server (NotFound): namespaces \"two\" not found\n", 1),
            (
                "kubectl create deploy e --image=e:1 --dry-run=client -o yaml | kubectl apply -f -",
                "deployment.apps/e created\n",
                "",
                0,
            ),
            ("kubectl run p --image=p:1 --restart=Never --env=A=b -l x=y", "pod/p created\n", "", 0),
            (
                "kubectl get pod p -o jsonpath='{.metadata.labels.x} {.spec.containers[0].env[0].value}'",
                "y b",
                "",
                0,
            ),
        ],
    );
}

#[test]
fn applying_knows_folders_lists_and_what_is_not_its_own() {
    let mut bench = bench();
    bench.out(
        "mkdir -p all; printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: one\\n' > all/a.yaml",
    );
    bench.out("printf '{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"two\"}}' > all/b.json; echo x > all/notes.txt; mkdir none");
    check(
        &mut bench,
        &[
            ("kubectl apply -f all", "configmap/one created\nconfigmap/two created\n", "", 0),
            ("kubectl apply -f all/ -o name", "configmap/one\nconfigmap/two\n", "", 0),
            ("cat all/a.yaml | kubectl apply -f -", "configmap/one unchanged\n", "", 0),
            (
                "kubectl get cm one two -o yaml | kubectl apply -f - --dry-run=server -o name",
                "configmap/one\nconfigmap/two\n",
                "",
                0,
            ),
            (
                "kubectl apply -f none",
                "",
                "error: error reading [none]: recognized file extensions are [.json .yaml .yml]\n",
                1,
            ),
            ("kubectl apply -f nothing", "", "error: the path \"nothing\" does not exist\n", 1),
            ("kubectl apply", "", "error: must specify one of -f and -k\n", 1),
            ("kubectl delete -f all --wait=false -o name", "configmap/one\nconfigmap/two\n", "", 0),
            ("kubectl create -f all/a.yaml", "configmap/one created\n", "", 0),
            (
                "kubectl apply -f all/a.yaml",
                "configmap/one configured\n",
                "Warning: resource configmaps/one is missing the kubectl.kubernetes.io/last-applied-configuration annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n",
                0,
            ),
            ("kubectl apply -f all/a.yaml", "configmap/one unchanged\n", "", 0),
            (
                "kubectl create -f all/a.yaml",
                "",
                "Error from server (AlreadyExists): error when creating \"all/a.yaml\": configmaps \"one\" already exists\n",
                1,
            ),
            ("kubectl replace -f all/a.yaml", "configmap/one replaced\n", "", 0),
            (
                "kubectl replace -f all/b.json",
                "",
                "Error from server (NotFound): error when replacing \"all/b.json\": configmaps \"two\" not found\n",
                1,
            ),
        ],
    );
}

#[test]
fn deleting_asks_for_names_and_waits() {
    let mut bench = bench();
    bench.out("kubectl create cm a; kubectl create cm b; kubectl label cm b x=y; kubectl run p --image=p:1");
    bench.out("sleep 5");
    check(
        &mut bench,
        &[
            (
                "kubectl delete cm a --dry-run=client",
                "configmap \"a\" deleted from default namespace (dry run)\n",
                "",
                0,
            ),
            ("kubectl delete cm -l x=y", "configmap \"b\" deleted from default namespace\n", "", 0),
            ("kubectl delete cm -l x=y", "No resources found\n", "", 0),
            ("kubectl delete cm b", "", "Error from server (NotFound): configmaps \"b\" not found\n", 1),
            ("kubectl delete cm b --ignore-not-found", "No resources found\n", "", 0),
            ("kubectl delete cm", "", "error: resource(s) were provided, but no name was specified\n", 1),
            (
                "kubectl delete cm --all -l x=y",
                "",
                "error: cannot set --all and --selector at the same time\n",
                1,
            ),
            (
                "kubectl delete pod p --force --grace-period=5",
                "",
                "error: --force and --grace-period greater than 0 cannot be specified together\n",
                1,
            ),
            (
                "kubectl delete pod p --now --grace-period=5",
                "",
                "error: --now and --grace-period cannot be specified together\n",
                1,
            ),
            (
                "kubectl delete pod p --force",
                "pod \"p\" force deleted from default namespace\n",
                "Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n",
                0,
            ),
            ("kubectl get pod p", "", "Error from server (NotFound): pods \"p\" not found\n", 1),
            (
                "kubectl delete ds/agent deploy/web --wait=false",
                "daemonset.apps \"agent\" deleted from default namespace\ndeployment.apps \"web\" deleted from default namespace\n",
                "",
                0,
            ),
            (
                "kubectl delete node omen2 -n default",
                "node \"omen2\" deleted\n",
                "Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n",
                0,
            ),
            (
                "kubectl delete cm a -o yaml",
                "",
                "error: unexpected -o output mode: yaml. We only support '-o name'\n",
                1,
            ),
            ("kubectl delete cm --all", "configmap \"a\" deleted from default namespace\n", "", 0),
        ],
    );
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
