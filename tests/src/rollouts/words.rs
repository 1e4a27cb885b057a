//! The words of a story's `do`.

use fourgaps_cluster::daemonset::{Share, Strategy};
use fourgaps_cluster::node::Truth;
use fourgaps_cluster::taint::{Effect, Taint};

/// What is done.
#[derive(Debug, PartialEq)]
pub enum Deed {
    /// The controller syncs once.
    Sync,
    /// The story ends.
    End,
    /// The DaemonSet is created.
    Create,
    /// The DaemonSet runs on every node since moment 0.
    Steady,
    /// The template is the first one with these differences.
    Template(String, Vec<Difference>),
    Strategy(Strategy),
    MinReadySeconds(u32),
    /// Back to this revision; 0 is the one before.
    Undo(u64),
    History,
    /// A new annotation in the template, which has a name where the story gives it one.
    Restart(Option<String>),
    DeleteClass(String),
    CreateClass(String),
    /// `--cascade=foreground`, or gone at once.
    DeleteSet {
        foreground: bool,
        orphan: bool,
    },
    /// The object goes after its pods.
    SetGone,
    AddNode(String, Vec<Taint>),
    DeleteNode(String),
    NodeReady(String, Truth),
    Taint(String, Taint),
    /// Taints with this key, and this effect if one is named, go.
    Untaint(String, String, Option<Effect>),
    Label(String, String, Option<String>),
    Cordon(String, bool),
    /// Something happens to a pod of a node.
    Pod(String, PodDeed),
    /// Time goes by, in milliseconds.
    Wait(u64),
}

/// What happens to a pod.
#[derive(Debug, PartialEq)]
pub enum PodDeed {
    Bind,
    DoesNotFit,
    Waits(&'static str),
    Runs,
    Ready,
    Unready,
    /// The condition alone, not the container.
    MarkedNotReady,
    Exits(i32),
    Rejected(String),
    Completes,
    /// The containers of the deleting pod have stopped.
    Stopped,
    /// The deleting pod is gone.
    Removed,
    /// Somebody deletes it; with force it is gone at once.
    Delete {
        force: bool,
        deleting: bool,
    },
    /// The pod garbage collector takes it away.
    Collected,
}

/// How a template differs from the first one.
#[derive(Debug, PartialEq)]
pub enum Difference {
    Image(String),
    RuntimeClass(String),
    NoTolerations,
    TolerateAll,
    Tolerate(Taint),
    Request(String, String),
    NodeSelector(Option<(String, String)>),
    /// No part of the template, but changed with it.
    MinReadySeconds(u32),
}

/// Reads the words of a step.
///
/// # Errors
/// Says which words are not known.
pub fn read(words: &str) -> Result<Deed, String> {
    deed(words).ok_or_else(|| format!("`{words}` is not a word of the stories that the player knows"))
}

fn deed(words: &str) -> Option<Deed> {
    // What stands in brackets at the end explains what was done.
    let plain = words.split_once(" (").map_or(words, |(plain, _)| plain).trim();
    let note = words.split_once(" (").map_or("", |(_, note)| note);
    let rest = |head: &str| plain.strip_prefix(head).map(str::trim);
    let fixed = match plain {
        "sync" => Some(Deed::Sync),
        "end" => Some(Deed::End),
        "kubectl rollout history" => Some(Deed::History),
        "kubectl rollout restart" => Some(Deed::Restart(named(note))),
        "daemonset object removed" => Some(Deed::SetGone),
        _ => None,
    };
    if fixed.is_some() {
        return fixed;
    }
    if rest("create daemonset").is_some() {
        return Some(Deed::Create);
    }
    if rest("steady on").is_some() {
        return Some(Deed::Steady);
    }
    if let Some(text) = rest("template ") {
        let (name, parts) = text.split_once(':')?;
        let parts: Option<Vec<Difference>> = parts.split(", ").map(|part| difference(part.trim())).collect();
        return Some(Deed::Template(name.trim().into(), parts?));
    }
    if let Some(text) = rest("strategy ") {
        return strategy(text).map(Deed::Strategy);
    }
    if let Some(text) = rest("minReadySeconds ") {
        return text.parse().ok().map(Deed::MinReadySeconds);
    }
    if let Some(text) = rest("kubectl rollout undo") {
        let revision = if text.is_empty() { "0" } else { text.strip_prefix("--to-revision=")? };
        return revision.parse().ok().map(Deed::Undo);
    }
    if let Some(text) = rest("kubectl delete daemonset") {
        let said = format!("{text} {note}");
        return Some(Deed::DeleteSet {
            foreground: said.contains("foreground"),
            orphan: said.contains("orphan"),
        });
    }
    if let Some(name) = rest("create runtimeclass ") {
        return Some(Deed::CreateClass(name.into()));
    }
    if let Some(name) = rest("delete runtimeclass ") {
        return Some(Deed::DeleteClass(name.into()));
    }
    if let Some(text) = rest("wait ") {
        return duration_ms(text).map(Deed::Wait);
    }
    node_deed(plain).or_else(|| pod_deed(plain, note))
}

/// The name of a template in a remark: `template c` or `rev-c`.
fn named(note: &str) -> Option<String> {
    let words: Vec<&str> = note.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let by_revision = words.iter().find_map(|word| word.strip_prefix("rev-"));
    let by_template =
        || words.windows(2).find(|pair| pair[0] == "template" && pair[1].len() == 1).map(|pair| pair[1]);
    by_revision.or_else(by_template).map(String::from)
}

fn node_deed(plain: &str) -> Option<Deed> {
    let rest = |head: &str| plain.strip_prefix(head).map(str::trim);
    if let Some(text) = rest("add node ") {
        let (name, taints) = text.split_once(" with taint").unwrap_or((text, ""));
        let taints = taints.trim_start_matches('s').split([' ', ',']).filter(|taint| !taint.is_empty());
        return Some(Deed::AddNode(name.into(), taints.map(Taint::read).collect::<Option<_>>()?));
    }
    if let Some(name) = rest("delete node ") {
        return Some(Deed::DeleteNode(name.into()));
    }
    if let Some(name) = rest("cordon ") {
        return Some(Deed::Cordon(name.into(), true));
    }
    if let Some(name) = rest("uncordon ") {
        return Some(Deed::Cordon(name.into(), false));
    }
    if let Some(text) = rest("node ") {
        let (name, status) = text.split_once(" Ready=")?;
        let status = [Truth::True, Truth::False, Truth::Unknown].into_iter().find(|s| s.name() == status)?;
        return Some(Deed::NodeReady(name.into(), status));
    }
    if let Some(text) = rest("taint ") {
        let (name, taint) = text.split_once(' ')?;
        return Some(Deed::Taint(name.into(), Taint::read(taint)?));
    }
    if let Some(text) = rest("untaint ") {
        let (name, taint) = text.split_once(' ')?;
        let (left, effect) =
            taint.rsplit_once(':').map_or((taint, None), |(left, effect)| (left, Some(effect)));
        let key = left.split_once('=').map_or(left, |(key, _)| key).trim_end_matches('-');
        let effect = effect.map(|effect| effect.trim_end_matches('-'));
        return Some(Deed::Untaint(name.into(), key.into(), effect.and_then(Effect::read)));
    }
    if let Some(text) = rest("label ") {
        let (name, label) = text.split_once(' ')?;
        return Some(match label.split_once('=') {
            Some((key, value)) => Deed::Label(name.into(), key.into(), Some(value.into())),
            None => Deed::Label(name.into(), label.strip_suffix('-')?.into(), None),
        });
    }
    None
}

fn pod_deed(plain: &str, note: &str) -> Option<Deed> {
    if let Some(name) = plain.strip_prefix("bind ") {
        return Some(Deed::Pod(name.into(), PodDeed::Bind));
    }
    if let Some(text) = plain.strip_prefix("scheduler: pod for ") {
        let name = text.strip_suffix(" does not fit")?;
        return Some(Deed::Pod(name.into(), PodDeed::DoesNotFit));
    }
    if let Some(text) = plain.strip_prefix("pod of ") {
        return Some(Deed::Pod(text.strip_suffix(" completes")?.into(), PodDeed::Completes));
    }
    if let Some(name) = plain.strip_prefix("pod garbage collector removes the pod of ") {
        return Some(Deed::Pod(name.into(), PodDeed::Collected));
    }
    if let Some(text) = plain.strip_prefix("controller marks pod on ") {
        return Some(Deed::Pod(text.strip_suffix(" not ready")?.into(), PodDeed::MarkedNotReady));
    }
    let (what, name) = plain.rsplit_once(" on ")?;
    if let Some((name, reason)) = name.split_once(": ") {
        return (what == "kubelet rejects pod")
            .then(|| Deed::Pod(name.into(), PodDeed::Rejected(reason.into())));
    }
    let deed = match what {
        "containers of the deleting pod stopped" => PodDeed::Stopped,
        "deleting pod removed" => PodDeed::Removed,
        "image pull fails" => PodDeed::Waits("ErrImagePull"),
        "image pull backoff" => PodDeed::Waits("ImagePullBackOff"),
        "container runs, not ready" => PodDeed::Runs,
        "pod ready" => PodDeed::Ready,
        "pod unready" => PodDeed::Unready,
        "crash loop backoff" => PodDeed::Waits("CrashLoopBackOff"),
        "kubectl delete pod" | "garbage collector deletes pod" => {
            PodDeed::Delete { force: false, deleting: note.contains("deleting pod") }
        }
        "kubectl delete pod --force" => {
            PodDeed::Delete { force: true, deleting: note.contains("deleting pod") }
        }
        _ => PodDeed::Exits(what.strip_prefix("container exits ")?.parse().ok()?),
    };
    Some(Deed::Pod(name.into(), deed))
}

fn difference(part: &str) -> Option<Difference> {
    let rest = |head: &str| part.strip_prefix(head).map(str::trim);
    match part {
        "no tolerations" | "no toleration" => return Some(Difference::NoTolerations),
        "no nodeSelector" => return Some(Difference::NodeSelector(None)),
        "tolerates everything" | "tolerates all" => return Some(Difference::TolerateAll),
        _ => {}
    }
    if let Some(text) = rest("image ") {
        return Some(Difference::Image(text.into()));
    }
    if let Some(text) = rest("runtimeClassName ") {
        return Some(Difference::RuntimeClass(text.into()));
    }
    if let Some(text) = rest("requests ") {
        let (name, amount) = text.split_once([' ', '='])?;
        return Some(Difference::Request(name.into(), amount.into()));
    }
    if let Some(text) = rest("nodeSelector ") {
        let (key, value) = text.split_once('=')?;
        return Some(Difference::NodeSelector(Some((key.into(), value.into()))));
    }
    if let Some(text) = rest("minReadySeconds ") {
        return text.parse().ok().map(Difference::MinReadySeconds);
    }
    let text = rest("tolerates ").or_else(|| rest("tolerations ")).or_else(|| rest("toleration "))?;
    Taint::read(text).map(Difference::Tolerate)
}

/// `OnDelete`, or `[RollingUpdate] maxUnavailable=1 maxSurge=0`.
pub fn strategy(text: &str) -> Option<Strategy> {
    if text == "OnDelete" {
        return Some(Strategy::OnDelete);
    }
    let (mut max_unavailable, mut max_surge) = (None, None);
    for word in text.split_whitespace().filter(|word| *word != "RollingUpdate") {
        match word.split_once('=')? {
            ("maxUnavailable", share) => max_unavailable = Some(Share::read(share)?),
            ("maxSurge", share) => max_surge = Some(Share::read(share)?),
            _ => return None,
        }
    }
    let max_surge = max_surge.unwrap_or(Share::Count(0));
    let max_unavailable = max_unavailable.unwrap_or(Share::Count(u32::from(max_surge.of(1) == 0)));
    Some(Strategy::RollingUpdate { max_unavailable, max_surge })
}

/// A duration of Go: `1h2m3.5s`, `250ms`.
fn duration_ms(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut micros = 0_u64;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let unit_end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let unit = match unit {
            "h" => 3_600_000_000,
            "m" => 60_000_000,
            "s" => 1_000_000,
            "ms" => 1_000,
            "us" | "µs" => 1,
            _ => return None,
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        micros += whole.parse::<u64>().ok()? * unit;
        let mut place = unit;
        for digit in part.chars() {
            place /= 10;
            micros += u64::from(digit.to_digit(10)?) * place;
        }
        rest = after;
    }
    Some(micros / 1000).filter(|_| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_vocabulary_is_read() {
        let words = [
            "create daemonset, template rev-a",
            "steady on rev-a",
            "template b: image gpu:b, no tolerations, requests nvidia.com/gpu 2, nodeSelector gpu=x",
            "template c: image gpu:c, runtimeClassName nvidia, minReadySeconds 30",
            "strategy OnDelete",
            "strategy maxUnavailable=25% maxSurge=0",
            "minReadySeconds 5",
            "kubectl rollout undo",
            "kubectl rollout undo --to-revision=2",
            "kubectl rollout history",
            "kubectl rollout restart (annotation)",
            "kubectl delete pod on node-1",
            "kubectl delete pod --force on node-1 (deleting pod)",
            "kubectl delete daemonset --cascade=foreground",
            "kubectl delete daemonset (background): object removed",
            "daemonset object removed",
            "containers of the deleting pod stopped on node-1",
            "deleting pod removed on node-1",
            "bind node-1",
            "scheduler: pod for node-1 does not fit",
            "image pull fails on node-1",
            "image pull backoff on node-1",
            "container runs, not ready on node-1",
            "pod ready on node-1",
            "pod unready on node-1",
            "controller marks pod on node-1 not ready",
            "container exits 137 on node-1",
            "crash loop backoff on node-1",
            "kubelet rejects pod on node-1: OutOfcpu",
            "node node-1 Ready=Unknown (kubelet silent)",
            "taint node-1 a/b=c:NoExecute",
            "untaint node-1 a/b",
            "label node-1 gpu-",
            "label node-1 gpu=true",
            "cordon node-1 (unschedulable, taint node.kubernetes.io/unschedulable:NoSchedule)",
            "add node node-4 with taint a:NoSchedule",
            "delete node node-1",
            "pod garbage collector removes the pod of node-1",
            "garbage collector deletes pod on node-1",
            "pod of node-1 completes (phase Succeeded)",
            "wait 1m8.095s",
            "sync",
            "end",
        ];
        for words in words {
            read(words).unwrap();
        }
        assert_eq!(read("kubectl rollout restart (template c)"), Ok(Deed::Restart(Some("c".into()))));
        assert_eq!(read("kubectl rollout restart (annotation)"), Ok(Deed::Restart(None)));
        assert!(read("paint node-1 red").is_err());
        assert!(read("template b: image gpu:b, colour red").is_err());
    }

    #[test]
    fn durations_are_those_of_go() {
        for (text, wanted) in
            [("1h0m0s", 3_600_000), ("49.075s", 49_075), ("1m8.095s", 68_095), ("250ms", 250)]
        {
            assert_eq!(duration_ms(text), Some(wanted), "{text}");
        }
        assert_eq!(duration_ms("soon"), None);
    }
}
