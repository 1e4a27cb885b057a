//! `crictl inspectp`: a sandbox, with the handler that it was created with.
//! Source: the recordings, which show a sandbox on the host's network.

use super::info::is_empty;
use crate::json::{Json, number, object, text, texts};
use crate::{Asked, Printed, moment};
use fourgaps_base::map_of;
use fourgaps_config::toml::{Kind, Node};

/// A sandbox on the host's network, as it was created.
#[derive(Clone, Debug)]
pub struct Inspected<'a> {
    /// Its id.
    pub id: &'a str,
    /// The pod's name.
    pub name: &'a str,
    /// The pod's namespace.
    pub namespace: &'a str,
    /// The pod's uid.
    pub uid: &'a str,
    /// How often it was made anew.
    pub attempt: u32,
    /// When it was created: milliseconds since 1970.
    pub created_unix_ms: u64,
    /// Its process; `None` once it has ended.
    pub pid: Option<u32>,
    /// The handler that was asked for; empty where none was.
    pub handler: &'a str,
    /// The handler's section at that time: its type and options.
    pub handler_section: Option<&'a Node>,
    /// The image that the daemon was told to make sandboxes from.
    pub image: &'a str,
    /// The first name that this image has on the machine.
    pub image_name: &'a str,
    /// The snapshotter.
    pub snapshotter: &'a str,
    /// The folder for the pod's logs.
    pub log_directory: &'a str,
    /// The daemon's folder for data that outlives it.
    pub root: &'a str,
    /// The daemon's folder for transient data.
    pub state: &'a str,
}

/// `crictl inspectp`; nothing for a sandbox that has ended, since no recording shows one.
pub fn inspectp(asked: &Asked<'_>, pod: &Inspected<'_>) -> Option<Printed> {
    if let Err(silent) = asked.cri() {
        return Some(silent);
    }
    let pid = pod.pid?;
    let texts_of = &asked.tools.sandbox;
    let mut info = map_of([
        ("cniResult".to_string(), Json::Null),
        ("config".to_string(), config(pod)),
        ("image".to_string(), text(pod.image_name)),
        ("netNamespaceClosed".to_string(), Json::Bool(false)),
        ("pid".to_string(), Json::Number(pid.to_string())),
        ("processStatus".to_string(), text("running")),
        ("runtimeOptions".to_string(), options(pod)),
        ("runtimeSpec".to_string(), spec(asked, pod)),
        ("runtimeType".to_string(), text(runtime_type(pod))),
        ("snapshotKey".to_string(), text(pod.id)),
        ("snapshotter".to_string(), text(pod.snapshotter)),
    ]);
    if texts_of.handler_told {
        info.insert("runtimeHandler".into(), text(pod.handler));
    }
    if texts_of.metadata_told {
        info.insert("sandboxMetadata".into(), record(pod));
    }
    let all = object([("info", Json::Object(info)), ("status", status(pod))]);
    Some(Printed::ok(all.pretty() + "\n"))
}

fn metadata(pod: &Inspected<'_>) -> Json {
    object([
        ("attempt", number(pod.attempt.into())),
        ("name", text(pod.name)),
        ("namespace", text(pod.namespace)),
        ("uid", text(pod.uid)),
    ])
}

fn config(pod: &Inspected<'_>) -> Json {
    let network = object([("namespace_options", object([("network", number(HOST_NETWORK))]))]);
    object([
        ("linux", object([("security_context", network)])),
        ("log_directory", text(pod.log_directory)),
        ("metadata", metadata(pod)),
    ])
}

/// The host's network, as the interface numbers it.
const HOST_NETWORK: i64 = 2;

fn record(pod: &Inspected<'_>) -> Json {
    let name = format!("{}_{}_{}_{}", pod.name, pod.namespace, pod.uid, pod.attempt);
    let metadata = object([
        ("AdditionalIPs", Json::Null),
        ("CNIResult", Json::Null),
        ("Config", config(pod)),
        ("ID", text(pod.id)),
        ("IP", text("")),
        ("Name", text(name)),
        ("NetNSPath", text("")),
        ("ProcessLabel", text("")),
        ("RuntimeHandler", text(pod.handler)),
    ]);
    object([("Metadata", metadata), ("Version", text("v1"))])
}

fn status(pod: &Inspected<'_>) -> Json {
    let options = object([
        ("ipc", text("POD")),
        ("network", text("NODE")),
        ("pid", text("POD")),
        ("targetId", text("")),
    ]);
    object([
        ("annotations", object([])),
        ("createdAt", text(moment::short_nanos(pod.created_unix_ms))),
        ("id", text(pod.id)),
        ("labels", object([])),
        ("linux", object([("namespaces", object([("options", options)]))])),
        ("metadata", metadata(pod)),
        ("network", object([("additionalIps", Json::List(Vec::new())), ("ip", text(""))])),
        ("runtimeHandler", text(pod.handler)),
        ("state", text("SANDBOX_READY")),
    ])
}

fn runtime_type<'p>(pod: &Inspected<'p>) -> &'p str {
    match pod.handler_section.and_then(|node| node.table()?.get("runtime_type")).map(|node| &node.kind) {
        Some(Kind::String(ty)) => ty,
        _ => "",
    }
}

/// The options as the shim got them: those that are set, under the names of the interface.
fn options(pod: &Inspected<'_>) -> Json {
    let options = pod.handler_section.and_then(|node| node.table()?.get("options"));
    // Options that nobody wrote are nil.
    let written = options.filter(|node| !node.place.is_default() || !is_empty(node));
    let Some(table) = written.and_then(Node::table) else { return Json::Null };
    let option = |(key, node): (&String, &Node)| {
        let value = match &node.kind {
            Kind::Bool(true) => Json::Bool(true),
            Kind::Int(value) if *value != 0 => number(*value),
            Kind::String(value) if !value.is_empty() => text(value),
            _ => return None,
        };
        Some((snake_case(key), value))
    };
    Json::Object(map_of(table.entries.iter().filter_map(option)))
}

fn snake_case(key: &str) -> String {
    let mut out = String::new();
    for letter in key.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// What the shim was told to run.
fn spec(asked: &Asked<'_>, pod: &Inspected<'_>) -> Json {
    let rules = &asked.tools.sandbox;
    let own = |name: &str| format!("io.kubernetes.cri.{name}");
    let mut annotations = map_of([
        (own("container-type"), text("sandbox")),
        (own("sandbox-id"), text(pod.id)),
        (own("sandbox-log-directory"), text(pod.log_directory)),
        (own("sandbox-name"), text(pod.name)),
        (own("sandbox-namespace"), text(pod.namespace)),
        (own("sandbox-uid"), text(pod.uid)),
    ]);
    if rules.metadata_told {
        annotations.insert(own("podsandbox.image-name"), text(pod.image));
    }
    let device = object([("access", text("rwm")), ("allow", Json::Bool(false))]);
    let resources = object([("cpu", object([("shares", number(2))])), ("devices", Json::List(vec![device]))]);
    let namespace = |name: &&str| object([("type", text(*name))]);
    let linux = object([
        ("cgroupsPath", text(format!("/k8s.io/{}", pod.id))),
        ("maskedPaths", texts(&MASKED)),
        ("namespaces", Json::List(["pid", "ipc", "mount"].iter().map(namespace).collect())),
        ("readonlyPaths", texts(&READ_ONLY)),
        ("resources", resources),
    ]);
    object([
        ("annotations", Json::Object(annotations)),
        ("linux", linux),
        ("mounts", mounts(asked, pod)),
        ("ociVersion", text(&rules.oci)),
        ("process", process()),
        ("root", object([("path", text("rootfs")), ("readonly", Json::Bool(true))])),
    ])
}

const MASKED: [&str; 11] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/proc/sched_debug",
    "/sys/firmware",
    "/sys/devices/virtual/powercap",
    "/proc/scsi",
];
const READ_ONLY: [&str; 5] = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

fn process() -> Json {
    let capabilities = texts(&CAPABILITIES);
    let sets = object([
        ("bounding", capabilities.clone()),
        ("effective", capabilities.clone()),
        ("permitted", capabilities),
    ]);
    let user =
        object([("additionalGids", Json::List(vec![number(0)])), ("gid", number(0)), ("uid", number(0))]);
    object([
        ("args", texts(&["/pause"])),
        ("capabilities", sets),
        ("cwd", text("/")),
        ("noNewPrivileges", Json::Bool(true)),
        ("oomScoreAdj", number(-998)),
        ("user", user),
    ])
}

const CAPABILITIES: [&str; 14] = [
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_FSETID",
    "CAP_FOWNER",
    "CAP_MKNOD",
    "CAP_NET_RAW",
    "CAP_SETGID",
    "CAP_SETUID",
    "CAP_SETFCAP",
    "CAP_SETPCAP",
    "CAP_NET_BIND_SERVICE",
    "CAP_SYS_CHROOT",
    "CAP_KILL",
    "CAP_AUDIT_WRITE",
];

fn mounts(asked: &Asked<'_>, pod: &Inspected<'_>) -> Json {
    let rules = &asked.tools.sandbox;
    let mount = |destination: &str, options: &[&str], source: &str, ty: &str| {
        object([
            ("destination", text(destination)),
            ("options", texts(options)),
            ("source", text(source)),
            ("type", text(ty)),
        ])
    };
    let safe = ["nosuid", "noexec", "nodev"];
    let mut all = vec![
        mount("/proc", &safe, "proc", "proc"),
        mount("/dev", &["nosuid", "strictatime", "mode=755", "size=65536k"], "tmpfs", "tmpfs"),
        mount(
            "/dev/pts",
            &["nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620", "gid=5"],
            "devpts",
            "devpts",
        ),
    ];
    if rules.own_shm {
        let options = ["nosuid", "noexec", "nodev", "mode=1777", "size=65536k"];
        all.push(mount("/dev/shm", &options, "shm", "tmpfs"));
    }
    all.push(mount("/dev/mqueue", &safe, "mqueue", "mqueue"));
    all.push(mount("/sys", &["nosuid", "noexec", "nodev", "ro"], "sysfs", "sysfs"));
    let bound: &[&str] =
        if rules.strict_binds { &["rbind", "ro", "nosuid", "nodev", "noexec"] } else { &["rbind", "ro"] };
    let folder = |of: &str| format!("{of}/{}/sandboxes/{}", asked.tools.info.folder, pod.id);
    all.push(mount("/dev/shm", bound, &format!("{}/shm", folder(pod.state)), "bind"));
    all.push(mount("/etc/resolv.conf", bound, &format!("{}/resolv.conf", folder(pod.root)), "bind"));
    Json::List(all)
}
