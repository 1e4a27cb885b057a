//! What the log of a started daemon tells, rule by rule. The recorded logs are of one node; here stand the rules that
//! another node would show, each named after its public source.

use fourgaps_base::FileTree;
use fourgaps_config::daemon::{DEFAULT_MAIN, DaemonRun, start};
use fourgaps_config::{Request, Version};

fn run(version: &str, main: &str) -> DaemonRun {
    let mut files = FileTree::new();
    files.write(DEFAULT_MAIN, main);
    start(&Request::new(Version::named(version).unwrap(), &files, DEFAULT_MAIN))
}

/// Checks that the log has these parts of lines in this order, and none of those.
#[track_caller]
fn check(versions: &[&str], main: &str, wanted: &[&str], lacks: &[&str]) {
    for version in versions {
        let run = run(version, main);
        let mut lines = run.log.iter().map(|line| line.text.as_str());
        for part in wanted {
            assert!(lines.any(|line| line.contains(part)), "{version}: {part}\n{}", shown(&run));
        }
        for part in lacks {
            assert!(!run.log.iter().any(|line| line.text.contains(part)), "{version}: {part}");
        }
    }
}

fn shown(run: &DaemonRun) -> String {
    run.log.iter().map(|line| line.text.clone() + "\n").collect()
}

const ALL: [&str; 6] = ["1.6.36", "1.7.27", "2.0.5", "2.1.4", "2.2.5", "2.3.4"];
const SECOND: [&str; 4] = ["2.0.5", "2.1.4", "2.2.5", "2.3.4"];

#[test]
fn a_disabled_plugin_is_not_loaded() {
    // services/server/server.go, cmd/containerd/server/server.go
    let node = "version = 2\ndisabled_plugins = ['io.containerd.grpc.v1.cri']\n";
    let lacks = ["io.containerd.grpc.v1.cri", "Start streaming server", "Start cni network conf syncer"];
    check(&ALL, node, &["msg=serving...", "successfully booted"], &lacks);
    let node = "version = 2\ndisabled_plugins = ['io.containerd.nri.v1.nri']\n";
    let words = ["NRI service not found, NRI support disabled", "Start streaming server"];
    check(&ALL[1..], node, &words, &["with NRI", "runtime interface"]);
}

#[test]
fn node_resource_interface_tells_whether_it_runs() {
    // pkg/nri/nri.go, internal/nri/nri.go
    let off = "version = 2\n[plugins.'io.containerd.nri.v1.nri']\ndisable = true\n";
    check(&ALL[1..2], off, &["NRI interface is disabled by configuration."], &["created NRI interface"]);
    check(
        &SECOND[..3],
        "version = 3\n",
        &["created NRI interface", "starting plugins..."],
        &["is disabled by conf"],
    );
    let on = "version = 2\n[plugins.'io.containerd.nri.v1.nri']\ndisable = false\nsocket_path = '/s'\n";
    let words = [
        "runtime interface created",
        "created NRI interface",
        "Registered namespace \\\"k8s.io\\\" with NRI",
    ];
    check(&ALL[1..2], on, &words, &["is disabled by configuration"]);
    let validator = "version = 3\n[plugins.'io.containerd.nri.v1.nri'.default_validator]\nenable = true\n";
    check(&SECOND[2..], validator, &["created NRI interface"], &["default validator is disabled"]);
}

#[test]
fn a_handler_may_have_networks_of_its_own() {
    // pkg/cri/server/service.go, internal/cri/server/service.go
    let node = "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc]\n\
                runtime_type = 'io.containerd.runc.v2'\ncni_conf_dir = '/etc/own'\n";
    let words = [
        "no network config found in /etc/cni/net.d",
        "no network config found in /etc/own",
        "Start cni network conf syncer for default",
        "Start cni network conf syncer for runc",
    ];
    check(&ALL, node, &words, &[]);
    let node = "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.cni]\nconf_dir = '/n'\n";
    check(&ALL, node, &["no network config found in /n: "], &["/etc/cni/net.d"]);
}

#[test]
fn the_image_folder_is_the_snapshotters() {
    // imageFSPath in service.go of 1.7, the images plugin of 2.x
    let node = "version = 2\n[plugins.'io.containerd.snapshotter.v1.overlayfs']\nroot_path = '/fast'\n";
    check(&ALL[1..], node, &["Get image filesystem path \\\"/fast\\\""], &[]);
    // The migration of 2.x moves the snapshotter only beside handlers.
    let node = "version = 2\nroot = '/data'\n[plugins.'io.containerd.grpc.v1.cri'.containerd]\n\
                snapshotter = 'native'\nruntimes.runc.runtime_type = 'io.containerd.runc.v2'\n";
    let path = "Get image filesystem path \\\"/data/io.containerd.snapshotter.v1.native\\\"";
    check(&ALL, node, &[path], &[]);
    check(&SECOND, node, &["for snapshotter \\\"native\\\""], &[]);
}

#[test]
fn every_socket_is_told() {
    // cmd/containerd/command/main.go, and the server plugins of 2.3
    let node = "version = 2\n[debug]\naddress = '/run/d.sock'\n[metrics]\naddress = '127.0.0.1:1338'\n\
                [grpc]\ntcp_address = '127.0.0.1:1339'\n";
    let serves = |address: &str| format!("msg=serving... address={address}");
    let [debug, metrics, tcp] = ["/run/d.sock", "\"127.0.0.1:1338\"", "\"127.0.0.1:1339\""].map(serves);
    let main = serves("/run/containerd/containerd.sock");
    let ttrpc = serves("/run/containerd/containerd.sock.ttrpc");
    check(&ALL[..5], node, &[&debug, &metrics, &ttrpc, &tcp, "serving"], &[]);
    check(&ALL[5..], node, &[&metrics, &ttrpc, "starting GRPC server", &main, &tcp, &debug], &[]);
    let node = "version = 2\n[grpc]\naddress = '/run/a.sock'\nuid = 7\ngid = 8\n";
    check(&ALL, node, &[&serves("/run/a.sock.ttrpc"), &serves("/run/a.sock")], &[]);
    check(&ALL[5..], node, &["starting GRPC server\" address=/run/a.sock gid=8 uid=7"], &[]);
}

#[test]
fn plugins_that_are_other_processes_come_after_the_built_in_ones_of_their_type() {
    // plugin.Graph: a plugin is met once those of the types that it needs were met
    let node = "version = 2\n[proxy_plugins.soci]\ntype = 'snapshot'\naddress = '/s'\n";
    let about = |id: &str| format!("io.containerd.snapshotter.v1.{id}");
    let words = [about("zfs"), about("soci"), "io.containerd.metadata.v1.bolt".into()];
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    check(&ALL, node, &words, &[]);
    for version in ALL {
        let names: Vec<String> = run(version, node).plugins.into_iter().map(|plugin| plugin.id).collect();
        assert_eq!(names.iter().filter(|name| *name == "soci").count(), 1, "{version}");
        let at = |wanted: &str| names.iter().position(|name| name == wanted).unwrap();
        assert!(at("zfs") < at("soci") && at("soci") < at("bolt"), "{version}");
    }
}

#[test]
fn a_folder_for_network_plugins_moves_to_the_list() {
    // internal/cri/config/config.go of 2.1 and later
    let node = "version = 3\n[plugins.'io.containerd.cri.v1.runtime'.cni]\nbin_dir = '/a'\n";
    for version in &SECOND[1..] {
        let run = run(version, node);
        let cni =
            run.cri_section.as_ref().unwrap().table().unwrap().get("cni").unwrap().table().unwrap().clone();
        let shown = |key: &str| cni.get(key).map(fourgaps_config::toml::v1::show::value);
        assert_eq!(shown("bin_dirs").as_deref(), Some("[/a]"), "{version}");
        assert_eq!(shown("bin_dir").as_deref(), Some(""), "{version}");
    }
}

#[test]
fn a_log_level_hides_what_is_less_grave() {
    check(&ALL, "version = 2\n[debug]\nlevel = 'warn'\n", &[], &["level=info"]);
    for version in ALL {
        assert_eq!(run(version, "version = 2\n[debug]\nformat = 'json'\n").exit, None);
    }
}

#[test]
fn a_process_without_its_warning_service_says_so() {
    // recordConfigDeprecations in server.go of each version
    let node = "version = 2\ndisabled_plugins = ['io.containerd.warning.v1.deprecations']\n";
    let first = "level=warning msg=\"failed to load warning service to record deprecations\" \
                 error=\"no plugins registered for io.containerd.warning.v1: not found\"";
    check(&ALL[..2], node, &[first, "msg=serving..."], &[]);
    check(
        &SECOND,
        node,
        &["level=warning msg=\"failed to find warning service to record deprecations\""],
        &[],
    );
}
