//! Two versions side by side: what happens to handlers and set values, worst first, and which lines differ.

use crate::components::text::{place, rich};
use crate::i18n::Words;
use crate::state::Views;
use fourgaps_view::{Cause, Change, DumpLine, KeyValue, Source, UpgradeView, What};
use std::collections::BTreeSet;
use yew::prelude::*;

/// For each line of two dumps, whether the other has no such line.
#[derive(Debug, PartialEq)]
pub struct Difference {
    /// Of the chosen version.
    pub here: Vec<bool>,
    /// Of the second version.
    pub there: Vec<bool>,
}

impl Difference {
    /// Compares two dumps line by line. The name of the plugin, the indent and the kind of quotes do not count.
    pub fn of(here: &Views, there: &Views) -> Self {
        let (a, b) = (&here.next.dump, &there.next.dump);
        let set = |dump: &[DumpLine]| fourgaps_base::set_of(dump.iter().map(essence));
        let (in_a, in_b) = (set(a), set(b));
        let new = |dump: &[DumpLine], other: &BTreeSet<_>| {
            dump.iter().map(|line| !line.key.is_empty() && !other.contains(&essence(line))).collect()
        };
        Self { here: new(a, &in_b), there: new(b, &in_a) }
    }
}

fn essence(line: &DumpLine) -> (String, String) {
    let text = line.text.trim();
    let text = if text.starts_with('[') { String::new() } else { text.replace('\'', "\"") };
    (below_plugin(&line.key).to_string(), text)
}

/// A key without the name of its plugin.
fn below_plugin(key: &str) -> &str {
    let Some(rest) = key.strip_prefix("plugins.") else { return key };
    rest.splitn(3, ['"', '\'']).nth(2).unwrap_or(rest)
}

const fn sign(what: What) -> (&'static str, &'static str) {
    match what {
        What::Lost => ("╳", "lost"),
        What::Changed => ("≠", "changed"),
        What::Gained => ("+", "gained"),
        What::Kept => ("=", "kept"),
    }
}

const fn cause_key(cause: Cause) -> &'static str {
    match cause {
        Cause::VersionRefused => "refused",
        Cause::DroppedKey => "dropped",
        Cause::MergeRule => "merge",
        Cause::RenamedPlugin => "renamed",
        Cause::Migration => "migration",
    }
}

/// What changes from the chosen version to the second.
pub fn upgrade_list(words: &Words, upgrade: &UpgradeView, on_jump: &Callback<Source>) -> Html {
    let args = [("from", upgrade.from.as_str()), ("to", upgrade.to.as_str())];
    let sum = if upgrade.harmful { "compare.harmful" } else { "compare.harmless" };
    // The changes come sorted, worst cause first.
    let groups = upgrade.changes.chunk_by(|a, b| a.cause == b.cause);
    html! {
        <div class="upgrade" tabindex="0" role="group" aria-label={words.with("compare.title", &args)} data-harmful={upgrade.harmful.to_string()}>
            <p class="upgrade-sum"><b>{ words.with("compare.title", &args) }</b>{ words.t(sum) }</p>
            if let Some(refused) = &upgrade.refused {
                <pre class="gap-error">{ refused }</pre>
            }
            <ul class="upgrade-handlers" aria-label={words.t("strip.handler")}>
                { for upgrade.handlers.iter().map(|handler| { let (sign, what) = sign(handler.what); html! {
                    <li class={what} data-what={what}><span class="strip-sign" aria-hidden="true">{ sign }</span><code>{ &handler.name }</code>
                        <span class="pale">{ words.t(&format!("compare.{what}")) }</span></li>
                } }) }
            </ul>
            { for groups.map(|group| html! {
                <section>
                    <h2 class="label">{ rich(&words.with(&format!("compare.{}", cause_key(group[0].cause)), &args)) }<span class="figures">{ group.len() }</span></h2>
                    <ul class="upgrade-values">{ for group.iter().map(|change| change_row(words, change, on_jump)) }</ul>
                </section>
            }) }
            if upgrade.unchanged > 0 {
                <p class="pale">{ words.count("compare.unchanged", upgrade.unchanged) }</p>
            }
        </div>
    }
}

fn change_row(words: &Words, change: &Change, on_jump: &Callback<Source>) -> Html {
    let (sign, what) = sign(change.what);
    let value = |kv: &KeyValue| html! { <code>{ format!("{} = {}", tail(&kv.key), kv.value) }</code> };
    let whole = |kv: &Option<KeyValue>| kv.as_ref().map_or_else(String::new, |kv| kv.key.clone());
    let title = [whole(&change.before), whole(&change.after)].join(" → ");
    let text = match (&change.before, &change.after) {
        (Some(a), Some(b)) if tail(&a.key) == tail(&b.key) && a.value == b.value => value(b),
        (Some(a), Some(b)) => html! { <>{ value(a) }{ " → " }{ value(b) }</> },
        (Some(kv), None) | (None, Some(kv)) => value(kv),
        (None, None) => html! {},
    };
    html! {
        <li class={what} {title}><span class="strip-sign" aria-hidden="true">{ sign }</span><span class="hidden">{ words.t(&format!("compare.{what}")) }</span>
            <span class="upgrade-value">{ text }</span>{ place(words, &change.source, on_jump) }</li>
    }
}

/// The part of a key that says enough in a list: the key below its plugin.
fn tail(key: &str) -> &str {
    let key = below_plugin(key).trim_start_matches('.');
    key.strip_prefix("containerd.runtimes.").unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourgaps_base::FileTree;
    use fourgaps_config::Version;

    #[test]
    fn only_lines_that_say_something_else_differ() {
        let mut files = FileTree::new();
        let main = "/etc/containerd/config.toml";
        files.write(main, "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.gpu]\n  runtime_type = \"x\"\n");
        let of = |name: &str| Views::of(Version::named(name).unwrap(), main, &files);
        let (old, new) = (of("1.7.27"), of("2.1.4"));
        assert!(!Difference::of(&old, &old).here.contains(&true));
        let difference = Difference::of(&old, &new);
        let marked = |views: &Views, marks: &[bool], text: &str| {
            views.next.dump.iter().zip(marks).any(|(line, mark)| *mark && line.text.contains(text))
        };
        assert!(marked(&new, &difference.there, "version = 3"));
        assert!(!marked(&new, &difference.there, "runtime_type = 'x'"));
        assert!(marked(&old, &difference.here, "sandbox_image"));
    }
}
