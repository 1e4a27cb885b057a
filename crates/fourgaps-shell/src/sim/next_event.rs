//! `next-event`, a command of this lab: time passes until something happens.

use super::Machines;
use crate::command::{Call, Command};

pub(super) struct NextEvent;

const NAME: &str = "next-event";

/// How long it waits at most, in ms: a day.
const MOST_MS: u64 = 86_400_000;

impl Command<Machines> for NextEvent {
    fn name(&self) -> &str {
        NAME
    }

    fn help(&self) -> String {
        "Usage: next-event\n\nSimulated here, and on no real machine: time passes until something happens on a machine or in the cluster, \
         a day at most.\nThe exit status is 0 where something happened, 1 where nothing did.\n"
            .into()
    }

    fn run(&self, call: &mut Call<'_, Machines>) -> i32 {
        if let [word, ..] = call.args {
            return call.not_simulated(NAME, word);
        }
        let begun_ms = call.world.world.now_ms();
        let until_ms = begun_ms.saturating_add(MOST_MS);
        while call.world.world.now_ms() < until_ms {
            if call.world.step_happens(until_ms) {
                let ms = call.world.world.now_ms() - begun_ms;
                call.out(format!("something happened after {}.{:03} s\n", ms / 1000, ms % 1000));
                return 0;
            }
        }
        call.err(format!("{NAME}: nothing happened within a day\n"));
        1
    }
}
