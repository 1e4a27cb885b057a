//! Deployments, ReplicaSets, Services and Endpoints, as kubectl tells of them. No recording has them: the words are those of
//! kubectl's public source, the numbers follow from the controllers.

use crate::bench::Bench;

const WEB: &str = "printf 'apiVersion: apps/v1\\nkind: Deployment\\nmetadata:\\n  name: web\\nspec:\\n  replicas: 3\\n  selector:\\n    matchLabels:\\n      app: web\\n  template:\\n    metadata:\\n      labels:\\n        app: web\\n    spec:\\n      containers:\\n      - name: web\\n        image: web:1\\n---\\napiVersion: v1\\nkind: Service\\nmetadata:\\n  name: web\\nspec:\\n  selector:\\n    app: web\\n  ports:\\n  - port: 80\\n    targetPort: 8080\\n' > web.yaml";

fn web() -> Bench {
    let mut bench = Bench::incident(&[]);
    bench.out(WEB);
    assert_eq!(bench.out("kubectl apply -f web.yaml"), "deployment.apps/web created\nservice/web created\n");
    let told = bench.out("kubectl rollout status deploy/web");
    assert!(told.ends_with("deployment \"web\" successfully rolled out\n"), "{told}");
    bench
}

/// Columns without their widths.
fn squeezed(text: &str) -> Vec<String> {
    text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_deployment_is_rolled_out_step_by_step_and_back() {
    let mut bench = web();
    assert_eq!(squeezed(&bench.out("kubectl get deploy web"))[..1], ["NAME READY UP-TO-DATE AVAILABLE AGE"]);
    assert!(squeezed(&bench.out("kubectl get deploy web"))[1].starts_with("web 3/3 3 3 "));
    let hash = "kubectl get rs -o jsonpath='{.items[0].metadata.labels.pod-template-hash}'";
    let first = bench.out(hash);
    assert_eq!(bench.out("kubectl set image deploy/web web=web:2"), "deployment.apps/web image updated\n");
    let told = bench.out("kubectl rollout status deployment/web");
    assert!(told.ends_with("deployment \"web\" successfully rolled out\n"), "{told}");
    // A quarter of three, rounded up, may be too many, and rounded down, none may be missing.
    let events = bench.out("kubectl describe deploy web | grep -o 'Scaled .*'");
    let names: Vec<&str> = events.lines().filter_map(|line| line.split(' ').nth(4)).collect();
    assert_eq!(names.len(), 7, "{events}");
    let steps: Vec<String> = events
        .lines()
        .map(|line| line.split(' ').filter(|word| !word.starts_with("web-")).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        steps,
        [
            "Scaled up replica set from 0 to 3",
            "Scaled up replica set from 0 to 1",
            "Scaled down replica set from 3 to 2",
            "Scaled up replica set from 1 to 2",
            "Scaled down replica set from 2 to 1",
            "Scaled up replica set from 2 to 3",
            "Scaled down replica set from 1 to 0",
        ]
    );
    assert_eq!(
        bench.out("kubectl rollout history deploy web"),
        "deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n2         <none>\n\n"
    );
    assert_eq!(bench.out("kubectl rollout undo deploy/web"), "deployment.apps/web rolled back\n");
    bench.out("kubectl rollout status deploy/web");
    assert_eq!(
        bench.out(&format!("kubectl get pods -l pod-template-hash={first} -o name | wc -l")).trim(),
        "3"
    );
    assert!(bench.out("kubectl rollout history deploy/web").contains("2         <none>\n3         <none>\n"));
    assert_eq!(
        bench.out("kubectl rollout undo deploy/web --to-revision=3"),
        "deployment.apps/web skipped rollback (current template already matches revision 3)\n"
    );
    assert_eq!(
        bench.run("kubectl rollout undo deploy/web --to-revision=9").err,
        "error: unable to find specified revision 9 in history\n"
    );
}

#[test]
fn what_is_described_is_what_there_is() {
    let mut bench = web();
    let text = bench.out("kubectl describe deployment web");
    for line in [
        "Name:                   web",
        "Annotations:            deployment.kubernetes.io/revision: 1",
        "Selector:               app=web",
        "Replicas:               3 desired | 3 updated | 3 total | 3 available | 0 unavailable",
        "StrategyType:           RollingUpdate",
        "RollingUpdateStrategy:  25% max unavailable, 25% max surge",
        "  Available      True    MinimumReplicasAvailable",
        "  Progressing    True    NewReplicaSetAvailable",
        "OldReplicaSets:  <none>",
    ] {
        assert!(text.lines().any(|told| told == line), "{line}\n{text}");
    }
    assert!(text.contains("(3/3 replicas created)\n"), "{text}");
    let set = bench.out("kubectl describe rs");
    assert!(set.contains("Controlled By:  Deployment/web\n"), "{set}");
    assert!(set.contains("Pods Status:    3 Running / 0 Waiting / 0 Succeeded / 0 Failed\n"), "{set}");
}

#[test]
fn a_deployment_is_scaled_paused_and_taken_away_with_all_that_it_owns() {
    let mut bench = web();
    assert_eq!(bench.out("kubectl scale deploy web --replicas=5"), "deployment.apps/web scaled\n");
    bench.out("kubectl rollout status deploy/web");
    assert_eq!(bench.out("kubectl get deploy web -o jsonpath='{.status.availableReplicas}'"), "5");
    assert_eq!(bench.out("kubectl rollout pause deploy/web"), "deployment.apps/web paused\n");
    let again = bench.run("kubectl rollout pause deploy/web").err;
    assert_eq!(again, "error: deployments.apps \"web\" is already paused\n");
    bench.out("kubectl set image deploy/web web=web:2");
    bench.out("sleep 30");
    assert_eq!(bench.out("kubectl get rs -o name | wc -l").trim(), "1", "nothing rolls while it is paused");
    assert_eq!(bench.out("kubectl rollout resume deploy/web"), "deployment.apps/web resumed\n");
    bench.out("kubectl rollout status deploy/web");
    assert_eq!(
        bench.out("kubectl get pods -l app=web -o jsonpath='{.items[*].spec.containers[0].image}'"),
        "web:2 web:2 web:2 web:2 web:2"
    );
    bench.out("kubectl scale deploy web --replicas=1");
    bench.out("sleep 5");
    assert_eq!(bench.out("kubectl get pods -l app=web -o name | wc -l").trim(), "1");
    bench.out("kubectl delete deploy web");
    bench.out("sleep 40");
    assert_eq!(
        bench.run("kubectl get deploy,rs,pods -n default").err,
        "No resources found in default namespace.\n"
    );
}

#[test]
fn a_service_finds_the_pods_that_are_ready() {
    let mut bench = web();
    let row = |bench: &mut Bench| squeezed(&bench.out("kubectl get svc web"))[1].clone();
    let service = row(&mut bench);
    assert!(service.starts_with("web ClusterIP 10.96.") && service.contains(" <none> 80/TCP "), "{service}");
    let addresses = bench.run("kubectl get endpoints web -o jsonpath='{.subsets[0].addresses[*].ip}'");
    let warning = "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n";
    assert_eq!(addresses.err, warning);
    let pods = bench.out("kubectl get pods -l app=web -o jsonpath='{.items[*].status.podIP}'");
    let sorted = |text: &str| {
        let mut words: Vec<String> = text.split(' ').map(String::from).collect();
        words.sort();
        words
    };
    assert_eq!(sorted(&addresses.out), sorted(&pods));
    bench.out("kubectl scale deploy web --replicas=0");
    bench.out("sleep 5");
    assert!(squeezed(&bench.run("kubectl get endpoints web").out)[1].starts_with("web <none> "));
    assert!(bench.out("kubectl describe svc web").contains("TargetPort:"));
}

#[test]
fn an_image_that_is_not_there_ends_at_the_deadline() {
    let mut bench = Bench::incident(&[]);
    bench.out(WEB);
    bench.out("sed 's/image: web:1/image: web:1\\n        resources:\\n          limits:\\n            cpu: 500/' web.yaml | kubectl apply -f -");
    let answer = bench.run("kubectl rollout status deploy/web");
    assert_eq!(answer.err, "error: deployment \"web\" exceeded its progress deadline\n");
    assert!(
        answer.out.starts_with(
            "Waiting for deployment \"web\" rollout to finish: 0 of 3 updated replicas are available...\n"
        ),
        "{}",
        answer.out
    );
}

#[test]
fn a_deployment_is_made_by_a_line_and_counted_by_a_budget() {
    let mut bench = Bench::incident(&[]);
    let made = "kubectl create deployment web --image=registry.local/web:1 --replicas=2";
    assert_eq!(bench.out(made), "deployment.apps/web created\n");
    assert_eq!(
        bench.run(made).err,
        "error: failed to create deployment: deployments.apps \"web\" already exists\n"
    );
    bench.out("kubectl rollout status deploy/web");
    assert_eq!(
        bench.out("kubectl get deploy -o wide --no-headers | tr -s ' ' | cut -d' ' -f6-"),
        "web registry.local/web:1 app=web\n"
    );
    bench.out("printf 'apiVersion: policy/v1\\nkind: PodDisruptionBudget\\nmetadata:\\n  name: web\\nspec:\\n  maxUnavailable: 1\\n  selector:\\n    matchLabels:\\n      app: web\\n' | kubectl apply -f -");
    bench.out("kubectl cordon nuc1 nuc2 omen omen2");
    bench.out("kubectl get pods -l app=web -o name | head -1 | xargs kubectl delete");
    bench.out("sleep 40");
    // One waits for a node, so none of the others may go.
    assert_eq!(bench.out("kubectl get pdb web --no-headers | tr -s ' ' | cut -d' ' -f2-4"), "N/A 1 0\n");
}
