//! What the tools print, beside what the real ones printed: every text of the recordings, byte for byte.

use fourgaps_base::FileTree;
use fourgaps_config::daemon::{DEFAULT_MAIN, DaemonRun, Machine, start};
use fourgaps_config::tools::Tools;
use fourgaps_config::{Request, Version};
use fourgaps_tests::house;
use fourgaps_view::containerd::{Took, body};
use fourgaps_view::crictl::{ImageRow, Inspected, PodRow};
use fourgaps_view::{Asked, Printed, Stamp, containerd, crictl, ctr};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

mod every_node;

/// The node whose tools were recorded.
const CASE: &str = "gap1-registry-merged-into-nvidia";
const FIRST_ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
const SECOND_ID: &str = "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210";
const STAMP: Stamp = Stamp { unix_ms: 1_786_529_472_000, pid: 4321 };
const TOOK: Took = Took { migration_ns: 8763, boot_us: 51_200 };

/// The files of a recorded node.
fn files_of(oracle: &Path, case: &str) -> FileTree {
    let root = oracle.join("cases").join(case).join("rootfs");
    let mut files = FileTree::new();
    add(&root, "", &mut files);
    files
}

fn add(folder: &Path, path: &str, files: &mut FileTree) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let below = format!("{path}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            add(&entry.path(), &below, files);
        } else {
            files.write(&below, fs::read(entry.path()).unwrap());
        }
    }
}

/// Takes out what the recordings take out: ids, times, processes.
fn normal(text: &str) -> String {
    let mut out = text.to_string();
    for id in [FIRST_ID, SECOND_ID] {
        out = out.replace(id, "<id>");
        // A cut id keeps the width of its column.
        out = out.replace(&id[..13], "<id13>       ");
    }
    let lines = out.split('\n').map(|line| {
        let line = between(line, "time=\"", "\"", "<time>");
        let line = between(&line, "\"createdAt\": \"", "\"", "<time>");
        let line = between(&line, "successfully booted in ", "s\"", "<seconds>");
        let line = between(&line, " t=\"", "\"", "<took>");
        match line.strip_prefix('E').and_then(|rest| rest.split_once(" log.go:32]")) {
            Some((_, rest)) => format!("E<time> <pid> log.go:32]{rest}"),
            None => line,
        }
    });
    let out = lines.collect::<Vec<_>>().join("\n");
    out.replace("\"pid\": 4242", "\"pid\": \"<pid>\"")
}

/// Replaces what stands between two marks.
fn between(line: &str, before: &str, after: &str, by: &str) -> String {
    let found = line.split_once(before).and_then(|(head, rest)| Some((head, rest.split_once(after)?.1)));
    found.map_or_else(|| line.into(), |(head, tail)| format!("{head}{before}{by}{after}{tail}"))
}

/// A text as the recordings write it, after its command.
fn recorded_form(printed: &Printed) -> String {
    let stderr = if printed.stderr.is_empty() { "" } else { "# stderr\n" };
    format!("{}{stderr}{}# exit {}\n", printed.stdout, printed.stderr, printed.exit)
}

/// A started node of one version, and what is asked of it.
struct Node<'a> {
    version: &'static Version,
    tools: &'static Tools,
    files: &'a FileTree,
    run: DaemonRun,
}

impl<'a> Node<'a> {
    fn started(version: &'static Version, files: &'a FileTree) -> Self {
        let run = start(&Request::new(version, files, DEFAULT_MAIN));
        Self { version, tools: Tools::of(version.name()).unwrap(), files, run }
    }

    fn asked(&self) -> Asked<'_> {
        Asked {
            version: self.version,
            tools: self.tools,
            daemon: Some(&self.run),
            dial: Asked::NO_SOCKET,
            stamp: STAMP,
        }
    }

    fn stopped(&self) -> Asked<'_> {
        Asked { daemon: None, ..self.asked() }
    }

    /// Every recorded text, as our tools print it.
    fn texts(&self) -> BTreeMap<&'static str, String> {
        let asked = self.asked();
        let pods = [
            pod(FIRST_ID, 900, "gputest", "gpu-operator", Some("nvidia")),
            pod(SECOND_ID, 300, "web", "default", None),
        ];
        let uuid = recorded_uuid(self.version.name());
        let request = Request::new(self.version, self.files, DEFAULT_MAIN);
        let printed = [
            ("containerd-version.txt", containerd::version(self.version, self.tools)),
            ("config-migrate.txt", containerd::config_migrate(&request, &STAMP, TOOK)),
            ("ctr-version.txt", ctr::version(&asked, &uuid).unwrap()),
            ("ctr-plugins.txt", ctr::plugins(&asked).unwrap()),
            ("ctr-plugins-stopped.txt", ctr::plugins(&self.stopped()).unwrap()),
            ("crictl-version.txt", crictl::version(&asked)),
            ("crictl-info.txt", crictl::info(&asked)),
            ("crictl-info-stopped.txt", crictl::info(&self.stopped())),
            ("crictl-pods-none.txt", crictl::pods(&asked, &[], false)),
            ("crictl-pods.txt", crictl::pods(&asked, &pods, false)),
            ("crictl-pods-stopped.txt", crictl::pods(&self.stopped(), &pods, false)),
            ("crictl-ps-none.txt", crictl::ps(&asked, &[])),
            ("crictl-images.txt", crictl::images(&asked, &recorded_images())),
            ("crictl-runp-default.txt", crictl::runp(&asked, None, FIRST_ID, false).unwrap()),
            ("crictl-runp-nvidia.txt", crictl::runp(&asked, Some("nvidia"), FIRST_ID, false).unwrap()),
            ("crictl-runp-unknown.txt", crictl::runp(&asked, Some("kata"), FIRST_ID, false).unwrap()),
            ("crictl-inspectp.txt", crictl::inspectp(&asked, &self.inspected()).unwrap()),
            ("crictl-statsp.txt", crictl::statsp(&asked, &[FIRST_ID, SECOND_ID]).unwrap()),
            ("crictl-stopp.txt", crictl::stopp(&asked, FIRST_ID)),
            ("crictl-rmp.txt", crictl::rmp(&asked, FIRST_ID)),
            ("crictl-rmp-unknown.txt", crictl::rmp_unknown(&asked, "nosuch")),
        ];
        let mut texts: BTreeMap<_, _> =
            printed.iter().map(|(name, printed)| (*name, recorded_form(printed))).collect();
        texts.insert("config-default.toml", containerd::config_default(self.version).stdout);
        let log = |lines: &[_]| lines.iter().map(|line| body(line, TOOK) + "\n").collect::<String>();
        texts.insert("boot-log.txt", log(&self.run.log));
        let end = [containerd::removed_log(self.tools, FIRST_ID), containerd::stop_log(self.tools)];
        texts.insert("stop-log.txt", log(&end.concat()));
        texts
    }

    fn inspected(&self) -> Inspected<'_> {
        let section = self.run.cri_section.as_ref().unwrap();
        let handler = self.version.handler_sections(section).and_then(|table| table.get("nvidia"));
        // The six images are one, and which of its names is told first is the machine's affair.
        let image_name =
            if self.version.name() == "2.3.4" { &self.run.image } else { "registry.k8s.io/pause:3.10" };
        Inspected {
            id: FIRST_ID,
            name: "gputest",
            namespace: "gpu-operator",
            uid: "gputest",
            attempt: 1,
            created_unix_ms: STAMP.unix_ms,
            pid: Some(4242),
            handler: "nvidia",
            handler_section: handler,
            image: &self.run.image,
            image_name,
            snapshotter: &self.run.snapshotter,
            log_directory: "/run",
            root: &self.run.root,
            state: &self.run.state,
        }
    }
}

fn pod(id: &str, created_ms_ago: u64, name: &str, namespace: &str, handler: Option<&str>) -> PodRow {
    PodRow {
        id: id.into(),
        created_ms_ago,
        ready: true,
        name: name.into(),
        namespace: namespace.into(),
        attempt: 1,
        handler: handler.map(String::from),
    }
}

fn recorded_images() -> Vec<ImageRow> {
    let row = |image: &String| {
        let (name, tag) = image.rsplit_once(':').unwrap();
        ImageRow { name: name.into(), tag: tag.into(), id: FIRST_ID.into(), bytes: 328_864 }
    };
    Machine::recorded().images.iter().map(row).collect()
}

/// The UUID of the recording machine's root folder, which only its recording knows.
fn recorded_uuid(version: &str) -> String {
    let text =
        fs::read_to_string(house::shared("oracle/texts").unwrap().join(version).join("ctr-version.txt"));
    let text = text.unwrap();
    text.lines().find_map(|line| line.trim().strip_prefix("UUID: ")).unwrap().to_string()
}

/// The first line in which two texts differ.
fn differs(ours: &str, real: &str) -> Option<String> {
    let (mut ours, mut real) = (ours.split('\n'), real.split('\n'));
    (1..).find_map(|number| match (ours.next(), real.next()) {
        (None, None) => Some(None),
        (a, b) if a == b => None,
        (a, b) => Some(Some(format!("line {number}:\n  ours {a:?}\n  real {b:?}"))),
    })?
}

/// 2.0 tells its handlers in the random order of a Go map.
fn handlers_sorted(version: &str, name: &str, text: &str) -> String {
    if version != "2.0.5" || name != "crictl-info.txt" {
        return text.into();
    }
    let (head, rest) = text.split_once("  \"runtimeHandlers\": [\n").unwrap();
    let (rows, tail) = rest.split_once("\n  ],").unwrap();
    let mut rows: Vec<&str> = rows.split("\n    },\n").map(|row| row.trim_end_matches("\n    }")).collect();
    rows.sort_unstable();
    format!("{head}{}{tail}", rows.join("\n"))
}

#[test]
fn every_recorded_text_is_printed_byte_for_byte() {
    let Some(oracle) = house::shared("oracle") else { return };
    let files = files_of(&oracle, CASE);
    let (mut told, mut total) = (String::new(), 0);
    for version in Version::all() {
        let texts = Node::started(version, &files).texts();
        for entry in fs::read_dir(oracle.join("texts").join(version.name())).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let real = fs::read_to_string(&path).unwrap();
            // The command that was typed is not part of its answer.
            let real = real.strip_prefix("$ ").map_or(real.as_str(), |rest| rest.split_once('\n').unwrap().1);
            let Some(ours) = texts.get(name.as_str()) else {
                told.push_str(&format!("{} {name}: nothing prints it\n", version.name()));
                continue;
            };
            total += 1;
            let fix = |text: &str| handlers_sorted(version.name(), &name, &normal(text));
            if let Some(found) = differs(&fix(ours), &fix(real)) {
                told.push_str(&format!("{} {name}: {found}\n", version.name()));
            }
        }
    }
    assert!(told.is_empty(), "\n{told}");
    assert!(total >= 6 * 24, "{total} texts");
}

/// What changes in the files changes in the same place of the recorded answer, and nowhere else.
#[test]
fn info_follows_the_loaded_configuration() {
    let Some(oracle) = house::shared("oracle") else { return };
    let drop_in = "/etc/containerd/conf.d/99-nvidia.toml";
    let program = "/usr/local/nvidia/toolkit/nvidia-container-runtime.cdi";
    let on_disk = oracle.join("cases").join(CASE).join("rootfs").join(&drop_in[1..]);
    let written = fs::read_to_string(on_disk).unwrap();
    let runc = "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n";
    let plugin = |more: &str| format!("[plugins.\"io.containerd.grpc.v1.cri\"]\n{more}\n{runc}");
    for version in Version::all() {
        let name = version.name();
        let real = fs::read_to_string(oracle.join("texts").join(name).join("crictl-info.txt")).unwrap();
        let real = real.split_once('\n').unwrap().1;
        let check = |old: &str, new: &str, old_told: &str, new_told: &str| {
            let mut files = files_of(&oracle, CASE);
            assert!(written.contains(old), "{old}");
            files.write(drop_in, written.replacen(old, new, 1));
            files.write("/opt/x", "");
            let ours = recorded_form(&crictl::info(&Node::started(version, &files).asked()));
            assert!(real.contains(old_told), "{name} tells {old_told}");
            let fix = |text: &str| handlers_sorted(name, "crictl-info.txt", &normal(text));
            let wanted = fix(&real.replacen(old_told, new_told, 1));
            assert_eq!(differs(&fix(&ours), &wanted), None, "{name}: {new}");
        };
        check(program, "/opt/x", program, "/opt/x");
        let option = |key: &str| format!("BinaryName{key}\"{program}\"");
        let told = format!("\"BinaryName\": \"{program}\"");
        let more = format!("{told},\n            \"SystemdCgroup\": true");
        check(&option(" = "), &(option(" = ") + "\nSystemdCgroup = true"), &told, &more);
        let (off, on) = ("\"enableSelinux\": false", "\"enableSelinux\": true");
        check(runc, &plugin("enable_selinux = true"), off, on);
        let nobody = "\"ignoreDeprecationWarnings\": null";
        check(runc, &plugin("ignore_deprecation_warnings = []"), nobody, &nobody.replace("null", "[]"));
        let nobody =
            "\"runc\": {\n          \"ContainerAnnotations\": null,\n          \"PodAnnotations\": null,";
        let list = "\"PodAnnotations\": [\n            \"a\",\n            \"b\\u003cc\"\n          ],";
        let told = nobody.replace("\"PodAnnotations\": null,", list);
        check(runc, &format!("{runc}  pod_annotations = [\"a\", \"b<c\"]\n"), nobody, &told);
        if let Some((_, rest)) = real.split_once("\"sandboxImage\": \"") {
            let image = rest.split('"').next().unwrap();
            check(runc, &plugin("sandbox_image = \"r.example/p:1\""), image, "r.example/p:1");
        }
    }
}

/// 2.x asks the program of a handler what it can do; one that is not there tells nothing.
#[test]
fn a_program_that_is_not_there_tells_no_features() {
    let node = "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes]\n\
                runc = { runtime_type = 'io.containerd.runc.v2' }\n\
                x = { runtime_type = 'io.containerd.runc.v2', options = { BinaryName = '/none' } }\n\
                y = { runtime_type = 'io.containerd.kata.v2' }\n";
    let mut files = FileTree::new();
    files.write(DEFAULT_MAIN, node);
    for version in ["2.0.5", "2.1.4", "2.2.5", "2.3.4"] {
        let node = Node::started(Version::named(version).unwrap(), &files);
        let all: serde_json::Value = serde_json::from_str(&crictl::info(&node.asked()).stdout).unwrap();
        let rows = all["runtimeHandlers"].as_array().unwrap().iter();
        let able = rows.map(|row| (row["name"].as_str(), row.get("features").is_some())).collect::<Vec<_>>();
        let wanted = [(None, true), (Some("runc"), true), (Some("x"), false), (Some("y"), false)];
        assert_eq!(able, wanted, "{version}");
    }
}

#[test]
fn a_number_that_json_cannot_tell_is_an_error() {
    // status.go of each version: the configuration is told as JSON
    let node = "version = 2\n[plugins.'io.containerd.grpc.v1.cri'.containerd.runtimes.runc]\n\
                runtime_type = 'io.containerd.runc.v2'\noptions.x = -inf\n";
    let mut files = FileTree::new();
    files.write(DEFAULT_MAIN, node);
    for version in Version::all() {
        let printed = crictl::info(&Node::started(version, &files).asked());
        assert_eq!((printed.stdout.as_str(), printed.exit), ("", 1), "{}", version.name());
        let words = "desc = json: unsupported value: -Inf\"\n";
        assert!(printed.stderr.ends_with(words), "{}: {}", version.name(), printed.stderr);
    }
}

#[test]
fn what_nobody_wrote_is_nil() {
    let head = "[plugins.'io.containerd.grpc.v1.cri'.registry";
    let node = format!(
        "version = 2\n{head}.configs.a]\ntls.ca_file = '/c'\n{head}.mirrors.b]\nendpoint = []\n\
         [plugins.'io.containerd.grpc.v1.cri'.cni]\nconf_dir = '/n'\n"
    );
    let mut files = FileTree::new();
    files.write(DEFAULT_MAIN, node);
    for version in ["1.6.36", "1.7.27"] {
        let node = Node::started(Version::named(version).unwrap(), &files);
        let all: serde_json::Value = serde_json::from_str(&crictl::info(&node.asked()).stdout).unwrap();
        let tls = serde_json::json!({
            "caFile": "/c", "certFile": "", "insecure_skip_verify": false, "keyFile": ""
        });
        let wanted = serde_json::json!({
            "auths": null, "configPath": "", "configs": { "a": { "auth": null, "tls": tls } },
            "headers": null, "mirrors": { "b": { "endpoint": [] } }
        });
        assert_eq!(all["config"]["registry"], wanted, "{version}");
        let condition = &all["status"]["conditions"][2];
        assert_eq!(condition["reason"], "ContainerdHasDeprecationWarnings", "{version}");
        let told: serde_json::Value = serde_json::from_str(condition["message"].as_str().unwrap()).unwrap();
        let names: Vec<&String> = told.as_object().unwrap().keys().collect();
        let wanted = [
            "io.containerd.deprecation/cri-registry-configs",
            "io.containerd.deprecation/cri-registry-mirrors",
        ];
        assert_eq!(names, wanted, "{version}");
        assert!(all["lastCNILoadStatus.default"].as_str().unwrap().contains(" found in /n: "), "{version}");
        let warned = ctr::version(&node.asked(), "u").unwrap().stderr;
        assert_eq!(warned.matches("msg=\"DEPRECATION: The `").count(), 2, "{version}: {warned}");
    }
}
