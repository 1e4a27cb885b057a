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
        Asked { version: self.version, tools: self.tools, daemon: Some(&self.run), stamp: STAMP }
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
            ("crictl-pods-none.txt", crictl::pods(&asked, &[])),
            ("crictl-pods.txt", crictl::pods(&asked, &pods)),
            ("crictl-pods-stopped.txt", crictl::pods(&self.stopped(), &pods)),
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
        let handler = ["containerd", "runtimes", "nvidia"];
        let handler = handler.iter().try_fold(section, |node, key| node.table()?.get(key));
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
            snapshotter: "overlayfs",
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

/// Every recorded daemon with the node that we start on its files.
fn each_started(oracle: &Path, mut look: impl FnMut(&str, &Node<'_>, &toml::Table)) -> usize {
    let mut total = 0;
    for version in Version::all() {
        for entry in fs::read_dir(oracle.join("results").join(version.name())).unwrap() {
            let folder = entry.unwrap().path();
            let Ok(live) = fs::read_to_string(folder.join("live.toml")) else { continue };
            let case = folder.file_name().unwrap().to_string_lossy().into_owned();
            let files = files_of(oracle, &case);
            let node = Node::started(version, &files);
            look(&format!("{} {case}", version.name()), &node, &live.parse().unwrap());
            total += 1;
        }
    }
    total
}

/// What `live.toml` says of the daemon's answer to `crictl info`, read off our own answer.
fn told_by_info(printed: &Printed, wanted: &toml::Table) -> toml::Table {
    let mut told = toml::Table::new();
    if printed.exit != 0 {
        let line = printed.stderr.trim_end();
        let why = line.split_once(" level=fatal msg=").unwrap().1;
        told.insert("info_error".into(), serde_json::from_str::<String>(why).unwrap().into());
        return told;
    }
    let all: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
    let containerd = &all["config"]["containerd"];
    let names: Vec<String> = containerd["runtimes"].as_object().unwrap().keys().cloned().collect();
    told.insert("handlers".into(), names.into());
    told.insert("default_runtime_name".into(), containerd["defaultRuntimeName"].as_str().unwrap().into());
    if let Some(image) = all["config"]["sandboxImage"].as_str() {
        told.insert("sandbox_image".into(), image.into());
    }
    let rows = all["status"]["conditions"].as_array().unwrap().iter();
    let row = |row: &serde_json::Value| {
        (row["type"].as_str().unwrap().to_string(), row["status"].as_bool().unwrap().to_string().into())
    };
    told.insert("conditions".into(), toml::Value::Table(rows.map(row).collect()));
    // What runtimes can do is told of the same handlers, and of the default one.
    if let Some(rows) = all["runtimeHandlers"].as_array() {
        let named: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        let handlers = wanted["handlers"].as_array().unwrap().iter().filter_map(toml::Value::as_str);
        assert_eq!(named, handlers.collect::<Vec<_>>());
        assert_eq!(rows.len(), named.len() + 1);
    }
    told
}

#[test]
fn info_tells_what_every_recorded_daemon_told() {
    let Some(oracle) = house::shared("oracle") else { return };
    let mut told = String::new();
    let total = each_started(&oracle, |name, node, live| {
        if live.get("booted") != Some(&true.into()) {
            return;
        }
        let ours = told_by_info(&crictl::info(&node.asked()), live);
        for key in ["info_error", "handlers", "default_runtime_name", "sandbox_image", "conditions"] {
            if ours.get(key) != live.get(key) {
                told.push_str(&format!("{name} {key}: {:?}, real {:?}\n", ours.get(key), live.get(key)));
            }
        }
    });
    assert!(told.is_empty(), "\n{told}");
    assert!(total > 500, "{total}");
}

#[test]
fn plugins_fare_as_in_every_recording() {
    let Some(oracle) = house::shared("oracle") else { return };
    let mut told = String::new();
    each_started(&oracle, |name, node, live| {
        let Some(wanted) = live.get("cri_plugins").and_then(toml::Value::as_table) else { return };
        let printed = ctr::plugins(&node.asked()).unwrap();
        let cells = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        let rows: Vec<Vec<String>> = printed.stdout.lines().map(cells).collect();
        let ours: toml::Table = rows
            .iter()
            .filter(|row| wanted.contains_key(&format!("{} {}", row[0], row[1])) || row[0].contains(".cri."))
            .map(|row| (format!("{} {}", row[0], row[1]), row[3].clone().into()))
            .collect();
        if ours != *wanted {
            told.push_str(&format!("{name}: {ours:?}, real {wanted:?}\n"));
        }
    });
    assert!(told.is_empty(), "\n{told}");
}

#[test]
fn sandbox_requests_are_answered_as_in_every_recording() {
    let Some(oracle) = house::shared("oracle") else { return };
    let (mut told, mut refused) = (String::new(), 0);
    each_started(&oracle, |name, node, live| {
        let Some(wanted) = live.get("sandboxes").and_then(toml::Value::as_table) else { return };
        for (handler, wanted) in wanted {
            let wanted = wanted.as_str().unwrap();
            if wanted.starts_with("(not judged") {
                continue;
            }
            let asked_for = (handler != "(none)").then_some(handler.as_str());
            let printed = crictl::runp(&node.asked(), asked_for, FIRST_ID, true);
            let ours = match printed {
                None => "not simulated".into(),
                Some(Printed { exit: 0, stdout, .. }) => {
                    assert_eq!(stdout, format!("{FIRST_ID}\n"));
                    "created".into()
                }
                Some(Printed { stderr, .. }) => {
                    refused += 1;
                    let last = stderr.lines().last().unwrap();
                    let why = last.split_once(" level=fatal msg=").unwrap().1;
                    serde_json::from_str::<String>(why).unwrap().replace(FIRST_ID, "<id>")
                }
            };
            if ours != wanted {
                told.push_str(&format!("{name} {handler}: {ours}, real {wanted}\n"));
            }
        }
    });
    assert!(told.is_empty(), "\n{told}");
    assert!(refused > 500, "{refused}");
}

/// The log of a process says of every plugin that it is loaded, and how it fared; and nothing of one that is disabled.
#[test]
fn a_log_tells_of_every_plugin_once() {
    let Some(oracle) = house::shared("oracle") else { return };
    let mut ended = 0;
    each_started(&oracle, |name, node, live| {
        let lines: Vec<String> = node.run.log.iter().map(|line| body(line, TOOK)).collect();
        let about = |words: &str, uri: &str| {
            let first = format!(" msg=\"{words} \\\"{uri}\\\"...\"");
            let (second, field) = (format!(" msg=\"{words}\""), format!(" id={uri} "));
            let of =
                |line: &&String| line.contains(&first) || line.contains(&second) && line.contains(&field);
            lines.iter().filter(of).count()
        };
        for plugin in &node.run.plugins {
            let uri = format!("{}.{}", plugin.plugin_type, plugin.id);
            assert_eq!(about("loading plugin", &uri), 1, "{name}: {uri} is loaded");
            assert_eq!(
                about("skip loading plugin", &uri),
                usize::from(plugin.skipped),
                "{name}: {uri} skips"
            );
        }
        let loaded = lines.iter().filter(|l| l.contains("msg=\"loading plugin")).count();
        if !node.run.plugins.is_empty() {
            assert_eq!(loaded, node.run.plugins.len(), "{name}");
        }
        let up = lines.iter().any(|line| line.ends_with("containerd successfully booted in 0.051200s\""));
        let serves = lines.iter().any(|line| line.contains("Start streaming server"));
        if live["booted"] == true.into() {
            // A node may say that nothing as light is to be told.
            let light = lines.iter().any(|line| line.starts_with("level=info"));
            assert_eq!(up, light, "{name} comes up");
            assert_eq!(serves, light && node.run.handlers.is_some(), "{name} serves");
        } else if live["booted"] == false.into() {
            ended += 1;
            assert!(!up, "{name} does not come up");
            let last = lines.last().unwrap();
            assert!(last.starts_with("containerd: ") || last.starts_with("panic: "), "{name}: {last}");
        }
    });
    assert!(ended > 50, "{ended}");
}

/// From 2.1 on `config migrate` is the same code as a dump.
#[test]
fn migrated_configurations_equal_the_recorded_dumps() {
    let Some(oracle) = house::shared("oracle") else { return };
    let (mut told, mut total) = (String::new(), 0);
    for version in ["2.1.4", "2.2.5", "2.3.4"] {
        for entry in fs::read_dir(oracle.join("results").join(version)).unwrap() {
            let folder = entry.unwrap().path();
            let case = folder.file_name().unwrap().to_string_lossy().into_owned();
            let files = files_of(&oracle, &case);
            let request = Request::new(Version::named(version).unwrap(), &files, DEFAULT_MAIN);
            let printed = containerd::config_migrate(&request, &STAMP, TOOK);
            let real = String::from_utf8_lossy(&fs::read(folder.join("dump.toml")).unwrap()).into_owned();
            if let Some(found) = differs(&printed.stdout, &real) {
                told.push_str(&format!("{version} {case}: {found}\n"));
            }
            total += 1;
        }
    }
    assert!(told.is_empty(), "\n{told}");
    assert!(total > 600, "{total}");
}
