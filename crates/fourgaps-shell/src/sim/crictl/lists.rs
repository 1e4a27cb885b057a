//! `crictl pods`, `ps`, `images`.

use super::super::Machines;
use super::super::asking::{asked, stamp};
use super::super::flags::{Flag, Style, Takes, Words};
use super::NAME;
use crate::command::Call;
use fourgaps_node::{Node, Sandbox};
use fourgaps_view::Printed;
use fourgaps_view::crictl::{self, ImageRow, PodRow};
use regex::Regex;

const PODS: [Flag; 9] = [
    Flag(&["--quiet", "-q"], Takes::Nothing),
    Flag(&["--no-trunc"], Takes::Nothing),
    Flag(&["--latest", "-l"], Takes::Nothing),
    Flag(&["--last", "-n"], Takes::Value),
    Flag(&["--name"], Takes::Value),
    Flag(&["--namespace"], Takes::Value),
    Flag(&["--state", "-s"], Takes::Value),
    Flag(&["--id"], Takes::Value),
    Flag(&["--output", "-o"], Takes::Value),
];

/// `crictl pods`
pub(super) fn pods(call: &mut Call<'_, Machines>, rest: &[&str]) -> i32 {
    let stamp = stamp(call.world);
    let words = match Words::read(rest, &PODS, Style::Go) {
        Ok(words) if words.rest.is_empty() => words,
        Ok(words) => return call.not_simulated(NAME, &format!("pods {}", words.rest.join(" "))),
        Err(word) => return call.not_simulated(NAME, &format!("pods {word}")),
    };
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    let asked = asked(node, stamp);
    // Who does not answer tells nothing of any filter.
    if crictl::version(&asked).exit != 0 {
        let printed = crictl::pods(&asked, &[], false);
        return call.print(&printed);
    }
    let kept = match chosen(node, &words) {
        Ok(kept) => kept,
        Err(what) => return call.not_simulated(NAME, &format!("pods {what}")),
    };
    let printed = if words.has("--quiet") {
        Printed::ok(kept.iter().map(|pod| pod.id.clone() + "\n").collect::<String>())
    } else {
        let rows: Vec<PodRow> = kept.iter().map(|pod| row(pod, node.now_ms())).collect();
        crictl::pods(&asked, &rows, words.has("--no-trunc"))
    };
    call.print(&printed)
}

fn row(pod: &Sandbox, now_ms: u64) -> PodRow {
    PodRow {
        id: pod.id.clone(),
        created_ms_ago: now_ms.saturating_sub(pod.created_ms),
        ready: pod.is_ready(),
        name: pod.name.clone(),
        namespace: pod.namespace.clone(),
        attempt: pod.attempt,
        handler: pod.asked.clone(),
    }
}

/// The sandboxes that the flags ask for, the newest first.
///
/// # Errors
/// The flag that is not simulated.
fn chosen<'n>(node: &'n Node, words: &Words<'_>) -> Result<Vec<&'n Sandbox>, String> {
    let pattern = |flag: &str| match words.value(flag).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => Regex::new(text).map(Some).map_err(|_| format!("{flag} {text}")),
    };
    let (name, namespace) = (pattern("--name")?, pattern("--namespace")?);
    let state = match words.value("--state") {
        None => None,
        Some("ready") => Some(true),
        Some("notready") => Some(false),
        Some(other) => return Err(format!("--state {other}")),
    };
    if let Some(form) = words.value("--output").filter(|form| *form != "table") {
        return Err(format!("-o {form}"));
    }
    let last = match words.value("--last") {
        None => 0,
        Some(text) => text.parse::<usize>().map_err(|_| format!("--last {text}"))?,
    };
    let fits =
        |pattern: &Option<Regex>, text: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
    let of_id = words.value("--id").unwrap_or_default();
    let pods = node.sandboxes().iter().rev().filter(|pod| {
        fits(&name, &pod.name)
            && fits(&namespace, &pod.namespace)
            && state.is_none_or(|ready| pod.is_ready() == ready)
            && pod.id.starts_with(of_id)
    });
    let most = match (last, words.has("--latest")) {
        (0, true) => 1,
        (0, false) => usize::MAX,
        (last, _) => last,
    };
    Ok(pods.take(most).collect())
}

/// `crictl ps`: there are sandboxes only, no containers.
pub(super) fn ps(call: &mut Call<'_, Machines>, rest: &[&str]) -> i32 {
    const FLAGS: [Flag; 2] =
        [Flag(&["--quiet", "-q"], Takes::Nothing), Flag(&["--all", "-a"], Takes::Nothing)];
    let stamp = stamp(call.world);
    let quiet = match Words::read(rest, &FLAGS, Style::Go) {
        Ok(words) if words.rest.is_empty() => words.has("--quiet"),
        _ => return call.not_simulated(NAME, &format!("ps {}", rest.join(" "))),
    };
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    let mut printed = crictl::ps(&asked(node, stamp), &[]);
    if quiet {
        printed.stdout.clear();
    }
    call.print(&printed)
}

/// The id of the one image that the machine's pause images are: of no recording, so of our own choice.
const IMAGE_ID: &str = "873ed75102791e5b0b8a7fcd41606c92fcec98d56d05ead4ac5131650004c136";
/// Its size: the recordings tell it in three digits.
const IMAGE_BYTES: u64 = 328_864;

/// `crictl images`
pub(super) fn images(call: &mut Call<'_, Machines>, rest: &[&str]) -> i32 {
    const FLAGS: [Flag; 1] = [Flag(&["--quiet", "-q"], Takes::Nothing)];
    let stamp = stamp(call.world);
    let quiet = match Words::read(rest, &FLAGS, Style::Go) {
        Ok(words) if words.rest.is_empty() => words.has("--quiet"),
        _ => return call.not_simulated(NAME, &format!("images {}", rest.join(" "))),
    };
    let Some(node) = call.node() else { return call.not_installed(NAME) };
    let row = |image: &String| {
        let (name, tag) = image.rsplit_once(':').unwrap_or((image, "<none>"));
        ImageRow { name: name.into(), tag: tag.into(), id: IMAGE_ID.into(), bytes: IMAGE_BYTES }
    };
    let rows: Vec<ImageRow> = node.machine().images.iter().map(row).collect();
    let mut printed = crictl::images(&asked(node, stamp), &rows);
    if quiet && printed.exit == 0 {
        printed.stdout = if rows.is_empty() { String::new() } else { format!("sha256:{IMAGE_ID}\n") };
    }
    call.print(&printed)
}
