//! The answer to "why?": where a line or a number comes from, the rule, and what it hid.

use crate::components::ablate::{row_name, whole};
use crate::components::text::{place, rich};
use crate::desk::{Turn, Why};
use crate::gap::{Cause, Link};
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::state::Views;
use fourgaps_base::FileTree;
use fourgaps_view::{AblateView, HiddenRow, LeaveOut, Source};
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`WhyPanel`].
#[derive(Properties, PartialEq)]
pub struct WhyProps {
    /// What was asked.
    pub why: Why,
    /// What is to be seen.
    pub views: Same<Views>,
    /// The node's files.
    pub files: Rc<FileTree>,
    /// The text in the count box.
    pub counted: AttrValue,
    /// The leave-one-out table.
    pub ablate: Option<Same<AblateView>>,
    /// Opens a place in the editor.
    pub on_jump: Callback<Source>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// The panel.
#[component]
pub fn WhyPanel(props: &WhyProps) -> Html {
    let words = use_words();
    let close = props.on_turn.reform(|_: MouseEvent| Turn::Close);
    let (title, body) = match &props.why {
        Why::Line(key, text) => (html! { <code>{ text.trim() }</code> }, line(props, &words, key, text)),
        Why::Handler(name) => (html! { <code>{ name }</code> }, handler(props, &words, name)),
        Why::Count => {
            (html! { <code>{ format!("grep -c \"{}\"", props.counted.trim()) }</code> }, count(props, &words))
        }
        Why::Row(what) => (html! { { row_name(&words, what) } }, row(props, &words, what)),
    };
    html! {
        <section class="why" aria-label={words.t("why.title")} aria-live="polite">
            <header>
                <h2 class="label">{ words.t("why.title") }</h2>
                <span class="why-what">{ title }</span>
                <button type="button" class="button quiet" onclick={close} aria-label={words.t("why.close")} title="Esc">{ "✕" }</button>
            </header>
            <div class="why-body">{ body }</div>
        </section>
    }
}

fn item(word: AttrValue, what: Html) -> Html {
    html! { <><dt>{ word }</dt><dd>{ what }</dd></> }
}

/// What lost to this, one line each.
fn hidden(props: &WhyProps, words: &Words, rows: &[&HiddenRow]) -> Html {
    html! {
        <ul class="why-hidden">
            { for rows.iter().map(|row| html! {
                <li>{ place(words, &row.source, &props.on_jump) }<code>{ format!("{} = {}", last_key(&row.key), row.value) }</code></li>
            }) }
        </ul>
    }
    .into_if(!rows.is_empty())
    .unwrap_or_else(|| html! { { words.t("why.hides_none") } })
}

trait IntoIf: Sized {
    fn into_if(self, wanted: bool) -> Option<Self> {
        wanted.then_some(self)
    }
}

impl IntoIf for Html {}

/// The rule by which something lost, in the reader's language where there is a sentence for it.
pub fn rule_text(words: &Words, row: &HiddenRow) -> String {
    let key = format!("rule.{}", row.rule_code);
    if !words.has(&key) {
        return row.rule.clone();
    }
    let n = row.named_in.unwrap_or(2).to_string();
    words.with(&key, &[("n", &n)]).to_string()
}

fn last_key(key: &str) -> &str {
    let mut quoted = false;
    let at = key.char_indices().filter(|(_, c)| {
        if *c == '"' {
            quoted = !quoted;
        }
        *c == '.' && !quoted
    });
    at.last().map_or(key, |(at, _)| &key[at + 1..])
}

fn line(props: &WhyProps, words: &Words, key: &str, text: &str) -> Html {
    let dump = &props.views.next.dump;
    let found =
        dump.iter().find(|l| l.key == key && l.text == text).or_else(|| dump.iter().find(|l| l.key == key));
    let Some(line) = found else { return html! { <p>{ words.t("why.gone") }</p> } };
    let version = &props.views.next.containerd;
    let from = match &line.source {
        Some(at) => {
            html! { <>{ place(words, at, &props.on_jump) } <span class="pale">{ &at.file }</span></> }
        }
        None if line.default => html! { { words.with("why.default", &[("version", version)]) } },
        None => html! { { words.t("why.header") } },
    };
    let lost: Vec<&HiddenRow> = if line.hides.is_empty() {
        props.views.explain.lost.iter().filter(|row| row.key == line.key).collect()
    } else {
        line.hides.iter().collect()
    };
    html! {
        <dl>
            { item(words.t("why.key"), html! { <code>{ &line.key }</code> }) }
            { item(words.t("why.from"), from) }
            if let Some(first) = lost.first() {
                { item(words.t("why.rule"), html! { { rich(&rule_text(words, first)) } }) }
            }
            { item(words.t("why.hides"), hidden(props, words, &lost)) }
        </dl>
    }
}

fn handler(props: &WhyProps, words: &Words, name: &str) -> Html {
    let Some(row) = props.views.rows.iter().find(|row| row.name == name) else {
        return html! { <p>{ words.t("why.gone") }</p> };
    };
    let version = &props.views.next.containerd;
    let lost: Vec<&HiddenRow> =
        props.views.explain.lost.iter().filter(|h| crate::gap::speaks_of(&h.key, name)).collect();
    let lost = fourgaps_base::in_order(lost, |a, b| {
        (&a.source.file, a.source.line).cmp(&(&b.source.file, b.source.line))
    });
    let rule = match &row.link {
        Link::Joined => words.t("why.joined").to_string(),
        Link::BuiltIn => words.with("why.default", &[("version", version)]).to_string(),
        Link::Broken(Cause::Refused | Cause::DefaultMissing) => words.t("why.refused").to_string(),
        Link::Broken(Cause::NotImported) => words.t("why.not_imported").to_string(),
        Link::Broken(Cause::PassedOver) => words.with("why.passed_over", &[("version", version)]).to_string(),
        Link::Broken(Cause::SectionOwned(_)) => {
            lost.first().map_or_else(String::new, |first| rule_text(words, first))
        }
    };
    let by = match &row.link {
        Link::Broken(Cause::SectionOwned(by)) => Some(by.clone()),
        _ => None,
    };
    html! {
        <dl>
            { item(words.t("why.written"), if row.written.is_empty() { html! { { words.t("strip.nobody") } } } else {
                html! { <span class="places">{ for row.written.iter().map(|at| place(words, at, &props.on_jump)) }</span> }
            }) }
            { item(words.t("why.rule"), html! { { rich(&rule) } }) }
            if let Some(by) = by {
                { item(words.t("why.owner"), place(words, &by, &props.on_jump)) }
            }
            if let Some(next) = &row.next {
                { item(words.t("strip.next"), html! { <code>{ if next.binary_name.is_empty() { next.runtime_type.clone() } else { next.binary_name.clone() } }</code> }) }
            }
            if !lost.is_empty() {
                { item(words.t("why.lost"), hidden(props, words, &lost)) }
            }
        </dl>
    }
}

fn count(props: &WhyProps, words: &Words) -> Html {
    let text = props.counted.trim();
    let n = props.views.next.count(text).to_string();
    let mut found = Vec::new();
    for (path, bytes) in props.files.iter().filter(|_| !text.is_empty()) {
        let content = String::from_utf8_lossy(bytes);
        let mut lines = (1u32..).zip(content.lines()).filter(|(_, line)| line.contains(text)).map(|(n, _)| n);
        if let Some(first) = lines.next() {
            let read = props.views.explain.files.iter().any(|file| file.path == path);
            found.push((Source { file: path.into(), line: first, column: 1 }, 1 + lines.count(), read));
        }
    }
    html! {
        <dl>
            { item(words.t("strip.next"), html! { { words.with("why.count_dump", &[("n", &n)]) } }) }
            { item(words.t("strip.written"), if found.is_empty() { html! { { words.t("why.count_nowhere") } } } else { html! {
                <ul class="why-hidden">
                    { for found.iter().map(|(at, n, read)| html! {
                        <li>{ place(words, at, &props.on_jump) } { words.count("why.count_lines", *n) }
                            if !read { <span class="pale">{ words.t("switch.out") }</span> }</li>
                    }) }
                </ul>
            } }) }
            { item(words.t("why.rule"), html! { { rich(&words.t("why.count_rule")) } }) }
        </dl>
    }
}

fn row(props: &WhyProps, words: &Words, what: &LeaveOut) -> Html {
    let table = props.ablate.as_ref();
    let found = table.and_then(|t| Some((t.rows.iter().find(|row| row.leave_out == *what)?, whole(t)?)));
    let Some((row, all)) = found else { return html! { <p>{ words.t("why.gone") }</p> } };
    let names = |from: &[String], not_in: &[String]| -> Html {
        let found: Vec<&str> = from.iter().filter(|h| !not_in.contains(h)).map(String::as_str).collect();
        if found.is_empty() {
            html! { { "–" } }
        } else {
            html! { <code>{ found.join(" ") }</code> }
        }
    };
    let sense = match what {
        LeaveOut::Nothing => "why.row_nothing",
        LeaveOut::Without(_) => "why.row_without",
        LeaveOut::Alone(_) => "why.row_alone",
    };
    html! {
        <dl>
            { item(words.t("why.means"), html! { { rich(&words.t(sense)) } }) }
            { item(words.t("why.gains"), names(&row.handlers, &all.handlers)) }
            { item(words.t("why.loses"), names(&all.handlers, &row.handlers)) }
            if let Some(error) = &row.error {
                { item(words.t("why.error"), html! { <code>{ error }</code> }) }
            }
        </dl>
    }
}
