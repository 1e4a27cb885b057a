//! The toolkit as a pod of a DaemonSet, as kubectl tells of it: its state, its log, and its files.

use crate::bench::Bench;

const TOOLKIT: &str = r#"cat > toolkit.yaml <<'END'
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: toolkit
  namespace: gpu-operator
spec:
  selector:
    matchLabels:
      app: toolkit
  template:
    metadata:
      labels:
        app: toolkit
    spec:
      nodeSelector:
        nvidia.com/gpu.present: "true"
      initContainers:
      - name: driver-validation
        image: nvcr.io/nvidia/k8s/container-toolkit:v1.17.8-ubuntu20.04
        command: ["sh", "-c"]
        args: ["until [ -f /run/nvidia/validations/driver-ready ]; do echo waiting for the driver; sleep 5; done"]
      containers:
      - name: nvidia-container-toolkit-ctr
        image: nvcr.io/nvidia/k8s/container-toolkit:v1.17.8-ubuntu20.04
        command: ["/bin/bash", "-c"]
        args: ["/bin/entrypoint.sh"]
        env:
        - name: RUNTIME
          value: containerd
        - name: RUNTIME_CONFIG
          value: /runtime/config-dir/config.toml
        - name: RUNTIME_SOCKET
          value: /runtime/sock-dir/containerd.sock
        volumeMounts:
        - name: config
          mountPath: /runtime/config-dir/
        - name: socket
          mountPath: /runtime/sock-dir/
        - name: root
          mountPath: /host
      volumes:
      - name: config
        hostPath:
          path: /etc/containerd
      - name: socket
        hostPath:
          path: /run/containerd
      - name: root
        hostPath:
          path: /
END"#;

const MAIN: &str = "/etc/containerd/config.toml";
const RUNC: &str = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n  runtime_type = \"io.containerd.runc.v2\"\n";

#[test]
fn the_toolkit_waits_and_works_and_is_read_from_outside() {
    let mut bench = Bench::incident(&[(MAIN, RUNC)]);
    bench.out(TOOLKIT);
    bench.out("kubectl apply -f toolkit.yaml; sleep 12");
    let here = "kubectl get pods -n gpu-operator -l app=toolkit --field-selector spec.nodeName=omen";
    assert_eq!(bench.out(&format!("{here} --no-headers | tr -s ' ' | cut -d' ' -f2,3")), "0/1 Init:0/1\n");
    let name = bench.out(&format!("{here} -o name | cut -d/ -f2")).trim().to_string();
    let log = |more: &str| format!("kubectl logs -n gpu-operator {name} {more}");
    let waiting = bench.run(&log(""));
    assert_eq!(
        waiting.err,
        format!(
            "Defaulted container \"nvidia-container-toolkit-ctr\" out of: nvidia-container-toolkit-ctr, driver-validation (init)\n\
             Error from server (BadRequest): container \"nvidia-container-toolkit-ctr\" in pod \"{name}\" is waiting to start: PodInitializing\n"
        )
    );
    assert_eq!(bench.out(&log("-c driver-validation")), "waiting for the driver\n".repeat(3));
    bench.out("for node in nuc1 nuc2 omen omen2; do ssh $node 'mkdir -p /run/nvidia/validations; touch /run/nvidia/validations/driver-ready'; done");
    bench.out("sleep 60");
    let text = bench.out(&log("-c nvidia-container-toolkit-ctr --tail=2"));
    let said: Vec<&str> =
        text.lines().filter_map(|line| line.split_once(" level=")).map(|(_, said)| said).collect();
    assert_eq!(
        said,
        ["info msg=\"Completed 'setup' for nvidia-toolkit\"", "info msg=\"Waiting for signal\""],
        "{text}"
    );
    let config = bench.out(&format!("kubectl exec -n gpu-operator {name} -c nvidia-container-toolkit-ctr -- cat /runtime/config-dir/config.toml"));
    assert!(config.contains("nvidia-container-runtime"), "{config}");
    let missing = bench.run(&format!(
        "kubectl exec -n gpu-operator {name} -c nvidia-container-toolkit-ctr -- cat /host/etc/nothing"
    ));
    assert_eq!(
        (missing.err.as_str(), missing.status),
        ("cat: /host/etc/nothing: No such file or directory\ncommand terminated with exit code 1\n", 1)
    );
    let described = bench.out(&format!("kubectl describe pod -n gpu-operator {name}"));
    assert!(described.contains("Init Containers:\n  driver-validation:\n"), "{described}");
    let previous = bench.run(&log("-c nvidia-container-toolkit-ctr -p"));
    assert!(previous.err.ends_with("not found\n") && previous.status == 1, "{}", previous.err);
}
