//! What `kubectl` changes reaches the nodes, and what the nodes make of it comes back.

use crate::bench::{Bench, GPU, registry, with_nvidia};
use fourgaps_cluster::World;
use fourgaps_node::Node;

const MAIN: &str = "/etc/containerd/config.toml";
const DROP_IN: &str = "/etc/containerd/conf.d/zz-registry.toml";

const AGENT: &str = "printf 'apiVersion: apps/v1\\nkind: DaemonSet\\nmetadata:\\n  name: agent\\nspec:\\n  selector:\\n    matchLabels:\\n      app: agent\\n  template:\\n    metadata:\\n      labels:\\n        app: agent\\n    spec:\\n      runtimeClassName: nvidia\\n      terminationGracePeriodSeconds: 5\\n      containers:\\n      - name: agent\\n        image: agent:1\\n' > agent.yaml";

fn with_agent(bench: &mut Bench) {
    bench.out(AGENT);
    assert_eq!(bench.out("kubectl apply -f agent.yaml"), "daemonset.apps/agent created\n");
    assert!(
        bench
            .out("kubectl rollout status ds/agent")
            .ends_with("daemon set \"agent\" successfully rolled out\n")
    );
}

#[test]
fn a_daemonset_is_rolled_out_over_real_nodes_and_back() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    with_agent(&mut bench);
    assert_eq!(bench.out("kubectl apply -f agent.yaml"), "daemonset.apps/agent unchanged\n");
    assert_eq!(bench.out("kubectl set image ds/agent agent=agent:2"), "daemonset.apps/agent image updated\n");
    let told = bench.out("kubectl rollout status ds/agent");
    assert!(
        told.contains("1 out of 4 new pods have been updated") && told.ends_with("rolled out\n"),
        "{told}"
    );
    let images = "kubectl get pods -l app=agent -o jsonpath='{.items[*].spec.containers[0].image}'";
    assert_eq!(bench.out(images), "agent:2 agent:2 agent:2 agent:2");
    assert_eq!(bench.out("kubectl rollout undo ds/agent"), "daemonset.apps/agent rolled back\n");
    bench.out("kubectl rollout status ds/agent");
    assert_eq!(bench.out(images), "agent:1 agent:1 agent:1 agent:1");
    // The sandboxes are there, and not only the objects.
    assert_eq!(bench.out("ssh omen crictl pods | grep -c agent-"), "1\n");
    assert_eq!(
        bench.out("kubectl delete ds agent"),
        "daemonset.apps \"agent\" deleted from default namespace\n"
    );
    bench.out("sleep 30");
    assert_eq!(bench.run("kubectl get pods").err, "No resources found in default namespace.\n");
}

#[test]
fn a_lost_handler_stops_a_rollout_at_the_first_node() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    with_agent(&mut bench);
    bench.out(&format!(
        "ssh nuc1 'mkdir -p /etc/containerd/conf.d; cat > {DROP_IN}' <<'END'\n{}END",
        registry()
    ));
    bench.out("ssh nuc1 systemctl restart containerd");
    assert_eq!(bench.out("kubectl get ds agent --no-headers | tr -s ' ' | cut -d' ' -f2-6"), "4 4 4 4 4\n");
    bench.out("kubectl set image ds/agent agent=agent:2");
    let answer = bench.run("kubectl rollout status ds/agent --timeout=2m");
    assert_eq!((answer.err.as_str(), answer.status), ("error: timed out waiting for the condition\n", 1));
    assert_eq!(bench.out("kubectl get ds agent --no-headers | tr -s ' ' | cut -d' ' -f2-6"), "4 4 3 1 3\n");
    let stuck = "kubectl get pods -o wide | grep ContainerCreating | tr -s ' ' | cut -d' ' -f7";
    assert_eq!(bench.out(stuck), "nuc1\n");
    let why =
        "kubectl describe pod $(kubectl get pods --no-headers | grep ContainerCreating | cut -d' ' -f1)";
    assert!(bench.out(why).contains("no runtime for \"nvidia\" is configured"));
    // Without --timeout it ends all the same, and says so.
    let answer = bench.run("kubectl rollout status ds/agent");
    assert_eq!(answer.status, 130);
}

#[test]
fn a_cordoned_node_keeps_its_daemonset_pods_and_loses_the_others() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    bench.out("kubectl run tool --image=tool:1 --overrides='{\"spec\":{\"nodeName\":\"omen\",\"runtimeClassName\":\"nvidia\"}}'");
    bench.out("sleep 5");
    assert_eq!(bench.out("kubectl exec tool -- nvidia-smi -L"), format!("GPU 0: {GPU}\n"));
    let answer = bench.run("kubectl drain omen --ignore-daemonsets");
    assert!(
        answer.err.contains(
            "cannot delete Pods that declare no controller (use --force to override): default/tool"
        ),
        "{}",
        answer.err
    );
    let answer = bench.run("kubectl drain omen --ignore-daemonsets --force");
    assert_eq!(answer.status, 0, "{answer:?}");
    assert!(
        answer.out.starts_with("node/omen already cordoned\nevicting pod ")
            && answer.out.ends_with("node/omen drained\n"),
        "{answer:?}"
    );
    assert_eq!(
        bench.out("kubectl get nodes omen --no-headers | tr -s ' ' | cut -d' ' -f2"),
        "Ready,SchedulingDisabled\n"
    );
    assert_eq!(
        bench.out("kubectl describe node omen | grep Taints"),
        "Taints:             node.kubernetes.io/unschedulable:NoSchedule\n"
    );
    assert_eq!(bench.out("kubectl uncordon omen"), "node/omen uncordoned\n");
}

#[test]
fn the_same_lines_give_the_same_cluster_and_its_facts_the_same_machines() {
    let play = || {
        let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
        with_agent(&mut bench);
        bench.out("kubectl label node omen zone=a; kubectl taint nodes nuc1 a=b:NoExecute");
        bench.out("sleep 90; ssh omen2 systemctl stop containerd; sleep 100");
        bench
    };
    let (first, second) = (play(), play());
    let mut folded = Bench::incident(&[(MAIN, &with_nvidia())]).machines.lock().unwrap().world.clone();
    let mut machines = first.machines.lock().unwrap();
    assert!(machines.world == second.machines.lock().unwrap().world);
    for fact in machines.take_facts() {
        folded.apply(&fact);
    }
    // The page is not told what the kubelet did.
    let seen = |world: &World| -> Vec<String> {
        let seen = |node: &Node| {
            let (files, journal) = (node.files(), node.journal());
            format!("{files:?} {:?} {:?} {:?} {journal:?}", node.containerd(), node.unit(), node.sandboxes())
        };
        world.nodes().iter().map(seen).collect()
    };
    assert!(seen(&folded) == seen(&machines.world), "what a page folds is not what happened");
}

#[test]
fn a_diff_shows_what_an_apply_would_change() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    with_agent(&mut bench);
    assert_eq!(bench.out("kubectl diff -f agent.yaml"), "");
    let answer = bench.run("sed 's/agent:1/agent:2/' agent.yaml | kubectl diff -f -");
    let changed: Vec<&str> = answer
        .out
        .lines()
        .filter(|line| line.starts_with(['-', '+']) && !line.contains("last-applied"))
        .collect();
    assert_eq!(answer.status, 1, "{}", answer.err);
    assert!(
        answer.out.starts_with("diff -u -N /tmp/LIVE-1/apps.v1.DaemonSet.default.agent "),
        "{}",
        answer.out
    );
    assert!(
        changed.contains(&"-      - image: agent:1") && changed.contains(&"+      - image: agent:2"),
        "{changed:?}"
    );
    assert_eq!(
        bench.out("kubectl get ds agent -o jsonpath='{.spec.template.spec.containers[0].image}'"),
        "agent:1"
    );
}

#[test]
fn an_edit_goes_by_a_file() {
    let mut bench = Bench::incident(&[(MAIN, &with_nvidia())]);
    with_agent(&mut bench);
    let answer = bench.run("kubectl edit ds agent");
    assert_eq!(answer.status, 2);
    assert!(
        answer.err.contains("kubectl replace -f /tmp/kubectl-edit-daemonset-agent.yaml"),
        "{}",
        answer.err
    );
    bench.out("sed -i 's/agent:1/agent:2/' /tmp/kubectl-edit-daemonset-agent.yaml");
    bench.out("kubectl replace -f /tmp/kubectl-edit-daemonset-agent.yaml");
    assert_eq!(
        bench.out("kubectl get ds agent -o jsonpath='{.spec.template.spec.containers[0].image}'"),
        "agent:2"
    );
}
