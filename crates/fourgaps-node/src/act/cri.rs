//! What the CRI service answers: sandboxes are made, stopped and removed.

use super::Deciding;
use crate::fact::Fact;
use crate::op::{Answer, SandboxSpec};
use crate::sandbox::Sandbox;
use fourgaps_config::daemon::{SandboxAnswer, quote};

impl Deciding<'_> {
    pub(crate) fn run_sandbox(&mut self, spec: &SandboxSpec) -> Answer {
        if let Some(words) = self.node.no_answer() {
            return Answer::Refused(words);
        }
        let Some(process) = &self.node.containerd else { return Answer::NoProcess };
        let name = format!("{}_{}_{}_{}", spec.name, spec.namespace, spec.uid, spec.attempt);
        if let Some(other) = self.node.sandboxes.iter().find(|sandbox| sandbox.reserved_name() == name) {
            let (name, id) = (quote(&name), quote(&other.id));
            return Answer::Refused(format!(
                "run pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name {name}: \
                 name {name} is reserved for {id}"
            ));
        }
        let has = |program: &str| self.node.has_program(program);
        match process.run().sandbox_now(spec.handler.as_deref(), &has) {
            SandboxAnswer::Refused(words) => {
                // A request that is refused has got an id all the same.
                let id = self.id();
                Answer::Refused(words.replace("<id>", &id))
            }
            SandboxAnswer::NotSimulated(why) => Answer::NotSimulated(why),
            SandboxAnswer::Created { handler } => {
                let (id, pid) = (self.id(), self.pid());
                self.happens(Fact::SandboxMade(Box::new(Sandbox {
                    id: id.clone(),
                    name: spec.name.clone(),
                    namespace: spec.namespace.clone(),
                    uid: spec.uid.clone(),
                    attempt: spec.attempt,
                    asked: spec.handler.clone(),
                    log_directory: spec.log_directory.clone(),
                    handler,
                    created_ms: self.node.now_ms,
                    pid: Some(pid),
                })));
                Answer::Sandbox { id }
            }
        }
    }

    pub(crate) fn with_sandbox(&mut self, id: &str, fact: fn(String) -> Fact) -> Answer {
        match self.node.no_answer() {
            Some(words) => Answer::Refused(words),
            None if self.node.sandboxes.iter().any(|sandbox| sandbox.id == id) => {
                self.happens(fact(id.into()));
                Answer::Done
            }
            // Removing what is not there is no fault for the CRI.
            None => Answer::Done,
        }
    }
}
