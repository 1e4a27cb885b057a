//! The node's files as tabs in an editor, with faults and unread lines marked. A plain text field until the editor is here.

use crate::components::switches::Switches;
use crate::components::text::rich;
use crate::components::toast::{Notice, use_tell};
use crate::desk::{Reveal, Turn, named, on_control};
use crate::editor::Mounted;
use crate::gap::{short, tab_order};
use crate::i18n::{Words, use_words};
use crate::marks::{faults_of, lost_of};
use crate::page;
use crate::past::Held;
use crate::same::Same;
use crate::state::{Lab, Views};
use fourgaps_base::FileTree;
use fourgaps_cluster::CONTROL;
use fourgaps_lab::Action;
use std::cell::Cell;
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Properties of [`Files`].
#[derive(Properties, PartialEq)]
pub struct FilesProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// The name of the node.
    pub node: AttrValue,
    /// The node's files.
    pub files: Rc<FileTree>,
    /// The files of the control host.
    pub control: Rc<FileTree>,
    /// False where there is no node.
    pub has_machines: bool,
    /// What is to be seen.
    pub views: Same<Views>,
    /// The file that is shown.
    pub shown: String,
    /// A place to show.
    pub reveal: Option<Reveal>,
    /// True where the past is shown; then nothing can be typed.
    pub past: bool,
    /// Called where somebody types all the same.
    pub on_held: Callback<Held>,
    /// Does something.
    pub on_do: Callback<Action>,
    /// Changes what lies open.
    pub on_turn: Callback<Turn>,
}

/// Typing that goes on within this many milliseconds is one step to undo.
const BURST: f64 = 1200.0;

/// Switches, tabs, editor.
#[component]
pub fn Files(props: &FilesProps) -> Html {
    let words = use_words();
    let listed = props.lab.listed(&props.node);
    let on_node = if props.has_machines { tab_order(listed, &props.files) } else { Vec::new() };
    let mut tabs = on_node.clone();
    tabs.extend(control_tabs(&props.control, &props.shown));
    // The shown file may be gone, by hand or by undo.
    let shown = if tabs.contains(&props.shown) {
        props.shown.clone()
    } else {
        tabs.first().cloned().unwrap_or_default()
    };
    let (host, path, tree) = match on_control(&shown) {
        Some(path) => (CONTROL.into(), path.to_string(), &props.control),
        None => (props.node.clone(), shown.clone(), &props.files),
    };
    let text = tree.text(&path).unwrap_or_default().to_string();
    let on_type = {
        let on_do = props.on_do.clone();
        let last = use_mut_ref(|| (String::new(), 0.0));
        use_callback((), move |(at, text): (String, String), ()| {
            let now = page::now();
            let mut last = last.borrow_mut();
            let part = last.0 == at && now - last.1 < BURST;
            *last = (at.clone(), now);
            drop(last);
            // The editor tells the node, too: it may be a moment behind the page.
            if let Some((node, path)) = at.split_once(':') {
                on_do.emit(Action::Write { path: path.into(), text, part, node: Some(node.into()) });
            }
        })
    };
    let fault = props.views.next.fault.as_ref().map(|fault| fault.file.clone());
    html! {
        <section class="files" id="part-files" tabindex="-1" aria-label={words.t("part.files")}>
            if props.has_machines {
                <Switches lab={props.lab.clone()} views={props.views.clone()} tabs={on_node} on_do={props.on_do.clone()}
                    on_turn={props.on_turn.clone()} />
            }
            { tab_row(&words, &tabs, &shown, fault.as_ref(), &props.on_turn) }
            if host == CONTROL {
                { control_line(&words, &path, &props.on_turn) }
            } else {
                <PathLine key={shown.clone()} path={shown.clone()} main={shown == props.lab.scenario.config}
                    folder={folder_for_new(listed)} files={props.files.clone()} on_do={props.on_do.clone()} on_turn={props.on_turn.clone()} />
            }
            <div class="editor-place" id="editor" role="tabpanel" aria-label={shown}>
                <EditorPane node={host} {path} {text} views={props.views.clone()} reveal={props.reveal.clone()} past={props.past} on_held={props.on_held.clone()} {on_type} />
            </div>
        </section>
    }
}

/// The files of the control host that stand beside those of a node: what lies open in the home of its user, and what is shown.
fn control_tabs(control: &FileTree, shown: &str) -> Vec<String> {
    let there = control.iter().map(|(path, _)| path);
    let plain = there.filter(|path| path.starts_with("/root/") && !path.contains("/."));
    let mut tabs: Vec<String> = plain.map(|path| named(CONTROL, path.to_string())).collect();
    if on_control(shown).is_some_and(|path| control.text(path).is_some())
        && !tabs.iter().any(|tab| tab == shown)
    {
        tabs.push(shown.to_string());
    }
    tabs
}

/// The path of a file of the control host, and the way back.
fn control_line(words: &Words, path: &str, on_turn: &Callback<Turn>) -> Html {
    let onclick = on_turn.reform(|_: MouseEvent| Turn::Open(String::new()));
    html! {
        <div class="path-line">
            <code class="path">{ named(CONTROL, path.to_string()) }</code>
            <button type="button" class="button quiet" {onclick} aria-label={words.t("why.close")}>{ "✕" }</button>
        </div>
    }
}

/// New files start where drop-ins lie.
fn folder_for_new(files: &[String]) -> String {
    let last = files.last().map_or("/etc/containerd/conf.d/", String::as_str);
    last.rsplit_once('/').map_or("/".into(), |(folder, _)| format!("{folder}/"))
}

/// The tabs of the files; a file at fault is marked.
fn tab_row(
    words: &Words,
    tabs: &[String],
    shown: &str,
    fault: Option<&String>,
    on_turn: &Callback<Turn>,
) -> Html {
    let here = tabs.iter().position(|path| path == shown).unwrap_or(0);
    let onkeydown = {
        let (tabs, on_turn) = (tabs.to_vec(), on_turn.clone());
        move |event: KeyboardEvent| {
            let n = tabs.len();
            let to = match event.key().as_str() {
                "ArrowRight" => (here + 1) % n,
                "ArrowLeft" => (here + n - 1) % n,
                "Home" => 0,
                "End" => n - 1,
                _ => return,
            };
            event.prevent_default();
            on_turn.emit(Turn::Open(tabs[to].clone()));
            page::focus(&format!("file-{to}"));
        }
    };
    html! {
        <div class="tabs" role="tablist" aria-label={words.t("files.tabs")} {onkeydown}>
            { for tabs.iter().enumerate().map(|(nth, path)| {
                let chosen = nth == here;
                let open = path.clone();
                let onclick = on_turn.reform(move |_: MouseEvent| Turn::Open(open.clone()));
                html! {
                    <button type="button" role="tab" key={path.clone()} id={format!("file-{nth}")} aria-controls="editor"
                        aria-selected={chosen.to_string()} tabindex={if chosen { "0" } else { "-1" }} {onclick} title={path.clone()}>
                        { on_control(path).map(|_| "control:") }{ short(path) }
                        if fault == Some(path) {
                            <span class="mark" aria-hidden="true">{ " ╳" }</span><span class="hidden">{ words.t("files.fault") }</span>
                        }
                    </button>
                }
            }) }
        </div>
    }
}

/// Properties of [`PathLine`].
#[derive(Properties, PartialEq)]
struct PathLineProps {
    path: String,
    main: bool,
    folder: String,
    files: Rc<FileTree>,
    on_do: Callback<Action>,
    on_turn: Callback<Turn>,
}

/// The path of the shown file, with what can be done to it: another name, away, a new one beside it.
#[component]
fn PathLine(props: &PathLineProps) -> Html {
    let words = use_words();
    let tell = use_tell();
    let asking = use_state(|| None::<&'static str>);
    let field = use_node_ref();
    let begin = |what: &'static str| {
        let asking = asking.clone();
        move |_: MouseEvent| asking.set(Some(what))
    };
    {
        let field = field.clone();
        use_effect_with(*asking, move |asking| {
            if let (Some(_), Some(input)) = (asking, field.cast::<HtmlInputElement>()) {
                let _ = input.focus();
                let name = input.value().rfind('/').map_or(0, |at| at + 1) as u32;
                let _ = input.set_selection_range(name, input.value().len() as u32);
            }
        });
    }
    let remove = {
        let (on_do, path, tell, words) = (props.on_do.clone(), props.path.clone(), tell, words.clone());
        move |_: MouseEvent| {
            on_do.emit(Action::Remove { path: path.clone(), node: None });
            tell.emit(Notice::new(words.with("files.removed", &[("file", short(&path))])));
        }
    };
    let cancel = {
        let asking = asking.clone();
        move |_: MouseEvent| asking.set(None)
    };
    let escape = {
        let asking = asking.clone();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.prevent_default();
                asking.set(None);
            }
        }
    };
    let submit = {
        let (asking, field, files) = (asking.clone(), field.clone(), props.files.clone());
        let (on_do, on_turn, from) = (props.on_do.clone(), props.on_turn.clone(), props.path.clone());
        move |event: SubmitEvent| {
            event.prevent_default();
            let Some(to) = field.cast::<HtmlInputElement>().map(|input| input.value().trim().to_string())
            else {
                return;
            };
            let taken = files.text(&to).is_some();
            match *asking {
                Some("new") if !taken => on_do.emit(Action::Write {
                    path: to.clone(),
                    text: String::new(),
                    part: false,
                    node: None,
                }),
                Some("new") => {}
                _ => on_do.emit(Action::Rename { from: from.clone(), to: to.clone(), node: None }),
            }
            // A name that is taken is refused with a word; the field stays for another one.
            if !taken || *asking == Some("new") {
                asking.set(None);
                on_turn.emit(Turn::Open(to));
            }
        }
    };
    match *asking {
        None => html! {
            <div class="path-line">
                <code class="path">{ &props.path }</code>
                <button type="button" class="button quiet" data-do="new-file" onclick={begin("new")}>{ words.t("files.new") }</button>
                if !props.main {
                    <button type="button" class="button quiet" data-do="rename" onclick={begin("rename")}>{ words.t("files.rename") }</button>
                    <button type="button" class="button quiet" data-do="remove" onclick={remove}>{ words.t("files.remove") }</button>
                }
            </div>
        },
        Some(what) => html! {
            <form class="path-line" onsubmit={submit}>
                <input ref={field} class="field mono path" required=true pattern="/.+" onkeydown={escape}
                    aria-label={words.t(if what == "new" { "files.new_path" } else { "files.rename_path" })}
                    value={if what == "new" { format!("{}new.toml", props.folder) } else { props.path.clone() }} />
                <button type="submit" class="button strong">{ words.t(if what == "new" { "files.make" } else { "files.rename" }) }</button>
                <button type="button" class="button quiet" onclick={cancel}>{ words.t("files.cancel") }</button>
            </form>
        },
    }
}

/// Properties of [`EditorPane`].
#[derive(Properties, PartialEq)]
struct EditorPaneProps {
    node: AttrValue,
    path: String,
    text: String,
    views: Same<Views>,
    reveal: Option<Reveal>,
    past: bool,
    on_held: Callback<Held>,
    on_type: Callback<(String, String)>,
}

/// The editor, or what stands in for it.
#[component]
fn EditorPane(props: &EditorPaneProps) -> Html {
    let words = use_words();
    let place = use_node_ref();
    let field = use_node_ref();
    let mounted = use_mut_ref(|| None::<Mounted>);
    // 0: on the way, 1: here, 2: did not arrive.
    let arrived = use_state(|| 0u8);
    {
        let (place, mounted, arrived, on_type) =
            (place.clone(), mounted.clone(), arrived.setter(), props.on_type.clone());
        let on_held = props.on_held.clone();
        use_effect_with((), move |()| {
            let alive = Rc::new(Cell::new(true));
            let still = alive.clone();
            let slot = mounted.clone();
            wasm_bindgen_futures::spawn_local(async move {
                // The page is drawn and answers before the editor is fetched.
                gloo_timers::future::TimeoutFuture::new(30).await;
                let Some(place) = place.cast::<Element>() else { return };
                let type_on = move |path, text| on_type.emit((path, text));
                let made = Mounted::load(place, type_on, move || on_held.emit(Held::Nothing)).await;
                if still.get() {
                    arrived.set(if made.is_ok() { 1 } else { 2 });
                    *slot.borrow_mut() = made.ok();
                    // Everything that the first look needs is here now.
                    page::keep_for_offline();
                }
            });
            move || {
                alive.set(false);
                mounted.borrow_mut().take();
            }
        });
    }
    {
        let mounted = mounted.clone();
        use_effect_with((props.past, *arrived), move |(past, _)| {
            if let Some(editor) = &*mounted.borrow() {
                editor.lock(*past);
            }
        });
    }
    let at = format!("{}:{}", props.node, props.path);
    let label = words.with("editor.label", &[("file", &at)]);
    let faults = faults_of(&props.path, &props.views, &words);
    {
        let (mounted, words) = (mounted.clone(), words.clone());
        use_effect_with((words.lang, *arrived), move |_| {
            if let Some(editor) = &*mounted.borrow() {
                editor.speak(&words.below("editor.phrase"));
            }
        });
    }
    {
        let (mounted, faults, words) = (mounted.clone(), faults.clone(), words.clone());
        let path = props.path.clone();
        let shown = (at.clone(), props.text.clone(), props.views.clone(), label.clone(), *arrived);
        use_effect_with(shown, move |(at, text, views, label, _)| {
            if let Some(editor) = &*mounted.borrow() {
                editor.open(at, text, label);
                editor.mark(&faults, &lost_of(&path, text, views, &words));
            }
        });
    }
    {
        let (mounted, field) = (mounted.clone(), field.clone());
        use_effect_with(props.reveal.clone(), move |reveal| {
            let Some(Reveal { at, .. }) = reveal else { return };
            match &*mounted.borrow() {
                Some(editor) => editor.reveal(at.line, at.column),
                None => reveal_plain(&field, at.line),
            }
        });
    }
    let oninput = {
        let on_type = props.on_type.clone();
        move |event: InputEvent| {
            on_type.emit((at.clone(), event.target_unchecked_into::<HtmlTextAreaElement>().value()))
        }
    };
    html! {
        <>
            <div ref={place} class={classes!("editor", (*arrived != 1).then_some("away"))}></div>
            if *arrived != 1 {
                <textarea ref={field} class="field mono plain-editor" spellcheck="false" autocapitalize="off" aria-label={label}
                    value={props.text.clone()} readonly={props.past} {oninput} />
                <p class="editor-note">{ words.t(if *arrived == 0 { "editor.coming" } else { "editor.absent" }) }</p>
                if let Some(fault) = faults.first() {
                    <p class="editor-fault" role="status">{ rich(&format!("{}:{} {}", fault.line, fault.column, fault.message)) }</p>
                }
            }
        </>
    }
}

/// Puts the cursor of the plain field at the start of a line.
fn reveal_plain(field: &NodeRef, line: u32) {
    let Some(field) = field.cast::<HtmlTextAreaElement>() else { return };
    let text = field.value();
    let before: usize = text
        .split_inclusive('\n')
        .take(line.saturating_sub(1) as usize)
        .map(|l| l.encode_utf16().count())
        .sum();
    let _ = field.focus();
    let _ = field.set_selection_range(before as u32, before as u32);
}
