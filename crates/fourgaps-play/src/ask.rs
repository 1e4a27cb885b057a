//! What the late views of the page ask: whatever only the whole world can tell. A view asks by name and is given JSON.

use crate::Play;

/// Told how much of a long answer is done: the part and the whole.
pub type Progress<'p> = &'p mut dyn FnMut(u32, u32);

impl Play {
    /// Answers a view of the page. What `arg` means is between the view and its answer.
    ///
    /// # Errors
    /// Says why there is no answer.
    pub async fn ask(&mut self, what: &str, arg: &str, progress: Progress<'_>) -> Result<String, String> {
        let _ = (arg, progress);
        match what {
            "story" => Ok(json(&self.story())),
            _ => Err(format!("nobody answers `{what}`")),
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
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
        assert_eq!(ask("story").unwrap(), "[]");
    }
}
