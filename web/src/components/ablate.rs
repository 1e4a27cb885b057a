//! Leave one out: what each imported file does to the next start. Worked out after the page is drawn, row by row.

use crate::desk::{Turn, Why};
use crate::gap::short;
use crate::i18n::{Words, use_words};
use crate::page;
use crate::same::Same;
use crate::state::Lab;
use fourgaps_base::FileTree;
use fourgaps_config::Version;
use fourgaps_view::{AblatePlan, AblateRow, AblateView, LeaveOut};
use gloo_timers::future::TimeoutFuture;
use std::cell::Cell;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Ablate`].
#[derive(Properties, PartialEq)]
pub struct AblateProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// The version that looks at the files.
    pub version: &'static str,
    /// The node's files.
    pub files: Rc<FileTree>,
    /// Counts changes of the files.
    pub edition: u32,
    /// The last table.
    pub table: Option<Same<AblateView>>,
    /// The edition of the files that the table belongs to.
    pub table_edition: u32,
    /// What was asked "why?".
    pub asked: Option<Why>,
    /// Hands over the table of an edition.
    pub on_ablated: Callback<(u32, AblateView)>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// Milliseconds of quiet after a change before the table is worked out.
pub const QUIET: u32 = 120;

/// Milliseconds of work at a stretch; then the page may answer the reader.
const STRETCH: f64 = 6.0;

/// Works the table out in short stretches; nothing where the files changed meanwhile.
async fn work_out(lab: &Lab, version: &str, files: &FileTree, still: &Cell<bool>) -> Option<AblateView> {
    let (main, counted) = (&lab.scenario.config, &lab.scenario.count);
    let version = Version::named(version)?;
    let plan = AblatePlan::of(version, files, main);
    let mut rows = Vec::new();
    let mut begun = page::now();
    for nth in 0..plan.len() {
        rows.extend(plan.row(nth, version, files, main, counted));
        if page::now() - begun > STRETCH {
            TimeoutFuture::new(0).await;
            if !still.get() {
                return None;
            }
            begun = page::now();
        }
    }
    still.get().then(|| AblateView { counted: counted.clone(), rows })
}

/// The leave-one-out table.
#[component]
pub fn Ablate(props: &AblateProps) -> Html {
    let words = use_words();
    {
        let (lab, version, files, on_ablated) =
            (props.lab.clone(), props.version, props.files.clone(), props.on_ablated.clone());
        use_effect_with(props.edition, move |edition| {
            let edition = *edition;
            let alive = Rc::new(Cell::new(true));
            let still = alive.clone();
            wasm_bindgen_futures::spawn_local(async move {
                TimeoutFuture::new(if edition == 0 { 0 } else { QUIET }).await;
                if let Some(table) = work_out(&lab, version, &files, &still).await {
                    on_ablated.emit((edition, table));
                }
            });
            move || alive.set(false)
        });
    }
    let late = props.table_edition != props.edition;
    let counted = props.lab.scenario.count.clone();
    html! {
        <section class="ablate" aria-label={words.t("ablate.title")} aria-busy={late.to_string()}>
            <h2 class="label">{ words.t("ablate.title") }</h2>
            if let Some(table) = &props.table {
                <div class="ablate-scroll" tabindex="0">
                    <table class={classes!("ablate-table", late.then_some("late"))}>
                        <thead>
                            <tr>
                                <th scope="col">{ words.t("ablate.what") }</th>
                                <th scope="col" class="num"><code>{ counted }</code></th>
                                <th scope="col">{ words.t("ablate.handlers") }</th>
                            </tr>
                        </thead>
                        <tbody>
                            { for table.rows.iter().map(|row| view_row(row, table, props, &words)) }
                        </tbody>
                    </table>
                </div>
            } else {
                <p class="empty">{ words.t("ablate.coming") }</p>
            }
        </section>
    }
}

/// The first row, with everything in.
pub fn whole(table: &AblateView) -> Option<&AblateRow> {
    table.rows.iter().find(|row| row.leave_out == LeaveOut::Nothing)
}

/// A row's name.
pub fn row_name(words: &Words, what: &LeaveOut) -> AttrValue {
    match what {
        LeaveOut::Nothing => words.t("ablate.nothing"),
        LeaveOut::Without(file) => words.with("ablate.without", &[("file", short(file))]),
        LeaveOut::Alone(file) => words.with("ablate.alone", &[("file", short(file))]),
    }
}

fn view_row(row: &AblateRow, table: &AblateView, props: &AblateProps, words: &Words) -> Html {
    let gained =
        whole(table).map_or(0, |all| row.handlers.iter().filter(|h| !all.handlers.contains(h)).count());
    let why = Why::Row(row.leave_out.clone());
    let asked = props.asked.as_ref() == Some(&why);
    let ask = props.on_turn.reform(move |_: MouseEvent| Turn::Ask(why.clone()));
    let what = match &row.error {
        Some(error) => html! { <code class="error" title={error.clone()}>{ error }</code> },
        None => html! { <span class="names">{ row.handlers.join(" ") }</span> },
    };
    let (kind, file) = match &row.leave_out {
        LeaveOut::Nothing => ("nothing", ""),
        LeaveOut::Without(file) => ("without", file.as_str()),
        LeaveOut::Alone(file) => ("alone", file.as_str()),
    };
    html! {
        <tr key={format!("{kind} {file}")} data-row={kind} onclick={ask}>
            <th scope="row"><button type="button" class="ask" aria-expanded={asked.to_string()}>{ row_name(words, &row.leave_out) }</button></th>
            <td class="num">{ row.count }</td>
            <td>
                if gained > 0 {
                    <b class="gain">{ format!("+{gained} ") }</b>
                }
                { what }
            </td>
        </tr>
    }
}
