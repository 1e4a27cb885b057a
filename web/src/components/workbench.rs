//! A lab on the bench: the parts of the page, put together.

use crate::components::ablate::Ablate;
use crate::components::cluster::ClusterPart;
use crate::components::dump::Dump;
use crate::components::files::Files;
use crate::components::late::LateView;
use crate::components::outcome::{Announcer, use_outcome};
use crate::components::parts::{Parts, SIDES, Tabs, skip_to, tabs};
use crate::components::shell::{ShellPart, Wish, WishKind};
use crate::components::strip::Strip;
use crate::components::task::Task;
use crate::components::toast::{Notice, use_tell};
use crate::components::toolbar::{Toolbar, WorkWish};
use crate::components::why::WhyPanel;
use crate::desk::{Desk, Part, Turn, on_control};
use crate::i18n::use_words;
use crate::keys::{KeyWish, use_keys};
use crate::later::use_later;
use crate::meter::Meter;
use crate::past::{Held, Said, hear, hold, told};
use crate::same::Same;
use crate::state::{Bench, Lab, Step};
use crate::terminal::Mounted;
use crate::work_io::{Begin, carry_out, use_saving};
use crate::{page, storage};
use fourgaps_cluster::{CONTROL, EPOCH_MS};
use fourgaps_lab::{Action, Texts};
use fourgaps_view::Source;
use std::rc::Rc;
use yew::prelude::*;

/// Properties of [`Workbench`].
#[derive(Properties, PartialEq)]
pub struct WorkbenchProps {
    /// The lab.
    pub lab: Same<Lab>,
    /// Its texts.
    pub texts: Rc<Texts>,
    /// Where to begin.
    pub begin: Begin,
}

/// The page of a lab.
#[component]
pub fn Workbench(props: &WorkbenchProps) -> Html {
    let words = use_words();
    let tell = use_tell();
    let meter = use_memo((), |()| Meter::default());
    let scenario = &props.lab.scenario;
    let bench = {
        let (lab, work) = (props.lab.clone(), props.begin.work.clone());
        use_reducer(move || {
            let node = storage::node(&lab.scenario.slug);
            Bench::new(lab, work, node.as_deref())
        })
    };
    let desk = {
        let first = first_file(&scenario.config, props.lab.listed(&bench.chosen));
        let count = scenario.count.clone();
        use_reducer(move || Desk::new(first, count))
    };
    let outcome = use_outcome(&bench, &props.texts);
    use_later(&bench, desk.beside);
    let save = use_memo(bench.edition, |_| bench.work.save());
    use_saving(&props.lab, &bench, &save, &outcome, &props.begin);
    {
        let title = format!("{} · fourgaps", props.texts.title);
        use_effect_with(title, |title| page::set_title(title));
    }
    {
        let (tell, words, refused) = (tell.clone(), words.clone(), bench.refused.clone());
        use_effect_with(bench.edition, move |edition| {
            if let Some(refused) = refused {
                tell.emit(crate::work_io::refusal_notice(&words, &refused));
            } else if *edition > 0 {
                tell.emit(Notice::hush());
            }
        });
    }
    {
        let meter = meter.clone();
        let shown = bench.shown.as_ref().map(|shown| shown.point);
        use_effect_with((bench.edition, shown, desk.clone()), move |_| {
            meter.drawn();
        });
    }

    let on_act = {
        let (bench, meter) = (bench.dispatcher(), meter.clone());
        use_callback((), move |action: Action, ()| {
            meter.begin();
            bench.dispatch(Step::Do(action));
        })
    };
    let panel = use_state(|| None::<Same<Mounted>>);
    let on_panel = {
        let panel = panel.setter();
        use_callback((), move |mounted: Same<Mounted>, ()| panel.set(Some(mounted)))
    };
    let wish = {
        // A node that was chosen on an earlier visit has its terminal in front, too.
        let first = scenario.nodes.first().is_some_and(|node| node.spec.name == bench.chosen);
        let show = (!first).then(|| Wish { what: WishKind::Show(bench.chosen.clone()), nth: 0 });
        use_state(|| show)
    };
    let on_shell = {
        let (setter, nth) = (wish.setter(), wish.as_ref().map_or(1, |wish| wish.nth + 1));
        use_callback(nth, move |what: WishKind, nth| setter.set(Some(Wish { what, nth: *nth })))
    };
    // What a button does is also said in the terminal, as the command that does the same.
    // The callback itself never changes, so that a key press draws no more than it must.
    let latest = use_mut_ref(|| None::<(UseReducerHandle<Bench>, Callback<WishKind>)>);
    *latest.borrow_mut() = Some((bench.clone(), on_shell.clone()));
    let on_held = {
        let latest = latest.clone();
        use_callback((), move |held: Held, ()| {
            if let Some((bench, on_shell)) = &*latest.borrow() {
                hold(bench, on_shell, held);
            }
        })
    };
    let on_do = {
        let (on_act, on_held, latest) = (on_act.clone(), on_held.clone(), latest.clone());
        use_callback((), move |action: Action, ()| {
            let mut action = action;
            let mut past = false;
            if let Some((bench, on_shell)) = &*latest.borrow() {
                let state = bench.state();
                action = action.on_node(&bench.chosen, state.node(None).name());
                past = bench.shown.is_some();
                if let Some(line) = action.as_command(&bench.lab.scenario, state).filter(|_| !past) {
                    on_shell.emit(WishKind::Echo(bench.chosen.clone(), line));
                }
            }
            if past {
                on_held.emit(Held::Action(action));
            } else {
                on_act.emit(action);
            }
        })
    };
    let on_line = on_held.reform(|(host, line)| Held::Line(host, line));
    let on_say = {
        let (meter, latest) = (meter.clone(), latest.clone());
        use_callback((), move |text: String, ()| {
            meter.begin();
            if let (Some((bench, on_shell)), Some(said)) = (&*latest.borrow(), Said::parse(&text)) {
                hear(bench, on_shell, said);
            }
        })
    };
    let told_past = use_memo(bench.shown.clone(), |shown| told(shown.as_ref()));
    let on_run = {
        let node = bench.chosen.clone();
        on_shell.reform(move |line: &'static str| WishKind::Run(node.clone(), line.into()))
    };
    let on_host = {
        let bench = bench.dispatcher();
        use_callback((), move |node: String, ()| bench.dispatch(Step::Choose(node)))
    };
    let on_choose = {
        let (on_host, on_shell) = (on_host.clone(), on_shell.clone());
        Callback::from(move |node: String| {
            on_host.emit(node.clone());
            on_shell.emit(WishKind::Show(node));
        })
    };
    {
        let slug = scenario.slug.clone();
        let key = (bench.chosen.clone(), bench.files_edition > 0);
        use_effect_with(key, move |(node, moved)| {
            if *moved {
                storage::keep_node(&slug, node);
            }
        });
    }
    let on_turn = {
        let desk = desk.dispatcher();
        use_callback((), move |turn: Turn, ()| desk.dispatch(turn))
    };
    let on_jump = {
        let on_turn = on_turn.clone();
        use_callback((), move |at: Source, ()| on_turn.emit(Turn::Jump(at)))
    };
    let on_wish = {
        let (bench, meter, words, tell) = (bench.clone(), meter.clone(), words.clone(), tell.clone());
        Callback::from(move |wish: WorkWish| {
            meter.begin();
            carry_out(wish, &bench, &words, &tell);
        })
    };
    {
        let (on_wish, on_turn) = (on_wish.clone(), on_turn.clone());
        use_keys(Callback::from(move |wish| match wish {
            KeyWish::Undo => on_wish.emit(WorkWish::Undo),
            KeyWish::Redo => on_wish.emit(WorkWish::Redo),
            KeyWish::Close => on_turn.emit(Turn::Close),
        }));
    }
    let on_ablated = {
        let bench = bench.dispatcher();
        use_callback((), move |(edition, view), ()| bench.dispatch(Step::Ablated(edition, view)))
    };

    let (home, version) = (bench.node().version().name(), bench.version().name());
    use_effect_with((home, version), |(_, version)| page::choose("version", version));
    let on_version = {
        // The node's own version is the one that looks where none is chosen.
        on_do.reform(move |containerd: String| Action::Version {
            containerd: if containerd == home { String::new() } else { containerd },
        })
    };
    let compared = bench.beside.clone().filter(|(_, b)| Some(b.upgrade.to.as_str()) == desk.beside);
    let compared = compared.map(|(edition, beside)| (edition == bench.files_edition, beside));
    let state = bench.state();
    let past = bench.shown.as_ref().map(|shown| EPOCH_MS + shown.state.world.now_ms());
    let files = use_memo(bench.files_edition, |_| bench.node().files().clone());
    let views = &bench.views;
    let has_cluster = scenario.has_cluster();
    // Where there is no machine, there are no files and no next start to look at.
    let has_machines = !scenario.nodes.is_empty();
    let control = use_memo(bench.edition, |_| state.world.files(CONTROL).cloned().unwrap_or_default());
    // A file of the control host, which may be gone again.
    let edits = on_control(&desk.file).is_some_and(|path| control.text(path).is_some());
    let has_files = has_machines || edits;
    let parts: Parts = Part::of(has_machines, has_files, has_cluster).into();
    // The part of the files goes where the last of them is closed.
    let part = if has_files || desk.part != Part::Files { desk.part } else { Part::Shell };
    let side = if has_machines { desk.side } else { Part::Cluster };
    let stalled = use_state(|| false);
    let on_stalled = {
        let stalled = stalled.setter();
        use_callback((), move |now: bool, ()| stalled.set(now))
    };
    html! {
        <div class={classes!("page", desk.beside.map(|_| "comparing"), past.map(|_| "past"))} onclick={put_command(&on_shell, &on_turn)} data-part={part.name()} data-side={side.name()} data-gaps={views.gaps.len().to_string()}>
            <nav class="skip" aria-label={words.t("skip.label")}>
                { for parts.iter().map(|(part, name)| html! {
                    <a href={page::address(&page::hash())} onclick={skip_to(*part, &on_turn)}>{ words.t(&format!("part.{name}")) }</a>
                }) }
            </nav>
            <Toolbar title={props.texts.title.clone()} versions={has_machines.then(|| (home.into(), version.into()))} {on_version}
                can_undo={bench.work.can_undo()} can_redo={bench.work.can_redo()} on_wish={Some(on_wish)} />
            <main class={classes!("bench", if has_machines { has_cluster.then_some("sided") } else { Some("light") }, edits.then_some("edits"))}>
                if has_machines {
                <Strip lab={props.lab.clone()} node={bench.chosen.clone()} signs={bench.signs.clone()} on_choose={on_choose.clone()} views={views.clone()} daemon={bench.daemon.clone()} late={bench.later_edition != bench.files_edition} asked={desk.why.clone()} on_jump={on_jump.clone()} on_turn={on_turn.clone()} {on_run} />
                }
                { tabs(&words, Tabs { class: "parts", tab: "tab", parts: parts.clone(), part, stalled: *stalled }, &on_turn) }
                if has_machines && has_cluster {
                    { tabs(&words, Tabs { class: "sides", tab: "side", parts: SIDES.into(), part: side, stalled: *stalled }, &on_turn) }
                }
                <Task lab={props.lab.clone()} texts={props.texts.clone()} outcome={outcome.clone()} hints_shown={state.hints_shown}
                    answers={state.answers.clone()} {home} away={(version != home).then_some(version)} on_do={on_do.clone()} />
                if has_files {
                <Files lab={props.lab.clone()} node={bench.chosen.clone()} files={files.clone()} {control} {has_machines} views={views.clone()} shown={desk.file.clone()}
                    reveal={desk.reveal.clone()} past={past.is_some()} {on_held} on_do={on_do.clone()} on_turn={on_turn.clone()} />
                }
                <ShellPart lab={props.lab.clone()} {save} wish={(*wish).clone()} on_do={on_act.clone()} on_jump={on_jump.clone()} {on_host} {on_panel} {past} on_held={on_line} />
                if has_machines {
                <section class="next" id="part-next" tabindex="-1" aria-label={words.t("part.next")}>
                    <Dump beside={desk.beside} compared={compared} views={views.clone()} files={files.clone()} counted={desk.counted.clone()} why={desk.why.clone()}
                        on_jump={on_jump.clone()} on_turn={on_turn.clone()} />
                    if let Some(why) = &desk.why {
                        <WhyPanel why={why.clone()} views={views.clone()} files={files.clone()} counted={desk.counted.clone()}
                            ablate={bench.ablate.clone()} {on_jump} on_turn={on_turn.clone()} />
                    }
                    if desk.beside.is_none() {
                    <Ablate lab={props.lab.clone()} {version} {files} edition={bench.files_edition} table={bench.ablate.clone()} table_edition={bench.ablate_edition}
                        asked={desk.why.clone()} {on_ablated} {on_turn} />
                    }
                </section>
                }
                if has_cluster {
                    <ClusterPart panel={(*panel).clone()} node={bench.chosen.clone()} past={past.is_some()} {on_choose} {on_stalled} />
                }
            </main>
            <LateView name="timeline" panel={(*panel).clone()} told={told_past} {on_say} />
            <Announcer views={views.clone()} daemon={bench.daemon.clone()} {outcome} {has_machines} edition={bench.files_edition} />
        </div>
    }
}

/// A command in a text goes to the prompt when it is clicked; the reader runs it.
fn put_command(on_shell: &Callback<WishKind>, on_turn: &Callback<Turn>) -> Callback<MouseEvent> {
    let (on_shell, on_turn) = (on_shell.clone(), on_turn.clone());
    Callback::from(move |event: MouseEvent| {
        let clicked = event.target_dyn_into::<web_sys::Element>();
        if let Some(line) = clicked.and_then(|element| element.get_attribute("data-put")) {
            on_turn.emit(Turn::Show(Part::Shell));
            on_shell.emit(WishKind::Put(line));
        }
    })
}

/// The file to show first: the first that is not the main file, where the story usually lies.
fn first_file(main: &String, files: &[String]) -> String {
    files.iter().find(|path| *path != main).unwrap_or(main).clone()
}
