//! The past on the page: which moment is shown, what the reader wants to do there, and the words between page and time line.

use crate::components::shell::WishKind;
use crate::state::{Bench, Step};
use fourgaps_lab::{Action, Moments, Point, State};
use std::rc::Rc;
use yew::{Callback, UseReducerHandle};

/// A moment that is shown in place of now.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The moment.
    pub point: Point,
    /// What was the case.
    pub state: Rc<State>,
    /// Behind how many actions one goes on from here.
    pub behind: u32,
    /// How many actions come later.
    pub later: u32,
    /// What the reader wants to do, until it is confirmed that later steps are set aside.
    pub held: Option<Held>,
}

/// What the reader wants to do while the past is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Held {
    /// Only to go on from there.
    Nothing,
    /// Something on the page.
    Action(Action),
    /// A line on a machine.
    Line(String, String),
}

impl Shown {
    /// A moment of a run. `near` is what is shown already.
    pub fn of(moments: &Moments, point: Point, near: Option<&Self>) -> Self {
        let state = moments.state(point, near.map(|shown| (shown.point, &*shown.state)));
        let behind = moments.goes_on_behind(point);
        Self { point, state: Rc::new(state), behind, later: moments.actions() - behind, held: None }
    }

    /// True where going on from here is more than coming back: it sets steps aside, or begins elsewhere than is shown.
    pub fn asks(&self) -> bool {
        self.later > 0 || matches!(self.point, Point::Past(_))
    }
}

/// What the time line tells the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A moment is to be shown.
    Show(Point),
    /// Now is to be shown.
    Now,
    /// The reader wants to go on from here.
    GoOn,
    /// Later steps may be set aside.
    Confirm,
    /// They may not.
    Cancel,
}

impl Said {
    /// Takes its words apart; nothing where they are none.
    pub fn parse(text: &str) -> Option<Self> {
        let number = |word: &str| word.parse::<u32>().ok();
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            ["show", "past", facts] => Some(Self::Show(Point::Past(number(facts)?))),
            ["show", "run", done, facts] => Some(Self::Show(Point::Run(number(done)?, number(facts)?))),
            ["now"] => Some(Self::Now),
            ["go", "on"] => Some(Self::GoOn),
            ["confirm"] => Some(Self::Confirm),
            ["cancel"] => Some(Self::Cancel),
            _ => None,
        }
    }
}

/// What the page tells the time line, as JSON: whether the past is shown, and the question whether to go on from there.
pub fn told(shown: Option<&Shown>) -> String {
    let Some(Shown { point, later, held, .. }) = shown else { return r#"{"past":false}"#.into() };
    let how = match point {
        Point::Past(_) => "start",
        Point::Run(_, 0) => "here",
        Point::Run(..) => "end",
    };
    match held {
        None => r#"{"past":true}"#.into(),
        Some(_) => format!(r#"{{"past":true,"ask":{{"n":{later},"how":"{how}"}}}}"#),
    }
}

/// Something is to be done while the past is shown: that asks first, where later steps would be set aside.
pub fn hold(bench: &UseReducerHandle<Bench>, on_shell: &Callback<WishKind>, held: Held) {
    if bench.shown.as_ref().is_some_and(Shown::asks) {
        bench.dispatch(Step::Hold(Some(held)));
    } else {
        go_on(bench, on_shell, held);
    }
}

/// Goes on from the moment that is shown, with what was held.
fn go_on(bench: &UseReducerHandle<Bench>, on_shell: &Callback<WishKind>, held: Held) {
    match held {
        Held::Action(action) => bench.dispatch(Step::GoOn(Some(action))),
        Held::Nothing => bench.dispatch(Step::GoOn(None)),
        Held::Line(host, line) => {
            bench.dispatch(Step::GoOn(None));
            on_shell.emit(WishKind::Run(host, line));
        }
    }
}

/// Does what the time line says.
pub fn hear(bench: &UseReducerHandle<Bench>, on_shell: &Callback<WishKind>, said: Said) {
    match said {
        Said::Show(point) => bench.dispatch(Step::Show(Some(point))),
        Said::Now => bench.dispatch(Step::Show(None)),
        Said::GoOn => hold(bench, on_shell, Held::Nothing),
        Said::Cancel => bench.dispatch(Step::Hold(None)),
        Said::Confirm => {
            if let Some(held) = bench.shown.as_ref().and_then(|shown| shown.held.clone()) {
                go_on(bench, on_shell, held);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_time_line_are_understood() {
        assert_eq!(Said::parse("show past 7"), Some(Said::Show(Point::Past(7))));
        assert_eq!(Said::parse("show run 3 0"), Some(Said::Show(Point::Run(3, 0))));
        assert_eq!(Said::parse("go on"), Some(Said::GoOn));
        for nonsense in ["", "show", "show run 3", "show past -1", "now now"] {
            assert_eq!(Said::parse(nonsense), None);
        }
    }
}
