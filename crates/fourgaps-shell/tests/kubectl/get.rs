//! `kubectl get`, `describe node` and `logs` follow what is in force on the nodes.

use crate::bench::{Bench, GPU, registry, with_nvidia};

const MAIN: &str = "/etc/containerd/config.toml";
const DROP_IN: &str = "/etc/containerd/conf.d/zz-registry.toml";
/// The command of the write-up.
const GPUS: &str =
    r#"kubectl get nodes -o custom-columns="NODE:.metadata.name,GPU:.status.allocatable.nvidia\.com/gpu""#;

fn table(gpus: [&str; 4]) -> String {
    let rows = ["nuc1", "nuc2", "omen", "omen2"].into_iter().zip(gpus);
    rows.fold("NODE    GPU\n".to_string(), |text, (node, gpus)| text + &format!("{node:8}{gpus}\n"))
}

#[test]
fn the_gpus_of_a_node_follow_the_handlers_that_its_containerd_has_loaded() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia()), (DROP_IN, &registry())]);
    assert_eq!(bench.out(GPUS), table(["0"; 4]));
    // Written is not in force.
    bench.out(&format!("for node in nuc1 omen; do ssh $node 'rm {DROP_IN}'; done"));
    bench.out("sleep 60");
    assert_eq!(bench.out(GPUS), table(["0"; 4]));
    bench.machines.lock().unwrap().act("omen", &fourgaps_node::Op::Systemctl(fourgaps_node::Verb::Restart));
    bench.out("sleep 15");
    assert_eq!(bench.out(GPUS), table(["0", "0", "1", "0"]));
    assert_eq!(bench.out("kubectl -n gpu-operator logs gputest"), format!("GPU 0: {GPU}\n"));
}

#[test]
fn a_kubelet_waits_half_a_minute_before_it_says_that_the_runtime_is_down() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    let status = "kubectl get node omen2 --no-headers";
    assert_eq!(bench.out(status), "omen2   Ready   <none>   60s   v1.34.9\n");
    bench.out("sleep 60");
    bench.machines.lock().unwrap().act("omen2", &fourgaps_node::Op::Systemctl(fourgaps_node::Verb::Stop));
    bench.out("sleep 29");
    assert_eq!(bench.out(status), "omen2   Ready   <none>   2m29s   v1.34.9\n");
    bench.out("sleep 2");
    assert_eq!(bench.out(status), "omen2   NotReady   <none>   2m31s   v1.34.9\n");
    let ready = bench.out(r#"kubectl describe node omen2 | grep "^  Ready ""#);
    let words: Vec<&str> = ready.split_whitespace().collect();
    assert_eq!(words[..2], ["Ready", "False"]);
    assert!(ready.ends_with("   KubeletNotReady              container runtime is down\n"), "{ready}");
}

#[test]
fn one_object_has_many_faces() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    assert_eq!(bench.out("kubectl get nodes -o name | head -2"), "node/nuc1\nnode/nuc2\n");
    assert_eq!(bench.out("kubectl get runtimeclass"), "NAME     HANDLER   AGE\nnvidia   nvidia    60s\n");
    assert_eq!(bench.out("kubectl get runtimeclass nvidia -o jsonpath='{.handler}'"), "nvidia");
    assert_eq!(bench.out("kubectl get node omen -o json | jq -r .status.capacity.cpu"), "8\n");
    assert_eq!(bench.out("kubectl get no -l kubernetes.io/hostname=nuc2 -o name"), "node/nuc2\n");
    let handlers = "kubectl get runtimeclass -o jsonpath='{range .items[*]}{.handler}{\"\\n\"}{end}'";
    assert_eq!(bench.out(handlers), "nvidia\n");
    let wide = bench.out("kubectl get nodes -o wide | tail -1");
    assert!(wide.starts_with("omen2   Ready    <none>   60s   v1.34.9   10.0.0.14     <none>        Ubuntu 24.04.3 LTS   6.8.0-79-generic   containerd://1.7.27\n"), "{wide}");
    assert_eq!(
        bench.out("kubectl -n gpu-operator get pods gputest"),
        "NAME      READY   STATUS      RESTARTS   AGE\ngputest   0/1     Completed   0          60s\n"
    );
    let plugins = bench.out("kubectl get ds -A --no-headers");
    assert_eq!(
        plugins,
        "gpu-operator   nvidia-device-plugin-daemonset   4     4     4     4     4     nvidia.com/gpu.present=true   60s\n"
    );
    let yaml = bench.out("kubectl get runtimeclass nvidia -o yaml");
    let head = "apiVersion: node.k8s.io/v1\nhandler: nvidia\nkind: RuntimeClass\nmetadata:\n  creationTimestamp: \"2026-03-02T00:00:00Z\"\n  name: nvidia\n";
    assert!(yaml.starts_with(head), "{yaml}");
}

#[test]
fn what_is_not_there_is_said_as_the_real_one_says_it() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    let answer = bench.run("kubectl get node rem");
    assert_eq!(answer.err, "Error from server (NotFound): nodes \"rem\" not found\n");
    assert_eq!((answer.out.as_str(), answer.status), ("", 1));
    let answer = bench.run("kubectl get pods");
    assert_eq!((answer.err.as_str(), answer.status), ("No resources found in default namespace.\n", 0));
    let answer = bench.run("kubectl get gpus");
    assert_eq!(answer.err, "error: the server doesn't have a resource type \"gpus\"\n");
    let answer = bench.run("kubectl get nodes --subresource=status");
    assert_eq!(
        (answer.err.as_str(), answer.status),
        ("kubectl: --subresource=status: not simulated in this lab\n", 2)
    );
    let answer = bench.run("ssh omen kubectl get nodes");
    assert_eq!(answer.status, 2);
}

#[test]
fn tab_knows_verbs_kinds_names_and_namespaces() {
    let bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    let words = |line: &str| bench.complete(line);
    assert_eq!(words("kubectl get poddis"), ["poddisruptionbudgets"]);
    assert_eq!(words("kubectl describe node nu"), ["nuc1", "nuc2"]);
    assert_eq!(words("kubectl drain --ignore-daemonsets om"), ["omen", "omen2"]);
    assert_eq!(words("kubectl taint nodes nuc1"), ["nuc1"]);
    assert_eq!(words("kubectl -n gpu-op"), ["gpu-operator"]);
    assert_eq!(words("kubectl get pods -n gpu-op"), ["gpu-operator"]);
    assert_eq!(words("kubectl -n gpu-operator logs gpu"), ["gputest"]);
    assert_eq!(words("kubectl delete pod -n gpu-operator gpu"), ["gputest"]);
    assert_eq!(words("kubectl logs gpu"), Vec::<String>::new());
    assert_eq!(words("kubectl rollout st"), ["status"]);
    assert_eq!(
        words("kubectl -n gpu-operator rollout restart daemonset/nv"),
        ["daemonset/nvidia-device-plugin-daemonset"]
    );
    assert_eq!(words("kubectl explain daem"), ["daemonsets"]);
    assert_eq!(words("kubectl get pods -o js"), ["json", "jsonpath="]);
    assert_eq!(words("kubectl get pods --no"), ["--no-headers"]);
    assert_eq!(words("kubectl get nodes "), ["nuc1", "nuc2", "omen", "omen2"]);
    assert_eq!(words("kubectl cordon om"), ["omen", "omen2"]);
    assert_eq!(words("kubectl apply -f /ro"), ["/root/"]);
}

#[test]
fn tab_looks_in_the_namespace_of_the_kubeconfig() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    assert_eq!(bench.complete("kubectl logs gpu"), Vec::<String>::new());
    let config = "current-context: lab\ncontexts:\n- name: lab\n  context:\n    namespace: gpu-operator\n";
    bench.run(&format!("mkdir -p ~/.kube; printf '{}' > ~/.kube/config", config.replace('\n', "\\n")));
    assert_eq!(bench.complete("kubectl logs gpu"), ["gputest"]);
    assert_eq!(bench.complete("kubectl -n default logs gpu"), Vec::<String>::new());
}

#[test]
fn a_kubeconfig_that_is_not_there_names_no_server() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    let refused =
        "The connection to the server localhost:8080 was refused - did you specify the right host or port?\n";
    let answer = bench.run("KUBECONFIG=/nope kubectl get nodes");
    assert_eq!((answer.err.as_str(), answer.out.as_str(), answer.status), (refused, "", 1));
    // What the program itself knows is offered, what it would ask the server for is not.
    for line in
        ["get nodes om", "get node", "-n gpu-op", "cordon om", "-n gpu-operator rollout restart daemonset/nv"]
    {
        assert_eq!(
            bench.complete(&format!("KUBECONFIG=/nope kubectl {line}")),
            Vec::<String>::new(),
            "{line}"
        );
    }
    assert_eq!(bench.complete("KUBECONFIG=/nope kubectl rollout st"), ["status"]);
    bench.run("export KUBECONFIG=none:sub/here; mkdir sub");
    assert_eq!(bench.complete("kubectl get nodes om"), Vec::<String>::new());
    assert_eq!(bench.complete("kubectl get pods --no"), ["--no-headers"]);
    assert_eq!(bench.run("kubectl edit node omen; kubectl get pods -A").err, format!("{refused}{refused}"));
    // One of several is enough, seen from the folder of the caller.
    let config =
        "current-context: lab\\ncontexts:\\n- name: lab\\n  context:\\n    namespace: gpu-operator\\n";
    bench.run(&format!("printf '{config}' > sub/here"));
    assert_eq!(bench.complete("kubectl get nodes om"), ["omen", "omen2"]);
    assert_eq!(bench.complete("kubectl logs gpu"), ["gputest"]);
    assert_eq!(bench.complete("KUBECONFIG=/nope kubectl logs gpu"), Vec::<String>::new());
    assert!(bench.out("kubectl get pods -o name").starts_with("pod/gputest\n"));
    assert_eq!(bench.run("cd sub; kubectl get nodes").err, refused);
    // An empty variable is none.
    assert_eq!(bench.complete("KUBECONFIG= kubectl get nodes om"), ["omen", "omen2"]);
}
