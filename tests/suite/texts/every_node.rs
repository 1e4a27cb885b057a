//! What the tools print of every recorded daemon, beside what `live.toml` says of it.

use super::{FIRST_ID, Node, TOOK, body, differs, files_of};
use fourgaps_config::daemon::DEFAULT_MAIN;
use fourgaps_config::{Request, Version};
use fourgaps_tests::house;
use fourgaps_view::{Printed, containerd, crictl, ctr};
use std::fs;
use toml::{Table, Value};

/// What was found to differ, and how much was looked at.
#[derive(Default)]
struct Tally {
    differs: String,
    answers: usize,
    refusals: usize,
    ended: usize,
}

impl Tally {
    fn compare(&mut self, what: &str, ours: &impl std::fmt::Debug, real: &impl std::fmt::Debug) {
        let (ours, real) = (format!("{ours:?}"), format!("{real:?}"));
        self.answers += 1;
        if ours != real {
            self.differs.push_str(&format!("{what}: {ours}, real {real}\n"));
        }
    }
}

#[test]
fn every_recorded_daemon_is_told_as_it_was() {
    let Some(oracle) = house::shared("oracle") else { return };
    let mut tally = Tally::default();
    for version in Version::all() {
        for entry in fs::read_dir(oracle.join("results").join(version.name())).unwrap() {
            let folder = entry.unwrap().path();
            let Ok(live) = fs::read_to_string(folder.join("live.toml")) else { continue };
            let case = folder.file_name().unwrap().to_string_lossy().into_owned();
            let files = files_of(&oracle, &case);
            let node = Node::started(version, &files);
            let name = format!("{} {case}", version.name());
            let live: Table = live.parse().unwrap();
            info(&name, &node, &live, &mut tally);
            plugins(&name, &node, &live, &mut tally);
            sandboxes(&name, &node, &live, &mut tally);
            log(&name, &node, &live, &mut tally);
        }
    }
    assert!(tally.differs.is_empty(), "\n{}", tally.differs);
    assert!(tally.answers > 5000 && tally.refusals > 500 && tally.ended > 50);
}

/// `crictl info`, read back.
fn info(name: &str, node: &Node<'_>, live: &Table, tally: &mut Tally) {
    if live["booted"] == false.into() {
        return;
    }
    let printed = crictl::info(&node.asked());
    let mut ours = Table::new();
    if printed.exit == 0 {
        let all: serde_json::Value = serde_json::from_str(&printed.stdout).unwrap();
        let containerd = &all["config"]["containerd"];
        let names: Vec<String> = containerd["runtimes"].as_object().unwrap().keys().cloned().collect();
        ours.insert("handlers".into(), names.into());
        ours.insert("default_runtime_name".into(), containerd["defaultRuntimeName"].as_str().unwrap().into());
        if let Some(image) = all["config"]["sandboxImage"].as_str() {
            ours.insert("sandbox_image".into(), image.into());
        }
        let row = |row: &serde_json::Value| {
            (row["type"].as_str().unwrap().to_string(), row["status"].to_string().into())
        };
        let rows = all["status"]["conditions"].as_array().unwrap().iter().map(row);
        ours.insert("conditions".into(), Value::Table(rows.collect()));
    } else {
        ours.insert("info_error".into(), fatal(&printed).into());
    }
    for key in ["info_error", "handlers", "default_runtime_name", "sandbox_image", "conditions"] {
        tally.compare(&format!("{name} {key}"), &ours.get(key), &live.get(key));
    }
}

/// The message of the last line of `crictl`.
fn fatal(printed: &Printed) -> String {
    let last = printed.stderr.lines().last().unwrap();
    let (_, why) = last.split_once(" level=fatal msg=").unwrap();
    serde_json::from_str(why).unwrap()
}

/// `ctr plugins ls`, of which the recordings keep the CRI plugins.
fn plugins(name: &str, node: &Node<'_>, live: &Table, tally: &mut Tally) {
    let Some(wanted) = live.get("cri_plugins").and_then(Value::as_table) else { return };
    let printed = ctr::plugins(&node.asked()).unwrap();
    let mut ours = Table::new();
    for line in printed.stdout.lines() {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let plugin = format!("{} {}", cells[0], cells[1]);
        if cells[0] == "io.containerd.cri.v1" || cells[1] == "cri" {
            ours.insert(plugin, cells[3].into());
        }
    }
    tally.compare(&format!("{name} plugins"), &ours, wanted);
}

/// `crictl runp` for every handler that was asked for.
fn sandboxes(name: &str, node: &Node<'_>, live: &Table, tally: &mut Tally) {
    let rows = live.get("sandboxes").and_then(Value::as_table);
    for (handler, wanted) in rows.into_iter().flatten() {
        let wanted = wanted.as_str().unwrap();
        if wanted.starts_with("(not judged") {
            continue;
        }
        let asked_for = (handler != "(none)").then_some(handler.as_str());
        let ours = match crictl::runp(&node.asked(), asked_for, FIRST_ID, true) {
            None => "not simulated".into(),
            Some(Printed { exit: 0, stdout, .. }) => {
                assert_eq!(stdout, format!("{FIRST_ID}\n"));
                "created".into()
            }
            Some(refused) => {
                tally.refusals += 1;
                fatal(&refused).replace(FIRST_ID, "<id>")
            }
        };
        tally.compare(&format!("{name} {handler}"), &ours, &wanted);
    }
}

/// The log: complaints in their order, every plugin once, and whether the process came up.
fn log(name: &str, node: &Node<'_>, live: &Table, tally: &mut Tally) {
    let complaints: Vec<Value> = node.run.complaints.iter().map(|line| line.as_str().into()).collect();
    tally.compare(&format!("{name} complaints"), &Value::Array(complaints), &live["complaints"]);
    let lines: Vec<String> = node.run.log.iter().map(|line| body(line, TOOK)).collect();
    let about = |words: &str, uri: &str| {
        let first = format!(" msg=\"{words} \\\"{uri}\\\"...\"");
        let (second, field) = (format!(" msg=\"{words}\""), format!(" id={uri} "));
        let of = |line: &&String| line.contains(&first) || line.contains(&second) && line.contains(&field);
        lines.iter().filter(of).count()
    };
    for plugin in &node.run.plugins {
        let uri = format!("{}.{}", plugin.plugin_type, plugin.id);
        // A node may say that nothing as light is to be told.
        let told = usize::from(lines.iter().any(|line| line.starts_with("level=info")));
        tally.compare(&format!("{name} {uri} is loaded"), &about("loading plugin", &uri), &told);
        let skips = about("skip loading plugin", &uri);
        tally.compare(&format!("{name} {uri} skips"), &skips, &(told * usize::from(plugin.skipped)));
    }
    let has = |words: &str| lines.iter().any(|line| line.contains(words));
    let (up, serves) = (has("containerd successfully booted in 0.051200s"), has("Start streaming server"));
    if live["booted"] == false.into() {
        tally.ended += 1;
        let last = lines.last().map_or("", String::as_str);
        let words = !up && (last.starts_with("containerd: ") || last.starts_with("panic: "));
        tally.compare(&format!("{name} last words"), &words, &true);
    } else {
        let light = has("level=info");
        tally.compare(&format!("{name} comes up"), &up, &light);
        tally.compare(&format!("{name} serves"), &serves, &(light && live.contains_key("handlers")));
    }
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
            let printed = containerd::config_migrate(&request, &super::STAMP, TOOK);
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
