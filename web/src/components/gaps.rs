//! The gaps in words: each is one sentence about what stands between two layers, and one about what would close it.

use crate::components::strip::StripProps;
use crate::components::text::{rich, rich_linked};
use crate::daemon::{Behind, Note};
use crate::gap::{Cause, Gap, short};
use crate::i18n::Words;
use crate::running::Late;
use fourgaps_view::Source;
use yew::prelude::*;

/// The command that brings the files into force.
const RESTART: &str = "systemctl restart containerd";
/// The command that writes what the toolkit took along, and leaves the rest to whoever restarts.
const TOOLKIT: &str = "nvidia-ctk-installer --runtime=containerd --host-root=/ --restart-mode=none";

/// How many gaps are named before the rest is only counted.
const MOST: usize = 2;

/// The gaps, and what would close them.
pub fn sentences(words: &Words, props: &StripProps) -> Html {
    let daemon = &props.daemon;
    let gaps = daemon.gaps_left(&props.views.gaps);
    let version = &props.views.next.containerd;
    let behind = daemon.behind();
    let closed = gaps.is_empty() && behind == Behind::No;
    let closed = closed && !daemon.late.iter().any(|late| !matches!(late, Late::Lent(..)));
    let command = |line: &'static str, name: &'static str| {
        let onclick = props.on_run.reform(move |_: MouseEvent| line);
        html! { <button type="button" class="command" data-do={name} {onclick}>{ line }</button> }
    };
    let one = |gap: &Gap| {
        let places = places_of(gap);
        html! {
            <div class="gap open">
                <p class="gap-what"><b class="gap-name">{ words.t("strip.gap1") }</b>
                    { rich_linked(words, &gap_sentence(words, gap, version), &places, &props.on_jump) }</p>
                if gap.cause == Cause::Refused {
                    <pre class="gap-error">{ props.views.next.stderr.last().cloned().unwrap_or_default() }</pre>
                }
                <p class="gap-close"><span class="gap-arrow">{ words.t("strip.closes") }</span>
                    { rich_linked(words, &gap_close(words, gap), &places, &props.on_jump) }</p>
            </div>
        }
    };
    let note = |note: &Note| {
        let ends = is_grave(note);
        // A gap may have said the same of the CRI plugin already; then only its last words are new.
        let said = *note == Note::NoCri && gaps.iter().any(|gap| gap.cause == Cause::DefaultMissing);
        html! {
            <div class={classes!("gap", "note", ends.then_some("open"))} data-note={note_key(note)}>
                if !said {
                    <p><b class="gap-name">{ words.t("strip.differs") }</b>{ rich(&note_sentence(words, note, version)) }</p>
                }
                if ends {
                    <pre class="gap-error">{ daemon.last_words().to_string() }</pre>
                }
            </div>
        }
    };
    // Where no start would help, why comes before what follows from it.
    let (grave, light): (Vec<&Note>, Vec<&Note>) = daemon.notes.iter().partition(|note| is_grave(note));
    let helps = grave.is_empty();
    let late = |late: &Late| {
        let only_note = matches!(late, Late::Lent(..));
        let gap3 = only_note || matches!(late, Late::TakenBack(_));
        // The second gap offers the start already.
        let starts = behind == Behind::No && late.handlers().iter().all(|name| daemon.would_have(name));
        html! {
            <div class={classes!("gap", if only_note { "note" } else { "open" })} data-late={late.key()}>
                <p class="gap-what"><b class="gap-name">{ words.t(if gap3 { "strip.gap3" } else { "strip.gap4" }) }</b>{ rich(&late_sentence(words, late)) }</p>
                if !only_note && helps {
                    <p class="gap-close"><span class="gap-arrow">{ words.t("strip.closes") }</span>{ rich(&late_words(words, late, ".close")) }{ " " }
                        { match late {
                            Late::TakenBack(_) => command(TOOLKIT, "toolkit"),
                            _ if starts => command(RESTART, "restart"),
                            _ => html! {},
                        } }
                    </p>
                }
            </div>
        }
    };
    html! {
        <div class="gaps">
            if closed && daemon.notes.is_empty() {
                <p class="gap closed"><span class="gap-sign" aria-hidden="true">{ "●—●" }</span>{ words.t("strip.none") }</p>
            }
            { for gaps.iter().take(MOST).map(|gap| one(gap)) }
            if gaps.len() > MOST {
                <p class="gap-rest">{ words.count("strip.rest", gaps.len() - MOST) }</p>
            }
            if behind != Behind::No {
                <div class="gap open" data-behind={behind_key(&behind)}>
                    <p class="gap-what"><b class="gap-name">{ words.t("strip.gap2") }</b>{ rich(&behind_sentence(words, &behind)) }</p>
                    if helps {
                        <p class="gap-close"><span class="gap-arrow">{ words.t("strip.closes") }</span>{ command(RESTART, "restart") }</p>
                    }
                </div>
            }
            { for grave.into_iter().map(note) }
            { for daemon.late.iter().map(late) }
            { for light.into_iter().map(note) }
        </div>
    }
}

fn behind_key(behind: &Behind) -> &'static str {
    match behind {
        Behind::No => "no",
        Behind::Lacks(_) => "lacks",
        Behind::Keeps(_) => "keeps",
        Behind::Down => "down",
        Behind::Dead => "dead",
    }
}

/// The second gap in one sentence.
pub fn behind_sentence(words: &Words, behind: &Behind) -> String {
    let names = match behind {
        Behind::Lacks(names) | Behind::Keeps(names) => names.as_slice(),
        _ => &[],
    };
    let names = words.list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
    words.with(&format!("behind.{}", behind_key(behind)), &[("names", &names)]).to_string()
}

/// What shows late, in one sentence.
pub fn late_sentence(words: &Words, late: &Late) -> String {
    late_words(words, late, "")
}

fn late_words(words: &Words, late: &Late, end: &str) -> String {
    let list = |names: &[String]| words.list(&names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>());
    let file = match late {
        Late::Lent(file, _) => short(file),
        _ => "",
    };
    let args = [("names", &*list(late.handlers())), ("pods", &list(late.pods())), ("file", file)];
    let key = format!("late.{}{end}", late.key());
    if end.is_empty() {
        words.count_with(&key, late.pods().len().max(1), &args).to_string()
    } else {
        words.with(&key, &args).to_string()
    }
}

/// True where a start on the files as they are would not serve pods.
fn is_grave(note: &Note) -> bool {
    matches!(note, Note::Ends(_) | Note::NoCri)
}

fn note_key(note: &Note) -> &'static str {
    match note {
        Note::Ends(true) => "ends_absent",
        Note::Ends(false) => "ends",
        Note::NoCri => "no_cri",
        Note::Untranslated(_) => "untranslated",
        Note::OldWords(_) => "old_words",
        Note::Differs(_) => "differs",
        Note::PrintedImports(_) => "printed_imports",
    }
}

/// Where dump and daemon do not agree, in one sentence.
pub fn note_sentence(words: &Words, note: &Note, version: &str) -> String {
    let (names, line) = match note {
        Note::Untranslated(names) | Note::OldWords(names) | Note::Differs(names) => (names.as_slice(), ""),
        Note::PrintedImports(line) => (&[][..], line.as_str()),
        _ => (&[][..], ""),
    };
    let names = words.list(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>());
    let args = [("version", version), ("names", &names), ("line", line)];
    words.with(&format!("note.{}", note_key(note)), &args).to_string()
}

fn places_of(gap: &Gap) -> Vec<Source> {
    let owner = match &gap.cause {
        Cause::SectionOwned(by) => Some(by.clone()),
        _ => None,
    };
    owner.into_iter().chain(gap.places.first().cloned()).collect()
}

fn gap_key(gap: &Gap) -> &'static str {
    match gap.cause {
        Cause::Refused => "refused",
        Cause::SectionOwned(_) => "owned",
        Cause::NotImported => "not_imported",
        Cause::PassedOver => "passed_over",
        Cause::DefaultMissing => "default_missing",
    }
}

/// The gap in one sentence.
pub fn gap_sentence(words: &Words, gap: &Gap, version: &str) -> String {
    gap_words(words, gap, version, "")
}

/// What would close the gap.
fn gap_close(words: &Words, gap: &Gap) -> String {
    gap_words(words, gap, "", ".close")
}

fn gap_words(words: &Words, gap: &Gap, version: &str, end: &str) -> String {
    let at = gap.places.first();
    let file = at.map(|at| short(&at.file)).unwrap_or_default();
    let more = gap.places.len().saturating_sub(1);
    let files = match more {
        0 => words.with("gap.file", &[("file", file)]),
        n => words.count_with("gap.files", n, &[("file", file)]),
    };
    let owner = match &gap.cause {
        Cause::SectionOwned(by) => short(&by.file),
        _ => "",
    };
    let place =
        at.filter(|at| at.line > 0).map_or_else(|| file.to_string(), |at| format!("{file}:{}", at.line));
    let names = words.list(&gap.handlers.iter().map(|h| format!("`{h}`")).collect::<Vec<_>>());
    let args =
        [("files", &*files), ("owner", owner), ("place", &place), ("version", version), ("names", &names)];
    let key = format!("gap.{}", gap_key(gap));
    match end {
        "" => words.count_with(&key, gap.handlers.len(), &args).to_string(),
        end => words.with(&format!("{key}{end}"), &args).to_string(),
    }
}
