//! What the late views of the page ask: whatever only the whole world can tell. A view asks by name and is given JSON.

use crate::{Event, Play, ask_cluster};
use serde::Serialize;

/// Told how much of a long answer is done: the part and the whole.
pub type Progress<'p> = &'p mut dyn FnMut(u32, u32);

impl Play {
    /// Answers a view of the page. What `arg` means is between the view and its answer.
    ///
    /// # Errors
    /// Says why there is no answer.
    pub async fn ask(&mut self, what: &str, arg: &str, progress: Progress<'_>) -> Result<String, String> {
        match what {
            "story" => Ok(json(&self.story_from(arg))),
            "what_if" => {
                let changed = serde_json::from_str(arg).map_err(|why| why.to_string())?;
                self.what_if(changed, progress).await.map(|found| json(&found))
            }
            "cluster" => Ok(json(&ask_cluster::cluster(self.world()))),
            "course" => ask_cluster::course(self.world(), arg).map(|course| json(&course)),
            "alert" => ask_cluster::alert(self.world(), arg).map(|alert| json(&alert)),
            "large" => ask_cluster::large(self, arg),
            _ => Err(format!("nobody answers `{what}`")),
        }
    }
}

/// What the time line does not know yet.
#[derive(Serialize)]
struct News<'p> {
    /// Counts how often the story was not only longer.
    retold: u32,
    /// How many events the time line knows already.
    known: u32,
    /// The others.
    events: &'p [Event],
    /// When the scenario began, in ms since 1970.
    epoch_ms: u64,
}

impl Play {
    /// The story from where the time line knows it; `known` is what an earlier answer said, as `RETOLD:EVENTS`.
    fn story_from(&self, known: &str) -> News<'_> {
        let retold = self.retold();
        let known = known.split_once(':').filter(|(last, _)| last.parse() == Ok(retold));
        let known = known.and_then(|(_, known)| known.parse::<u32>().ok()).unwrap_or(0);
        let known = known.min(self.story().len() as u32);
        let events = &self.story()[known as usize..];
        News { retold, known, events, epoch_ms: fourgaps_cluster::EPOCH_MS }
    }
}

pub(crate) fn json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_nobody_answers_is_said_to_be_so() {
        let scenario =
            std::fs::read_to_string("../../static/scenarios/dump-that-lied/scenario.toml").unwrap();
        let scenario = fourgaps_lab::Scenario::parse("scenario.toml", &scenario).unwrap();
        let mut play = crate::Play::new(scenario, crate::Sources::new());
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let mut ask = |what| runtime.block_on(play.ask(what, "", &mut |_, _| {}));
        assert_eq!(ask("weather"), Err("nobody answers `weather`".to_string()));
        assert_eq!(ask("story").unwrap(), r#"{"retold":0,"known":0,"events":[],"epoch_ms":1772409600000}"#);
    }
}
