//! What the work amounts to: goals, marked answers, progress; and the voice that says what changed.

use crate::components::gaps::{behind_sentence, gap_sentence, late_sentence, note_sentence};
use crate::daemon::{Behind, Daemon};
use crate::fetch::FetchFault;
use crate::i18n::{Words, use_words};
use crate::same::Same;
use crate::shelf::{self, Case};
use crate::state::{Bench, Views};
use crate::storage::Progress;
use fourgaps_cluster::Verdict;
use fourgaps_config::daemon::Machine;
use fourgaps_lab::{GoalView, Marked, Question, Recording, Texts, Told, goals, mark};
use fourgaps_view::{LoadedView, NextStartView};
use gloo_timers::callback::Timeout;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::prelude::*;

/// What the work amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The goals in order.
    pub goals: Vec<GoalView>,
    /// Hidden nodes that the learner's script was wrong about.
    pub wrong: Vec<Verdict>,
    /// Answered questions, marked; the error says why one cannot be judged.
    pub marks: BTreeMap<String, Result<Marked, String>>,
    /// Recordings that did not arrive.
    pub fault: Option<FetchFault>,
    /// Asks for them again.
    pub retry: Callback<()>,
    questions: usize,
}

impl Outcome {
    /// How far the lab is done.
    pub fn progress(&self) -> Progress {
        let right = self.marks.values().filter(|m| m.as_ref().is_ok_and(|m| m.right)).count();
        let goals_met = self.goals.iter().filter(|g| g.met).count();
        Progress { goals_met, goals: self.goals.len(), right, questions: self.questions }
    }

    /// True where the goal of this name is met.
    pub fn met(&self, goal: &str) -> bool {
        self.goals.iter().any(|g| g.id == goal && g.met)
    }
}

/// A recorded case beside what the simulator makes of the same files.
struct JudgedCase {
    case: Case,
    simulated: Option<Recording>,
}

impl JudgedCase {
    fn of(case: Case, question: &Question) -> Self {
        let main = &question.config;
        let simulated = case.node.as_ref().map(|(files, version)| {
            let dumped = Recording::of(&NextStartView::of(version, files, main));
            if case.recording.live.is_none() {
                return dumped;
            }
            let loaded = LoadedView::of(version, files, main, &Machine::recorded());
            dumped.clone().with_live(&loaded.text()).unwrap_or(dumped)
        });
        Self { case, simulated }
    }
}

/// A case by name, version, whether the daemon was asked, and what of a cluster's recording is read.
type CaseKey = (String, String, bool, Option<Told>);

/// Recorded cases.
type Cases = BTreeMap<CaseKey, Same<JudgedCase>>;

fn key_of(question: &Question) -> CaseKey {
    (question.case.clone(), question.containerd.clone(), question.read.is_live(), question.told.clone())
}

/// Goals at once; marks as soon as the recordings are here.
#[hook]
pub fn use_outcome(bench: &UseReducerHandle<Bench>, texts: &Rc<Texts>) -> Rc<Outcome> {
    let scenario = &bench.lab.scenario;
    let answers = bench.state().answers.clone();
    let answered = answers.keys().filter_map(|id| scenario.question(id)).cloned().collect();
    let (cases, fault, retry) = use_cases(answered);
    let goals = {
        let bench = bench.clone();
        let key = (bench.files_edition, bench.home.clone(), texts.clone());
        use_memo(key, move |(_, views, texts)| {
            let state = bench.state();
            let wrong = state.world.graded().iter().filter(|verdict| !verdict.right).cloned();
            (goals(&bench.lab.scenario, texts, state, &views.next, &views.explain), wrong.collect::<Vec<_>>())
        })
    };
    let marks = {
        let lab = bench.lab.clone();
        use_memo((answers, cases, texts.clone()), move |(answers, cases, texts)| {
            let mut marks = BTreeMap::new();
            for (id, answer) in answers {
                let Some(question) = lab.scenario.question(id) else { continue };
                let Some(judged) = cases.get(&key_of(question)) else { continue };
                let marked = mark(question, texts, answer, judged.simulated.as_ref(), &judged.case.recording);
                marks.insert(id.clone(), marked);
            }
            marks
        })
    };
    let questions = scenario.questions.len();
    use_memo((goals, marks, fault, retry), move |(goals, marks, fault, retry)| Outcome {
        goals: goals.0.clone(),
        wrong: goals.1.clone(),
        marks: (**marks).clone(),
        fault: fault.clone(),
        retry: retry.clone(),
        questions,
    })
}

/// The recorded cases of the questions that were answered: each is fetched once, when it is first wanted.
#[hook]
fn use_cases(answered: Vec<Question>) -> (Same<Cases>, Option<FetchFault>, Callback<()>) {
    let shelf = use_mut_ref(Cases::new);
    let here = use_state(|| Same::new(Cases::new()));
    let fault = use_state(|| None::<FetchFault>);
    let tries = use_state(|| 0u32);
    {
        let (shelf, here, fault) = (shelf.clone(), here.setter(), fault.setter());
        let mut wanted = fourgaps_base::map_of(answered.into_iter().map(|q: Question| (key_of(&q), q)));
        wanted.retain(|key, _| !shelf.borrow().contains_key(key));
        let keys: Vec<_> = wanted.keys().cloned().collect();
        use_effect_with((keys, *tries), move |(keys, _)| {
            if keys.is_empty() {
                return;
            }
            fault.set(None);
            wasm_bindgen_futures::spawn_local(async move {
                let index = match shelf::results().await {
                    Ok(index) => index,
                    Err(why) => return fault.set(Some(why)),
                };
                let index = &index;
                let asked = wanted.values().map(|q| async move { (q, shelf::case(index, q).await) });
                for (question, found) in futures_util::future::join_all(asked).await {
                    match found {
                        Ok(case) => {
                            let judged = JudgedCase::of(case, question);
                            shelf.borrow_mut().insert(key_of(question), Same::new(judged));
                        }
                        Err(why) => fault.set(Some(why)),
                    }
                }
                here.set(Same::new(shelf.borrow().clone()));
            });
        });
    }
    let retry = {
        let now = *tries;
        let tries = tries.setter();
        use_callback(now, move |(), now| tries.set(*now + 1))
    };
    ((*here).clone(), (*fault).clone(), retry)
}

/// Properties of [`Announcer`].
#[derive(Properties, PartialEq)]
pub struct AnnouncerProps {
    /// What is to be seen.
    pub views: Same<Views>,
    /// The process of the node, and what runs there.
    pub daemon: Same<Daemon>,
    /// What it amounts to.
    pub outcome: Rc<Outcome>,
    /// True where the lab has machines to speak of.
    pub has_machines: bool,
    /// Counts changes of the files.
    pub edition: u32,
}

/// Milliseconds of quiet before a change is spoken, so that typing does not chatter.
const QUIET: u32 = 450;

/// Says what a change did, for those who do not see it.
#[component]
pub fn Announcer(props: &AnnouncerProps) -> Html {
    let words = use_words();
    let said = use_state(AttrValue::default);
    let mut parts = if props.has_machines { node_sentences(&words, props) } else { Vec::new() };
    let met = props.outcome.goals.iter().filter(|g| g.met).count();
    let goals = props.outcome.goals.len().to_string();
    parts.push(words.with("say.goals", &[("met", &met.to_string()), ("goals", &goals)]).to_string());
    let text = AttrValue::from(parts.join(" "));
    {
        let said = said.setter();
        use_effect_with((props.edition, met), move |(edition, _)| {
            let timer = (*edition > 0).then(|| Timeout::new(QUIET, move || said.set(text)));
            move || drop(timer)
        });
    }
    html! { <div class="hidden" role="status" aria-live="polite" id="announcer">{ (*said).clone() }</div> }
}

/// What is to be said of the node.
fn node_sentences(words: &Words, props: &AnnouncerProps) -> Vec<String> {
    let names: Vec<&str> = props.views.next.handlers.iter().map(|h| h.name.as_str()).collect();
    let mut parts = vec![match names.len() {
        0 => words.t("say.none").to_string(),
        n => words.count_with("say.next", n, &[("names", &words.list(&names))]).to_string(),
    }];
    let version = &props.views.next.containerd;
    let gaps = props.daemon.gaps_left(&props.views.gaps);
    parts.extend(gaps.first().map(|gap| gap_sentence(words, gap, version).replace('`', "")));
    let behind = props.daemon.behind();
    if behind != Behind::No {
        parts.push(behind_sentence(words, &behind).replace('`', ""));
    }
    let late = props.daemon.late.first();
    parts.extend(late.map(|late| late_sentence(words, late).replace('`', "")));
    let notes = props.daemon.notes.first();
    parts.extend(notes.map(|note| note_sentence(words, note, version).replace('`', "")));
    if gaps.is_empty() && late.is_none() && notes.is_none() && behind == Behind::No {
        parts.push(words.t("strip.none").to_string());
    }
    parts
}
