//! Written against next start: one row per handler, and the gaps between the two, grouped so that each is one sentence.

use crate::written::WrittenHandlers;
use fourgaps_base::FileTree;
use fourgaps_view::{ExplainView, HandlerRow, NextStartView, Source};
use std::collections::BTreeMap;

/// One row of the strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StripRow {
    /// The handler.
    pub name: String,
    /// Where files write it; the place that counts, or would, first.
    pub written: Vec<Source>,
    /// What happens to the written handler on the way to the next start.
    pub link: Link,
    /// The handler in the next start.
    pub next: Option<HandlerRow>,
}

/// The way from *written* to *next start*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// Written and read.
    Joined,
    /// Nobody wrote it: the version brings it.
    BuiltIn,
    /// Written and not read.
    Broken(Cause),
}

/// Why a written handler is not read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The process refuses to start.
    Refused,
    /// The handler that `default_runtime_name` names is not there: a started daemon has no CRI.
    DefaultMissing,
    /// Another file names the plugin later and owns its section.
    SectionOwned(Source),
    /// No `imports` names the file.
    NotImported,
    /// The file is read, and this version passes the lines over.
    PassedOver,
}

/// A gap in one sentence: a cause, the files whose handlers are lost, their names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Why.
    pub cause: Cause,
    /// A place in each file whose lines are not read; for a refusal the place at fault.
    pub places: Vec<Source>,
    /// The handlers that the next start misses for it.
    pub handlers: Vec<String>,
}

/// The rows of the strip in name order.
pub fn strip_rows(written: &WrittenHandlers, next: &NextStartView, explain: &ExplainView) -> Vec<StripRow> {
    let mut rows: BTreeMap<&str, StripRow> = BTreeMap::new();
    for (name, places) in written {
        rows.insert(name, row(name, places.clone(), next, explain));
    }
    for handler in &next.handlers {
        rows.entry(&handler.name).or_insert_with(|| row(&handler.name, Vec::new(), next, explain));
    }
    rows.into_values().collect()
}

fn row(name: &str, mut written: Vec<Source>, next: &NextStartView, explain: &ExplainView) -> StripRow {
    let found = next.handlers.iter().find(|h| h.name == name).cloned();
    let link = match &found {
        Some(HandlerRow { source: Some(source), .. }) => {
            written.retain(|place| place.file != source.file);
            written.insert(0, source.clone());
            Link::Joined
        }
        _ if written.is_empty() => Link::BuiltIn,
        _ => {
            let (at, cause) = cause(name, &written, next, explain);
            let place = written.remove(at);
            written.insert(0, place);
            Link::Broken(cause)
        }
    };
    StripRow { name: name.into(), written, link, next: found }
}

/// The cause that is nearest to being read: a section lost to another file tells more than a file not imported.
fn cause(name: &str, written: &[Source], next: &NextStartView, explain: &ExplainView) -> (usize, Cause) {
    if next.exit != 0 {
        return (written.len() - 1, Cause::Refused);
    }
    let read = |place: &Source| explain.files.iter().find(|f| f.path == place.file);
    let owner = |place: &Source| {
        let file = read(place)?;
        let lost = file.plugins.iter().find(|p| {
            p.replaced_by.is_some()
                && explain.lost.iter().any(|h| h.source.file == place.file && speaks_of(&h.key, name))
        })?;
        let by = lost.replaced_by.as_ref()?;
        let source =
            explain.files.iter().find(|f| f.path == *by)?.plugins.iter().find(|p| p.plugin == lost.plugin)?;
        Some(source.source.clone())
    };
    let mut best = (written.len() - 1, Cause::NotImported);
    for (at, place) in written.iter().enumerate() {
        if let Some(by) = owner(place) {
            return (at, Cause::SectionOwned(by));
        }
        if read(place).is_some() {
            best = (at, Cause::PassedOver);
        }
    }
    best
}

/// True where a key lies in the table of a handler.
pub fn speaks_of(key: &str, name: &str) -> bool {
    let plain = format!(".runtimes.{name}");
    let quoted = format!(".runtimes.\"{name}\"");
    [plain, quoted].iter().any(|head| {
        key.find(head.as_str())
            .is_some_and(|at| matches!(key.as_bytes().get(at + head.len()), None | Some(b'.')))
    })
}

/// The gaps, the one that stops everything first.
pub fn gaps(rows: &[StripRow], next: &NextStartView, explain: &ExplainView) -> Vec<Gap> {
    if next.exit != 0 {
        let at = next.fault.as_ref().map(|f| Source {
            file: f.file.clone(),
            line: f.line.unwrap_or(0),
            column: f.column.unwrap_or(0),
        });
        let handlers = rows.iter().map(|r| r.name.clone()).collect();
        return vec![Gap { cause: Cause::Refused, places: at.into_iter().collect(), handlers }];
    }
    let mut grouped: BTreeMap<Cause, Gap> = BTreeMap::new();
    for row in rows {
        // A handler that a default stands in for is not missed, and still not read: the row shows it, the sentence need not.
        let (Link::Broken(cause), None, Some(at)) = (&row.link, &row.next, row.written.first()) else {
            continue;
        };
        let gap = grouped.entry(cause.clone()).or_insert_with(|| Gap {
            cause: cause.clone(),
            places: Vec::new(),
            handlers: Vec::new(),
        });
        gap.handlers.push(row.name.clone());
        if !gap.places.iter().any(|place| place.file == at.file) {
            gap.places.push(at.clone());
        }
    }
    let default_missing =
        explain.surprises.iter().filter(|s| s.code == "default-handler-missing").map(|s| Gap {
            cause: Cause::DefaultMissing,
            places: s.source.clone().into_iter().collect(),
            handlers: s.args.get("handler").cloned().into_iter().collect(),
        });
    default_missing.chain(grouped.into_values()).collect()
}

/// The files of a node in the order of the tabs: as the lab lists them, new ones behind.
pub fn tab_order(listed: &[String], files: &FileTree) -> Vec<String> {
    let there: Vec<&str> = files.iter().map(|(path, _)| path).collect();
    let first = listed.iter().filter(|path| there.contains(&path.as_str())).cloned();
    // What a learner tries below /tmp is the terminal's business.
    let rest = there.iter().filter(|path| path.starts_with("/etc/") && !listed.iter().any(|l| l == *path));
    let rest = rest.map(|path| (*path).to_string());
    first.chain(rest).collect()
}

/// The last part of a path.
pub fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::state::Views;
    use fourgaps_config::Version;

    const HANDLERS: &str = r#"version = 2
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.gpu]
  runtime_type = "io.containerd.runc.v2"
"#;
    const REGISTRY: &str = "[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"/certs\"\n";

    /// Rows as `NAME LINK WRITTEN -> NEXT`, then the gaps.
    #[track_caller]
    fn check(files: &[(&str, &str)], wanted: &[&str]) {
        let mut tree = FileTree::new();
        for (path, text) in files {
            tree.write(&format!("/etc/containerd/{path}"), *text);
        }
        let views = Views::of(Version::named("1.7.27").unwrap(), "/etc/containerd/config.toml", &tree);
        let place = |at: &Source| format!("{}:{}", short(&at.file), at.line);
        let mut shown: Vec<String> = (views.rows.iter())
            .map(|row| {
                let link = match &row.link {
                    Link::Joined => "joined".into(),
                    Link::BuiltIn => "built-in".into(),
                    Link::Broken(Cause::SectionOwned(by)) => format!("owned by {}", place(by)),
                    Link::Broken(cause) => format!("{cause:?}"),
                };
                let written: Vec<String> = row.written.iter().map(place).collect();
                format!(
                    "{} {link} [{}] {}",
                    row.name,
                    written.join(" "),
                    if row.next.is_some() { "there" } else { "missing" }
                )
            })
            .collect();
        shown.extend(views.gaps.iter().map(|gap| format!("gap: {}", gap.handlers.join(" "))));
        assert_eq!(shown, wanted);
    }

    const MAIN: (&str, &str) =
        ("config.toml", "version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n");

    #[test]
    fn a_later_file_that_names_the_plugin_takes_the_handlers_away() {
        check(
            &[MAIN, ("conf.d/10.toml", HANDLERS), ("conf.d/20.toml", REGISTRY)],
            &[
                "gpu owned by 20.toml:1 [10.toml:4] missing",
                "runc owned by 20.toml:1 [10.toml:2] there",
                "gap: gpu",
            ],
        );
    }

    #[test]
    fn what_is_read_is_joined_and_what_nobody_writes_is_built_in() {
        check(
            &[MAIN, ("conf.d/10.toml", HANDLERS)],
            &["gpu joined [10.toml:4] there", "runc joined [10.toml:2] there"],
        );
        check(&[MAIN], &["runc built-in [] there"]);
    }

    #[test]
    fn a_file_that_nothing_imports_is_not_read() {
        check(
            &[("config.toml", "version = 2\n"), ("conf.d/10.toml", HANDLERS)],
            &["gpu NotImported [10.toml:4] missing", "runc NotImported [10.toml:2] there", "gap: gpu"],
        );
    }

    #[test]
    fn a_refusal_takes_everything() {
        check(
            &[("config.toml", "version = = 2\n"), ("conf.d/10.toml", HANDLERS)],
            &["gpu Refused [10.toml:4] missing", "runc Refused [10.toml:2] missing", "gap: gpu runc"],
        );
    }

    #[test]
    fn a_table_without_the_default_handler_is_a_gap_of_its_own() {
        let gpu_alone = HANDLERS.replace("runtimes.runc]", "runtimes.kata]");
        check(
            &[MAIN, ("conf.d/10.toml", &gpu_alone)],
            &["gpu joined [10.toml:4] there", "kata joined [10.toml:2] there", "gap: runc"],
        );
    }

    #[test]
    fn a_key_speaks_of_its_own_handler_only() {
        assert!(speaks_of("plugins.\"x\".containerd.runtimes.nvidia", "nvidia"));
        assert!(speaks_of("plugins.\"x\".containerd.runtimes.nvidia.options.BinaryName", "nvidia"));
        assert!(!speaks_of("plugins.\"x\".containerd.runtimes.nvidia-cdi.options", "nvidia"));
        assert!(speaks_of("plugins.\"x\".containerd.runtimes.\"a.b\".options", "a.b"));
    }
}
