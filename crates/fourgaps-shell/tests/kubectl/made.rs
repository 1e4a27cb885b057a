//! `kubectl create`, `run`, `apply`, `replace` and `delete`.

use crate::verbs::{bench, check};

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
