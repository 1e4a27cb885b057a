//! `kubectl get` of every kind in every form: rules that hold for all of them. Source: `pkg/cmd/get` of kubectl 1.34 and
//! `pkg/printers/internalversion` of Kubernetes.

use crate::bench::{Bench, with_nvidia};
use serde_json::Value;

/// A kind: the words that mean it, the name by which it is told, whether it lives in a namespace, its columns, and further ones of
/// `-o wide`.
type Row = (&'static [&'static str], &'static str, bool, &'static str, &'static str);

const KINDS: [Row; 15] = [
    (&["cm", "configmap", "configmaps"], "configmap", true, "NAME DATA AGE", ""),
    (
        &["controllerrevision", "controllerrevisions", "controllerrevisions.apps"],
        "controllerrevision.apps",
        true,
        "NAME CONTROLLER REVISION AGE",
        "",
    ),
    (
        &["ds", "daemonset", "daemonsets", "daemonsets.apps", "daemonsets.v1.apps"],
        "daemonset.apps",
        true,
        "NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE",
        "CONTAINERS IMAGES SELECTOR",
    ),
    (
        &["deploy", "deployment", "deployments", "deployments.apps"],
        "deployment.apps",
        true,
        "NAME READY UP-TO-DATE AVAILABLE AGE",
        "CONTAINERS IMAGES SELECTOR",
    ),
    (&["ep", "endpoints"], "endpoints", true, "NAME ENDPOINTS AGE", ""),
    (
        &["ev", "event", "events"],
        "event",
        true,
        "LAST SEEN TYPE REASON OBJECT MESSAGE",
        "LAST SEEN TYPE REASON OBJECT SUBOBJECT SOURCE MESSAGE FIRST SEEN COUNT NAME",
    ),
    (&["lease", "leases"], "lease.coordination.k8s.io", true, "NAME HOLDER AGE", ""),
    (&["ns", "namespace", "namespaces"], "namespace", false, "NAME STATUS AGE", ""),
    (
        &["no", "node", "nodes"],
        "node",
        false,
        "NAME STATUS ROLES AGE VERSION",
        "INTERNAL-IP EXTERNAL-IP OS-IMAGE KERNEL-VERSION CONTAINER-RUNTIME",
    ),
    (
        &["po", "pod", "pods"],
        "pod",
        true,
        "NAME READY STATUS RESTARTS AGE",
        "IP NODE NOMINATED NODE READINESS GATES",
    ),
    (
        &["pdb", "poddisruptionbudget", "poddisruptionbudgets", "poddisruptionbudgets.policy"],
        "poddisruptionbudget.policy",
        true,
        "NAME MIN AVAILABLE MAX UNAVAILABLE ALLOWED DISRUPTIONS AGE",
        "",
    ),
    (
        &["rs", "replicaset", "replicasets"],
        "replicaset.apps",
        true,
        "NAME DESIRED CURRENT READY AGE",
        "CONTAINERS IMAGES SELECTOR",
    ),
    (&["quota", "resourcequota", "resourcequotas"], "resourcequota", true, "NAME REQUEST LIMIT AGE", ""),
    (&["runtimeclass", "runtimeclasses"], "runtimeclass.node.k8s.io", false, "NAME HANDLER AGE", ""),
    (
        &["svc", "service", "services"],
        "service",
        true,
        "NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE",
        "SELECTOR",
    ),
];

const MANIFESTS: &str = r#"printf '%s' '
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent, labels: {team: gpu}}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1"}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {team: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: b}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: more, labels: {team: gpu}}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: leader}
spec: {holderIdentity: somebody}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: pods}
spec: {hard: {pods: "50"}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}
' > all.yaml"#;

fn bench() -> Bench {
    let mut bench = Bench::incident(&[("/etc/containerd/config.toml", &with_nvidia())]);
    bench.out(MANIFESTS);
    let done = bench.run("kubectl apply -f all.yaml");
    assert_eq!((done.err.as_str(), done.status), ("", 0), "{}", done.out);
    bench.out("sleep 30");
    bench
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a line prints that goes well; of Endpoints the server warns each time.
#[track_caller]
fn out(bench: &mut Bench, line: &str) -> String {
    let answer = bench.run(line);
    let err = answer.err.replace(
        "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n",
        "",
    );
    assert_eq!((err.as_str(), answer.status), ("", 0), "{line}\n{}", answer.out);
    answer.out
}

/// Standard error and the status of a line that prints nothing else.
#[track_caller]
fn err(bench: &mut Bench, line: &str) -> (String, i32) {
    let answer = bench.run(line);
    assert_eq!(answer.out, "", "{line}");
    let err = answer.err.replace(
        "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice\n",
        "",
    );
    (err, answer.status)
}

/// Namespace and name of every object of a kind.
fn objects(bench: &mut Bench, kind: &str) -> Vec<(String, String)> {
    let list: Value = serde_json::from_str(&out(bench, &format!("kubectl get {kind} -A -o json"))).unwrap();
    let text = |item: &Value, field: &str| item["metadata"][field].as_str().unwrap_or_default().to_string();
    list["items"].as_array().unwrap().iter().map(|one| (text(one, "namespace"), text(one, "name"))).collect()
}

#[test]
fn every_table_has_its_columns() {
    let mut bench = bench();
    for (words, _, namespaced, columns, wide) in KINDS {
        let kind = words[0];
        let head = |text: &str| squeezed(text.lines().next().unwrap_or_default());
        let namespace = if namespaced { "NAMESPACE " } else { "" };
        let plain = out(&mut bench, &format!("kubectl get {kind} -A"));
        assert_eq!(head(&plain), format!("{namespace}{columns}"));
        let all = out(&mut bench, &format!("kubectl get {kind} -A -o wide"));
        let wanted = if kind == "ev" { wide.to_string() } else { format!("{columns} {wide}") };
        assert_eq!(head(&all), squeezed(&format!("{namespace}{wanted}")));
        let bare = out(&mut bench, &format!("kubectl get {kind} -A --no-headers"));
        assert_eq!(bare.lines().count() + 1, plain.lines().count(), "{kind}");
        let labelled = out(&mut bench, &format!("kubectl get {kind} -A -L team,kubernetes.io/hostname"));
        assert_eq!(head(&labelled), format!("{namespace}{columns} TEAM HOSTNAME"));
        let labels = out(&mut bench, &format!("kubectl get {kind} -A --show-labels"));
        assert_eq!(head(&labels), format!("{namespace}{columns} LABELS"));
        // Every row has all its cells: the last column begins where its head does, and holds something.
        let at = labels.lines().next().unwrap().find("LABELS").unwrap();
        for line in labels.lines().skip(1) {
            let cell = line.chars().skip(at).collect::<String>();
            assert!(cell == "<none>" || cell.contains('='), "{line}");
            assert_eq!(line.chars().nth(at - 1), Some(' '), "{line}");
        }
    }
}

#[test]
fn every_form_shows_the_same_objects() {
    let mut bench = bench();
    bench.out("printf '{range .items[*]}{.metadata.name}{\"\\\\n\"}{end}' > names.jsonpath");
    bench.out("printf 'NAME\\n.metadata.name\\n' > names.columns");
    for (words, told, ..) in KINDS {
        let kind = words[0];
        let names: Vec<String> = objects(&mut bench, kind).into_iter().map(|(_, name)| name).collect();
        assert!(!names.is_empty(), "{kind}");
        let lines: String = names.iter().map(|name| format!("{name}\n")).collect();
        let told: String = names.iter().map(|name| format!("{told}/{name}\n")).collect();
        assert_eq!(out(&mut bench, &format!("kubectl get {kind} -A -o name")), told);
        let json = out(&mut bench, &format!("kubectl get {kind} -A -o json"));
        let yaml = out(&mut bench, &format!("kubectl get {kind} -A -o yaml"));
        let json: Value = serde_json::from_str(&json).unwrap();
        let yaml: Value = serde_norway::from_str(&yaml).unwrap();
        assert_eq!(json, yaml, "{kind}");
        assert_eq!((&json["kind"], &json["apiVersion"]), (&"List".into(), &"v1".into()));
        for item in json["items"].as_array().unwrap() {
            for field in ["creationTimestamp", "name", "resourceVersion", "uid"] {
                assert!(item["metadata"][field].is_string(), "{kind}: {field}");
            }
            assert!(item["kind"].is_string() && item["apiVersion"].is_string(), "{kind}");
        }
        for form in [
            "jsonpath='{range .items[*]}{.metadata.name}{\"\\n\"}{end}'",
            "jsonpath-file=names.jsonpath",
            "custom-columns=NAME:.metadata.name --no-headers",
            "custom-columns=NAME:{.metadata.name} --no-headers",
        ] {
            assert_eq!(out(&mut bench, &format!("kubectl get {kind} -A -o {form}")), lines, "{form}");
        }
        for form in ["custom-columns=NAME:metadata.name", "custom-columns-file=names.columns"] {
            let text = out(&mut bench, &format!("kubectl get {kind} -A -o {form}"));
            assert_eq!(text, format!("NAME\n{lines}"), "{form}");
        }
        let (err, status) = err(&mut bench, &format!("kubectl get {kind} -A -o go-template='{{{{.kind}}}}'"));
        assert!(err.ends_with(": not simulated in this lab\n") && status == 2, "{err}");
    }
}

#[test]
fn words_of_a_kind_mean_the_same() {
    let mut bench = bench();
    for (words, ..) in KINDS {
        let first = out(&mut bench, &format!("kubectl get {} -A", words[0]));
        for word in &words[1..] {
            assert_eq!(out(&mut bench, &format!("kubectl get {word} -A")), first, "{word}");
        }
    }
    for word in ["gpus", "daemonsets.batch", "foo.bar"] {
        let bare = word.split('.').next().unwrap();
        let wanted = format!("error: the server doesn't have a resource type \"{bare}\"\n");
        assert_eq!(err(&mut bench, &format!("kubectl get {word}")), (wanted, 1));
    }
    // What a real server has and the lab has not is not denied.
    for word in
        ["secrets", "secret", "sts", "statefulset", "ingress", "networkpolicies", "networkpolicy", "crd"]
    {
        let (err, status) = err(&mut bench, &format!("kubectl get {word}"));
        assert!(err.ends_with(": not simulated in this lab\n") && status == 2, "{word}: {err}");
    }
}

#[test]
fn names_choose_objects() {
    let mut bench = bench();
    for (words, told, namespaced, columns, _) in KINDS {
        let (kind, plural) = (words[0], words.iter().max_by_key(|word| word.len()).unwrap());
        let (namespace, name) = objects(&mut bench, kind).remove(0);
        let within = if namespaced { format!("-n {namespace}") } else { String::new() };
        let one = out(&mut bench, &format!("kubectl get {kind} {name} {within}"));
        assert_eq!(one.lines().count(), 2, "{one}");
        assert_eq!(squeezed(one.lines().next().unwrap()), columns);
        assert_eq!(out(&mut bench, &format!("kubectl get {told}/{name} {within}")), one);
        assert_eq!(out(&mut bench, &format!("kubectl get {plural}/{name} {within}")), one);
        let json = out(&mut bench, &format!("kubectl get {kind} {name} {within} -o json"));
        let object: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(object["metadata"]["name"], name.as_str());
        let both = out(&mut bench, &format!("kubectl get {kind} {name} {name} {within} --no-headers"));
        assert_eq!(both.lines().count(), 2);
        // Of several names those are shown that are there.
        let answer = bench.run(&format!("kubectl get {kind} {name} nobody {within}"));
        let group = told.split_once('.').map_or(String::new(), |(_, group)| format!(".{group}"));
        let plural = plural.split('.').next().unwrap();
        let missing = format!("Error from server (NotFound): {plural}{group} \"nobody\" not found\n");
        assert!(answer.err.ends_with(&missing) && answer.status == 1, "{}", answer.err);
        assert_eq!(answer.out, one);
        for form in ["", "-o json", "-o name", "-o yaml", "-o jsonpath={.kind}"] {
            assert_eq!(
                err(&mut bench, &format!("kubectl get {kind} nobody {within} {form}")),
                (missing.clone(), 1)
            );
            let line = format!("kubectl get {kind} nobody {within} {form} --ignore-not-found");
            assert_eq!(err(&mut bench, &line), (String::new(), 0), "{line}");
        }
        if namespaced {
            let why = "error: a resource cannot be retrieved by name across all namespaces\n";
            assert_eq!(err(&mut bench, &format!("kubectl get {kind} {name} -A")), (why.into(), 1));
        }
        let why = "error: name cannot be provided when a selector is specified\n";
        assert_eq!(err(&mut bench, &format!("kubectl get {kind} {name} {within} -l a=b")), (why.into(), 1));
        let why = "error: selectors and the all flag cannot be used when passing resource/name arguments\n";
        assert_eq!(err(&mut bench, &format!("kubectl get {kind}/{name} {within} -l a=b")), (why.into(), 1));
    }
}

#[test]
fn selectors_choose_objects() {
    let mut bench = bench();
    for (words, _, namespaced, ..) in KINDS {
        let kind = words[0];
        let all = objects(&mut bench, kind);
        let (namespace, name) = all[0].clone();
        let nothing =
            if namespaced { "No resources found in default namespace.\n" } else { "No resources found\n" };
        assert_eq!(err(&mut bench, &format!("kubectl get {kind} -l nobody=here")), (nothing.into(), 0));
        assert_eq!(
            err(&mut bench, &format!("kubectl get {kind} -A -l nobody=here")),
            ("No resources found\n".into(), 0)
        );
        assert_eq!(
            err(&mut bench, &format!("kubectl get {kind} -A -l nobody=here -o name")),
            (String::new(), 0)
        );
        let without = out(&mut bench, &format!("kubectl get {kind} -A -l '!nobody' -o name"));
        assert_eq!(without.lines().count(), all.len());
        let line = format!(
            "kubectl get {kind} -A --field-selector metadata.name={name} -o jsonpath='{{.items[*].metadata.name}}'"
        );
        let found = out(&mut bench, &line);
        assert!(found.split(' ').all(|found| found == name), "{found}");
        let line = format!("kubectl get {kind} -A --field-selector metadata.name!={name} -o name");
        assert!(!out(&mut bench, &line).contains(&format!("/{name}\n")), "{line}");
        if namespaced {
            let line =
                format!("kubectl get {kind} -A --field-selector metadata.namespace={namespace} --no-headers");
            assert!(out(&mut bench, &line).lines().all(|line| line.starts_with(&format!("{namespace} "))));
        }
        let (err, status) = err(&mut bench, &format!("kubectl get {kind} --field-selector spec.nothing=x"));
        let head = "Error from server (BadRequest): Unable to find \"";
        assert!(err.starts_with(head) && err.contains("spec.nothing") && status == 1, "{err}");
    }
    let line =
        "kubectl get pods -A --field-selector spec.nodeName=omen,status.phase=Running -o wide --no-headers";
    let omen = out(&mut bench, line);
    assert!(omen.lines().count() >= 2 && omen.lines().all(|line| line.contains(" omen ")), "{omen}");
    assert_eq!(
        err(&mut bench, "kubectl get ds --field-selector status.phase=x").0,
        "Error from server (BadRequest): Unable to find \"apps/v1, Resource=daemonsets\" that match label selector \"\", field selector \"status.phase=x\": \"status.phase\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"\n"
    );
    let nodes = out(&mut bench, "kubectl get nodes --field-selector spec.unschedulable=false -o name");
    assert_eq!(nodes.lines().count(), 4);
}

#[test]
fn sorting_needs_a_field_that_is_there() {
    let mut bench = bench();
    for (words, ..) in KINDS {
        let kind = words[0];
        let mut names: Vec<String> = objects(&mut bench, kind).into_iter().map(|(_, name)| name).collect();
        names.sort();
        let sorted = "--sort-by=.metadata.name -o jsonpath='{.items[*].metadata.name}'";
        let found = out(&mut bench, &format!("kubectl get {kind} -A {sorted}"));
        assert_eq!(found, names.join(" "), "{kind}");
        let rows = out(
            &mut bench,
            &format!("kubectl get {kind} -A --sort-by=metadata.creationTimestamp --no-headers"),
        );
        assert_eq!(rows.lines().count(), names.len());
        let why = "error: couldn't find any field with path \"{.spec.nothing}\" in the list of objects\n";
        for form in ["", "-o json"] {
            let line = format!("kubectl get {kind} -A --sort-by='{{.spec.nothing}}' {form}");
            assert_eq!(err(&mut bench, &line), (why.into(), 1), "{line}");
        }
    }
    // Amounts are compared as amounts.
    bench.out("kubectl create quota big --hard=memory=1Gi; kubectl create quota small --hard=memory=900Mi");
    let sorted = out(&mut bench, "kubectl get quota --sort-by=.spec.hard.memory -o name");
    let at = |name: &str| sorted.lines().position(|line| line.ends_with(name));
    assert!(at("/small") < at("/big"), "{sorted}");
}

#[test]
fn several_kinds_stand_one_below_the_other() {
    let mut bench = bench();
    let both = out(&mut bench, "kubectl get ds,deploy");
    let (first, second) = both.split_once("\n\n").unwrap();
    assert!(first.lines().nth(1).unwrap().starts_with("daemonset.apps/agent "), "{both}");
    assert!(second.lines().nth(1).unwrap().starts_with("deployment.apps/web "), "{both}");
    assert!(!out(&mut bench, "kubectl get ds,deploy --no-headers").contains("\n\n"));
    // A kind of which there is nothing counts all the same, and takes no room.
    bench.out("kubectl create namespace empty");
    assert!(
        out(&mut bench, "kubectl get ds,runtimeclass -n empty")
            .starts_with("NAME                              HANDLER")
    );
    assert_eq!(
        err(&mut bench, "kubectl get ds,deploy -n empty"),
        ("No resources found in empty namespace.\n".into(), 0)
    );
    assert_eq!(err(&mut bench, "kubectl get all -n empty").0, "No resources found in empty namespace.\n");
    let all = out(&mut bench, "kubectl get all");
    let heads: Vec<&str> =
        all.split("\n\n").map(|table| table.lines().nth(1).unwrap().split('/').next().unwrap()).collect();
    assert_eq!(heads, ["pod", "service", "daemonset.apps", "deployment.apps", "replicaset.apps"]);
    assert_eq!(
        out(&mut bench, "kubectl get po,pods,pod -o name"),
        out(&mut bench, "kubectl get pods -o name")
    );
    let named = out(&mut bench, "kubectl get ds/agent deploy/web");
    assert!(named.contains("daemonset.apps/agent ") && named.contains("\n\nNAME "), "{named}");
    let list = out(&mut bench, "kubectl get ds,deploy -o json | jq -r '.items[].kind'");
    assert_eq!(list, "DaemonSet\nDeployment\n");
    assert_eq!(err(&mut bench, "kubectl get ds agent/web").1, 1, "words of two forms do not go together");
    assert_eq!(
        err(&mut bench, "kubectl get ds/agent/x").0,
        "error: arguments in resource/name form may not have more than one slash\n"
    );
    assert_eq!(
        err(&mut bench, "kubectl get ds/").0,
        "error: arguments in resource/name form must have a single resource and name\n"
    );
    let of_file = out(&mut bench, "kubectl get -f all.yaml -o name");
    assert_eq!(of_file.lines().count(), 8, "{of_file}");
}

#[test]
fn a_watch_prints_in_every_form() {
    let mut bench = bench();
    for (words, _, _, columns, _) in KINDS {
        let kind = words[0];
        let answer = bench.run(&format!("kubectl get {kind} -A -w"));
        assert_eq!(answer.status, 130, "{kind}");
        assert!(squeezed(answer.out.lines().next().unwrap()).ends_with(columns), "{}", answer.out);
        let only = bench.run(&format!("kubectl get {kind} -A --watch-only -o name"));
        assert_eq!((only.out.as_str(), only.status), ("", 130), "{kind}");
    }
    let json = bench.run("kubectl get ds -w -o json").out;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["kind"], "DaemonSet");
    assert!(bench.run("kubectl get ds -w -o custom-columns=N:.metadata.name").out.starts_with("N\nagent\n"));
    assert_eq!(bench.run("kubectl get cm -w -o yaml").out.matches("---\n").count(), 1);
    assert_eq!(
        err(&mut bench, "kubectl get ds,deploy -w"),
        ("error: you may only specify a single resource type\n".into(), 1)
    );
    assert!(
        bench
            .run("kubectl get ds -w --sort-by=.metadata.name")
            .err
            .starts_with("warning: --watch requested, --sort-by will be ignored for watch events received\n")
    );
    assert_eq!(
        err(&mut bench, "kubectl get ds nobody -w").0,
        "Error from server (NotFound): daemonsets.apps \"nobody\" not found\n"
    );
}

#[test]
fn what_cannot_be_printed_is_said() {
    let mut bench = bench();
    for (line, wanted) in [
        (
            "kubectl get pods -o foo",
            "error: unable to match a printer suitable for the output format \"foo\", allowed formats are: custom-columns,custom-columns-file,go-template,go-template-file,json,jsonpath,jsonpath-as-json,jsonpath-file,name,template,templatefile,wide,yaml\n",
        ),
        (
            "kubectl get pods -o json --show-labels",
            "error: --show-labels option cannot be used with json printer\n",
        ),
        ("kubectl get pods -o jsonpath", "error: template format specified but no template given\n"),
        (
            "kubectl get pods -o jsonpath-file=nothing",
            "error: error reading --template nothing, open nothing: no such file or directory\n",
        ),
        ("kubectl get pods -o jsonpath='{.a'", "error: error parsing jsonpath {.a, unclosed action\n"),
        (
            "kubectl get pods -o custom-columns",
            "error: custom-columns format specified but no custom columns given\n",
        ),
        (
            "kubectl get pods -o custom-columns=A",
            "error: unexpected custom-columns spec: A, expected <header>:<json-path-expr>\n",
        ),
    ] {
        assert_eq!(err(&mut bench, line), (wanted.into(), 1), "{line}");
    }
    let (err, status) = err(&mut bench, "kubectl get");
    assert!(err.starts_with("You must specify the type of resource to get. ") && status == 1, "{err}");
}
