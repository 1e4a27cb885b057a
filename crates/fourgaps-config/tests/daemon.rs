//! What a daemon started on a node's files is, rule by rule. The recordings judge whole cases (`conformance`);
//! here stand the rules that few or no recordings show, each named after its public source.

use fourgaps_base::FileTree;
use fourgaps_config::daemon::{DEFAULT_MAIN, DaemonRun, SandboxAnswer, start};
use fourgaps_config::{Request, Version};

/// Starts a daemon on a main file, and on drop-ins after lines `//- PATH`.
fn run(version: &str, fixture: &str) -> DaemonRun {
    let mut files = FileTree::new();
    let mut parts = fixture.split("//- ");
    files.write(DEFAULT_MAIN, parts.next().unwrap_or_default());
    for part in parts {
        let (path, text) = part.split_once('\n').unwrap();
        files.write(path, text);
    }
    start(&Request::new(Version::named(version).unwrap(), &files, DEFAULT_MAIN))
}

/// What there is to say of a process, line by line; a complaint that all cases share is left out.
fn shown(run: &DaemonRun) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(exit) = run.exit {
        lines.push(format!("exit {exit}"));
    }
    let shared = |line: &&String| !line.contains("Configuration migrated from version 2");
    lines.extend(run.complaints.iter().filter(shared).cloned());
    if let Some(handlers) = &run.handlers {
        let names = handlers.iter().map(|handler| handler.name.as_str()).collect::<Vec<_>>();
        lines.push(format!("handlers {}", names.join(" ")));
    }
    lines.extend(
        run.deprecations.iter().filter(|name| *name != "cgroup-v1").map(|name| format!("deprecated {name}")),
    );
    lines
}

#[track_caller]
fn check(versions: &[&str], fixture: &str, wanted: &[&str]) {
    for version in versions {
        assert_eq!(shown(&run(version, fixture)), wanted, "{version}");
    }
}

const ALL: [&str; 6] = ["1.6.36", "1.7.27", "2.0.5", "2.1.4", "2.2.5", "2.3.4"];
const FIRST: [&str; 2] = ["1.6.36", "1.7.27"];
const SECOND: [&str; 4] = ["2.0.5", "2.1.4", "2.2.5", "2.3.4"];

#[test]
fn settings_of_the_process_are_checked_before_any_plugin() {
    // cmd/containerd/command/main.go, services/server/server.go
    for (settings, words) in [
        ("[debug]\nlevel = 'loud'", "containerd: not a valid logrus Level: \"loud\""),
        ("[debug]\nformat = 'xml'", "containerd: unknown log format: xml"),
        ("root = '/run/containerd'", "containerd: root and state must be different paths"),
        ("[timeouts]\na = '5 s'", "containerd: unable to parse 5 s into a time duration"),
        ("[timeouts]\na = ''", "containerd: unable to parse  into a time duration"),
    ] {
        check(&ALL, &format!("version = 2\n{settings}\n"), &["exit 1", words]);
    }
    let line = "level=error msg=\"failed to change OOM score to -2000\" \
                error=\"value out of range (-2000): OOM score must be between -1000 and 1000\"";
    check(&ALL, "version = 2\noom_score = -2000\n", &[line, "handlers runc"]);
}

#[test]
fn a_higher_log_level_hides_warnings() {
    let node =
        "version = 2\ndebug.level = 'error'\n[plugins.'io.containerd.grpc.v1.cri'.registry.mirrors.x]\n";
    check(&FIRST, node, &["handlers runc", "deprecated cri-registry-mirrors"]);
}

#[test]
fn sockets_are_opened_last() {
    let words = "containerd: failed to get listener for metrics endpoint: \
                 listen tcp: address 127.0.0.1: missing port in address";
    check(&ALL, "version = 2\n[metrics]\naddress = '127.0.0.1'\n", &["exit 1", words]);
    check(&ALL, "version = 2\n[debug]\naddress = '/run/debug.sock'\n", &["handlers runc"]);
    for version in ALL {
        let run = run(version, "version = 2\n[grpc]\naddress = '/run/elsewhere.sock'\n");
        assert!(run.booted() && run.cri_plugins.is_empty(), "{version}");
        assert!(run.no_answer.unwrap().ends_with("connect: no such file or directory\""), "{version}");
    }
}

#[test]
fn a_required_plugin_must_work() {
    // services/server/server.go
    let node = "version = 2\nrequired_plugins = ['io.containerd.grpc.v1.cri']\n\
                [plugins.'io.containerd.grpc.v1.cri'.containerd]\ndefault_runtime_name = 'x'\n";
    let why = "invalid plugin config: no corresponding runtime configured in `containerd.runtimes` \
               for `containerd` `default_runtime_name = \"x\"";
    for version in FIRST {
        let run = run(version, node);
        assert_eq!(run.exit, Some(1));
        let last = format!("containerd: load required plugin io.containerd.grpc.v1.cri: {why}");
        assert_eq!(run.complaints.last(), Some(&last));
    }
    check(
        &ALL,
        "version = 2\nrequired_plugins = ['io.containerd.grpc.v1.nope']\n",
        &["exit 1", "containerd: required plugin [io.containerd.grpc.v1.nope] not included"],
    );
    check(
        &["1.7.27"],
        "required_plugins = ['cri']\n",
        &[
            "level=warning msg=\"containerd config version `1` has been deprecated and will be converted on each \
             startup in containerd v2.0, use `containerd config migrate` after upgrading to containerd 2.0 to avoid \
             conversion on startup\"",
            "handlers runc",
        ],
    );
}

#[test]
fn a_plugin_without_what_it_needs_fails_and_takes_others_along() {
    // services.go, plugin/context.go
    let node = "version = 2\ndisabled_plugins = ['io.containerd.runtime.v1.linux']\n";
    let none = "no plugins registered for io.containerd.runtime.v1: not found";
    let service = format!("failed to get instance of service \\\"tasks-service\\\": {none}");
    check(
        &["1.7.27"],
        node,
        &[
            &format!(
                "level=warning msg=\"failed to load plugin io.containerd.service.v1.tasks-service\" error=\"{none}\""
            ),
            &format!(
                "level=warning msg=\"failed to load plugin io.containerd.grpc.v1.tasks\" error=\"{none}\""
            ),
            &format!(
                "level=warning msg=\"failed to load plugin io.containerd.internal.v1.restart\" error=\"{service}\""
            ),
            &format!(
                "level=warning msg=\"failed to load plugin io.containerd.grpc.v1.cri\" \
                 error=\"failed to create containerd client: {service}\""
            ),
        ],
    );
}

#[test]
fn the_cri_plugin_checks_itself() {
    // pkg/cri/config/config.go
    let cri = "version = 2\n[plugins.'io.containerd.grpc.v1.cri'";
    let failed = |why: &str| {
        format!("level=warning msg=\"failed to load plugin io.containerd.grpc.v1.cri\" error=\"{why}\"")
    };
    for (settings, why) in [
        (
            "]\nuntrusted = 1\n[plugins.'io.containerd.grpc.v1.cri'.containerd]\ndefault_runtime_name = ''",
            "invalid plugin config: `default_runtime_name` is empty",
        ),
        (
            ".containerd]\nno_pivot = true",
            "invalid plugin config: `no_pivot` only works for runtime io.containerd.runtime.v1.linux",
        ),
        (
            ".registry]\nconfig_path = '/c'\nconfigs.x.tls.ca_file = '/ca'",
            "invalid plugin config: `configs.tls` cannot be set when `config_path` is provided",
        ),
        (
            "]\ndrain_exec_sync_io_timeout = '9'",
            "invalid plugin config: invalid `drain_exec_sync_io_timeout`: time: missing unit in duration \\\"9\\\"",
        ),
        (
            "]\nx509_key_pair_streaming.tls_cert_file = '/c'",
            "failed to create CRI service: failed to create stream server: invalid stream server configuration: \
             X509KeyPairStreaming.TLSCertFile is set but EnableTLSStreaming is not set",
        ),
        (
            ".containerd.runtimes.runc]\nbase_runtime_spec = '/none.json'",
            "failed to create CRI service: failed to load base OCI spec from file: /none.json: \
             failed to open base OCI spec: /none.json: open /none.json: no such file or directory",
        ),
    ] {
        check(&FIRST, &format!("{cri}{settings}\n"), &[&failed(why)]);
    }
}

#[test]
fn deprecated_settings_are_remembered() {
    let auths = "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.registry.auths.'https://r.example']\n";
    let warning = "level=warning msg=\"`auths` is deprecated, please use `ImagePullSecrets` instead\"";
    check(&FIRST, auths, &[warning, "handlers runc", "deprecated cri-registry-auths"]);
    let ignored = "version = 2\n[plugins.'io.containerd.grpc.v1.cri']\n\
                   ignore_deprecation_warnings = ['io.containerd.deprecation/cri-registry-auths']\n\
                   registry.auths.'https://r.example'.auth = 'a'\n";
    for version in FIRST {
        assert!(
            run(version, ignored).conditions.iter().all(|c| c.holds || c.name == "NetworkReady"),
            "{version}"
        );
    }
}

#[test]
fn cni_folders_are_given_once() {
    // internal/cri/config/config.go of 2.1 and later
    let node =
        "version = 3\n[plugins.'io.containerd.cri.v1.runtime'.cni]\nbin_dir = '/a'\nbin_dirs = ['/b']\n";
    let run = run("2.2.5", node);
    let words = "level=warning msg=\"failed to load plugin\" error=\"invalid plugin config: `cni.bin_dir` and \
                 `cni.bin_dirs` cannot be set at the same time\" id=io.containerd.cri.v1.runtime type=io.containerd.cri.v1";
    assert!(run.complaints.iter().any(|line| line == words), "{:?}", run.complaints);
}

#[test]
fn merged_sections_that_cannot_be_migrated_end_the_process() {
    let crash = "panic: interface conversion: interface {} is string, not map[string]interface {}";
    check(&SECOND, "version = 2\nplugins.'io.containerd.grpc.v1.cri' = 'on'\n", &["exit 2", crash]);
}

#[test]
fn a_period_of_nothing_ends_the_process() {
    // snapshots.go of each version; 2.3 sleeps instead of ticking
    let node = "version = 2\n[plugins.'io.containerd.grpc.v1.cri']\nstats_collect_period = 0\n";
    let crash = ["exit 2", "panic: non-positive interval for NewTicker"];
    check(&["1.6.36", "1.7.27", "2.0.5", "2.1.4", "2.2.5"], node, &crash);
    check(&["2.3.4"], node, &["handlers runc"]);
}

#[test]
fn a_missing_file_ends_the_daemon_and_not_always_the_dump() {
    let main = "imports = ['/none.toml']\nversion = 2\n";
    check(&SECOND, main, &["exit 1", "containerd: open /none.toml: no such file or directory"]);
    let files = FileTree::new();
    for version in ALL {
        let version = Version::named(version).unwrap();
        assert!(start(&Request::new(version, &files, DEFAULT_MAIN)).booted());
        assert_eq!(start(&Request::new(version, &files, "/etc/other.toml")).exit, Some(1));
    }
}

/// The answer to a request for the handler `h`, without what stands before the shim's own words.
#[track_caller]
fn check_sandbox(versions: &[&str], handler: &str, wanted: &str) {
    for version in versions {
        let node = format!(
            "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes]\n\
             runc.runtime_type = 'io.containerd.runc.v2'\nh = {{ {handler} }}\n"
        );
        let answer = match run(version, &node).sandbox(Some("h")) {
            SandboxAnswer::Created { handler } => format!("created {handler}"),
            SandboxAnswer::Refused(why) | SandboxAnswer::NotSimulated(why) => why,
        };
        assert!(answer.contains(wanted), "{version}: {answer}");
    }
}

#[test]
fn a_sandbox_needs_its_shim_and_its_program() {
    // sandbox_run.go and the shim manager of each version
    let runc = "runtime_type = 'io.containerd.runc.v2', options =";
    check_sandbox(&ALL, &format!("{runc} {{}}"), "created h");
    check_sandbox(
        &ALL,
        &format!("{runc} {{ BinaryName = '/x/crun' }}"),
        "fork/exec /x/crun: no such file or directory",
    );
    check_sandbox(
        &ALL,
        &format!("{runc} {{ BinaryName = 'crun' }}"),
        "exec: \"crun\": executable file not found in $PATH",
    );
    check_sandbox(
        &FIRST,
        &format!("{runc} {{ SystemdCgroup = 'on' }}"),
        "(0, 0): Can't convert on(string) to bool",
    );
    check_sandbox(
        &SECOND,
        &format!("{runc} {{ SystemdCgroup = 'on' }}"),
        "toml: cannot decode TOML string into struct field options.Options.SystemdCgroup of type bool",
    );
    check_sandbox(
        &ALL,
        "runtime_type = 'x'",
        "failed to resolve runtime path: invalid runtime name x, correct",
    );
    check_sandbox(&ALL, "runtime_type = ''", "container.Runtime.Name must be set: invalid argument");
    let own = "runtime_type = 'io.containerd.runc.v2', snapshotter =";
    check_sandbox(&ALL, &format!("{own} 'native'"), "created h");
    check_sandbox(
        &["1.7.27", "2.0.5", "2.1.4"],
        &format!("{own} 'x'"),
        "snapshotter x was not found: not found",
    );
    check_sandbox(&["2.2.5", "2.3.4"], &format!("{own} 'x'"), "could not find snapshotter x plugin");
    let kata = "runtime \"io.containerd.kata.v2\" binary not installed \"containerd-shim-kata-v2\": file does not exist";
    check_sandbox(&ALL, "runtime_type = 'io.containerd.kata.v2'", kata);
    check_sandbox(
        &SECOND,
        "runtime_type = 'io.containerd.runc.v2', sandboxer = 'none'",
        "failed to create sandbox \"<id>\": failed to get sandbox controller by none",
    );
}

#[test]
fn an_image_is_looked_for_before_or_after_the_handler() {
    let node = "version = 2\n[plugins.'io.containerd.grpc.v1.cri']\nsandbox_image = 'r.example/pause:1'\n";
    for (version, handler, known) in
        [("1.7.27", "none", false), ("2.2.5", "none", true), ("2.2.5", "runc", false)]
    {
        let answer = run(version, node).sandbox(Some(handler));
        assert_eq!(matches!(answer, SandboxAnswer::Refused(_)), known, "{version} {handler}: {answer:?}");
    }
}
