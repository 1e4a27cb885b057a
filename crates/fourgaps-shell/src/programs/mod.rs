//! Programs that the interpreter lacks, does differently, or cannot know: one file for each kind.

mod awk;
mod clock;
mod cut;
mod date;
mod diff;
mod files;
mod guard;
mod help;
mod identity;
mod installed;
mod jq;
mod kinds;
mod ls;
mod mended;
mod mktemp;
mod moment;
mod nohup;
mod options;
mod remote;
mod root;
mod scripts;
mod stat;
mod tee;
mod timeout;
mod touch;
mod tr;
mod xargs;

use crate::command::Command;
use crate::login::Seat;
use crate::world::World;
pub(crate) use awk::reads_nothing;
use bashkit::Builtin;
pub(crate) use guard::guard;
use help::Helpful;
pub(crate) use installed::{ByPath, is_folder};
use mended::Mended;
pub(crate) use nohup::SIGHUP_IGNORED;
pub(crate) use scripts::{Enlist, Scripts};
use std::sync::Arc;
pub(crate) use timeout::Deadline;

/// The names of [`with_lines`].
pub(crate) const WITH_LINES: [&str; 16] = [
    "awk", "ssh", "sudo", "logout", "nohup", "watch", "history", "cmp", "cut", "diff", "sleep", "tee",
    "timeout", "type", "which", "xargs",
];

/// The programs that need no interpreter.
pub(crate) fn plain<W: World>() -> Vec<Arc<dyn Command<W>>> {
    let mut all: Vec<Arc<dyn Command<W>>> = vec![
        Arc::new(ls::Ls),
        Arc::new(stat::Stat),
        Arc::new(mktemp::Mktemp),
        Arc::new(jq::Jq),
        Arc::new(date::Date),
        Arc::new(touch::Touch),
        Arc::new(tr::Tr),
    ];
    all.extend(files::FileProgram::all().map(|program| Arc::new(program) as Arc<dyn Command<W>>));
    all.extend(identity::Identity::all().map(|program| Arc::new(program) as Arc<dyn Command<W>>));
    all
}

/// The programs that run lines or know the login that they are in.
pub(crate) fn with_lines<W: World>(seat: &Seat<W>) -> Vec<(&'static str, Arc<dyn Builtin>)> {
    let mut all: Vec<(&'static str, Arc<dyn Builtin>)> = vec![
        ("awk", Arc::new(awk::Awk { seat: seat.clone() })),
        ("ssh", Arc::new(remote::Ssh { seat: seat.clone() })),
        ("sudo", Arc::new(root::Sudo { known: seat.shared.names.clone() })),
        ("logout", Arc::new(remote::Logout { seat: seat.clone() })),
        ("nohup", Arc::new(nohup::Nohup)),
        ("watch", Arc::new(clock::Watch)),
        ("history", Arc::new(clock::History { seat: seat.clone() })),
        ("cut", Arc::new(cut::Cut)),
        ("diff", Arc::new(diff::Diff { seat: seat.clone() })),
        ("sleep", Arc::new(clock::Sleep { seat: seat.clone() })),
        ("tee", Arc::new(tee::Tee)),
        ("timeout", Arc::new(timeout::Timeout { seat: seat.clone() })),
        ("type", Arc::new(kinds::Type)),
        ("which", Arc::new(installed::Which)),
        ("xargs", Arc::new(xargs::Xargs { seat: seat.clone() })),
    ];
    for (name, status) in [(":", 0), ("true", 0), ("false", 1)] {
        all.push((name, Arc::new(clock::Idle { seat: seat.clone(), status })));
    }
    for name in Mended::<W>::NAMES {
        all.push((name, Arc::new(Mended::new(name, seat))));
    }
    all.into_iter()
        .map(|(name, program)| (name, Arc::new(Helpful { name, program }) as Arc<dyn Builtin>))
        .collect()
}
