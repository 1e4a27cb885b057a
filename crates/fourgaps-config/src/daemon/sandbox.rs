//! What a request for a new sandbox gets: the one moment at which a handler is looked up.
//! Source of the rules: the recordings' `[sandboxes]`, and `sandbox_run.go` and the shim manager of each version.

use super::conditions::{text_at, value_at};
use super::data::SandboxRules;
use super::fill;
use super::plugins::State;
use super::start::Start;
use crate::rules::Dialect;
use crate::schema::Type;
use crate::toml::go_text::quote;
use crate::toml::v1::decode::decode;
use crate::toml::{Kind, Node, Table, v2};
use fourgaps_base::{Files, clean, map_of, set_of};
use std::collections::{BTreeMap, BTreeSet};

/// The answer to a request for a new sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SandboxAnswer {
    /// The sandbox runs, with this handler.
    Created {
        /// The handler that was asked for, or the default one.
        handler: String,
    },
    /// It does not; the text is what `crictl` says.
    Refused(String),
    /// Neither is known: the answer depends on something outside of the node.
    NotSimulated(String),
}

/// The answers of a process, worked out once: a process keeps the handlers that it was started with.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sandboxes {
    /// The answer where it does not depend on the handler.
    always: Option<SandboxAnswer>,
    handlers: BTreeMap<String, Way>,
    default: String,
    /// What is said of a handler that is not there.
    no_handler: String,
    /// The handlers whose shim and program are there.
    runnable: BTreeSet<String>,
}

/// What a handler leads to.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    /// The answer where its OCI program is there.
    answer: SandboxAnswer,
    /// The program and the answer without it, where it gets as far as that.
    program: Option<(String, SandboxAnswer)>,
    /// True where the program was there when the process was started.
    was_there: bool,
}

impl Sandboxes {
    /// `crictl` gets no answer.
    pub fn unreachable(why: &str) -> Self {
        Self {
            always: Some(SandboxAnswer::Refused(why.into())),
            handlers: BTreeMap::new(),
            default: String::new(),
            no_handler: String::new(),
            runnable: BTreeSet::new(),
        }
    }

    pub fn of(start: &Start<'_>) -> Self {
        let version = start.request.version;
        let (rules, cri) = (&version.daemon.sandbox, &version.rules.cri);
        let image = start.text_of(&rules.image);
        let no_image = (!start.machine.images.contains(&image))
            .then(|| SandboxAnswer::NotSimulated(format!("the image {image} would have to be pulled")));
        let snapshotter = start.text_of(&rules.snapshotter);
        let section = start.sections.get(&cri.section);
        let runtimes = section.and_then(|section| value_at(section, &cri.runtimes)).and_then(Node::table);
        let at = Site { start, rules, snapshotter };
        let handlers = runtimes.map(|table| &table.entries).into_iter().flatten().map(|(name, node)| {
            let refused = at.before_image(node).or(no_image.clone()).or_else(|| at.with_image(node));
            let program = if refused.is_none() { at.program(node) } else { None };
            let was_there = program.as_ref().is_none_or(|(program, _)| at.has(program));
            let answer = refused.unwrap_or_else(|| SandboxAnswer::Created { handler: name.clone() });
            (name.clone(), Way { answer, program, was_there })
        });
        let runnable = runtimes.map(|table| &table.entries).into_iter().flatten();
        let runnable = runnable.filter(|(_, node)| at.is_runnable(node)).map(|(name, _)| name.clone());
        Self {
            runnable: set_of(runnable),
            handlers: map_of(handlers),
            default: section.map(|section| text_at(section, &cri.default_runtime)).unwrap_or_default(),
            no_handler: rules.words.no_handler.clone(),
            always: no_image.filter(|_| rules.image_first),
        }
    }

    pub fn default_handler(&self) -> &str {
        &self.default
    }

    /// True where the shim and the program of a handler are there.
    pub fn is_runnable(&self, handler: &str) -> bool {
        self.runnable.contains(handler)
    }

    /// The answer; `has` says of a program whether it is there now, and without it the start of the process counts.
    pub fn answer(&self, handler: Option<&str>, has: Option<&dyn Fn(&str) -> bool>) -> SandboxAnswer {
        if let Some(answer) = &self.always {
            return answer.clone();
        }
        let handler = handler.unwrap_or(&self.default);
        let Some(way) = self.handlers.get(handler) else {
            return SandboxAnswer::Refused(fill(&self.no_handler, &[("handler", &quote(handler))]));
        };
        match &way.program {
            Some((program, without)) if !has.map_or(way.was_there, |has| has(program)) => without.clone(),
            _ => way.answer.clone(),
        }
    }
}

/// Where sandboxes are made.
struct Site<'s> {
    start: &'s Start<'s>,
    rules: &'s SandboxRules,
    snapshotter: String,
}

impl Site<'_> {
    /// Why a handler makes no sandbox, found before its image is looked for.
    fn before_image(&self, handler: &Node) -> Option<SandboxAnswer> {
        let ty = text_at(handler, &vec!["runtime_type".into()]);
        if let Err(why) = self.options(handler, &ty) {
            return Some(refused(&self.rules.words.bad_options, &[("why", &why)]));
        }
        let rules = self.rules.controller.as_ref()?;
        let controller = text_at(handler, &vec![rules.key.clone()]);
        if controller == rules.known {
            return None;
        }
        if self.start.works(&format!("{}.{controller}", rules.others)) {
            return Some(SandboxAnswer::NotSimulated(format!("the sandboxer {controller} makes it")));
        }
        Some(refused(&rules.no_controller, &[("controller", &controller)]))
    }

    /// Why a handler makes no sandbox, found once its image is there.
    fn with_image(&self, handler: &Node) -> Option<SandboxAnswer> {
        let words = &self.rules.words;
        let ty = text_at(handler, &vec!["runtime_type".into()]);
        if let Some(refusal) = self.no_snapshotter(handler) {
            return Some(refusal);
        }
        if ty.is_empty() {
            return Some(refused(&words.no_type, &[]));
        }
        if let Some(words) = self.rules.refused.get(&ty) {
            return Some(refused(words, &[]));
        }
        self.no_shim(handler, &ty)
    }

    fn is_runnable(&self, handler: &Node) -> bool {
        let ty = text_at(handler, &vec!["runtime_type".into()]);
        self.options(handler, &ty).is_ok()
            && !ty.is_empty()
            && !self.rules.refused.contains_key(&ty)
            && self.no_shim(handler, &ty).is_none()
            && self.program(handler).is_none_or(|(program, _)| self.has(&program))
    }

    fn no_snapshotter(&self, handler: &Node) -> Option<SandboxAnswer> {
        let words = &self.rules.words;
        let own = text_at(handler, &vec!["snapshotter".into()]);
        let snapshotter = if own.is_empty() { &self.snapshotter } else { &own };
        let uri = format!("io.containerd.snapshotter.v1.{snapshotter}");
        let names = [("snapshotter", snapshotter.as_str())];
        match (self.start.plugins.named(&uri), &words.broken_snapshotter) {
            (Some(met), _) if met.proxy => {
                let why = format!("the snapshotter {snapshotter} is another process");
                Some(SandboxAnswer::NotSimulated(why))
            }
            (Some(met), _) if met.state == State::Working => None,
            (Some(_), Some(words)) => Some(refused(words, &names)),
            (Some(_), None) => {
                Some(SandboxAnswer::NotSimulated(format!("the snapshotter {snapshotter} fails")))
            }
            // The plugin's own snapshotter was checked at start; an empty name means the default one.
            (None, _) if own.is_empty() => None,
            (None, _) => Some(refused(&words.no_snapshotter, &names)),
        }
    }

    /// The options as the shim gets them.
    fn options(&self, handler: &Node, ty: &str) -> Result<Table, String> {
        let written = value_at(handler, &vec!["options".into()]);
        let known = self.rules.options.get(ty);
        let name = known.map_or(&self.rules.other_options, |known| &known.ty);
        let version = self.start.request.version;
        let schema = &version.daemon.shim_types;
        let Some(node) = written else { return Ok(Table::default()) };
        match (&version.rules.dialect, &node.kind) {
            (Dialect::Second(_), _) => {
                let ty = Type::Struct(name.clone());
                let decoded = v2::decode_value(version.toml_rules, schema, &ty, node, Table::default());
                decoded.map(|decoded| decoded.table).map_err(|failed| failed.error.message)
            }
            // The tree is made from the merged values, so no place in a file is named.
            (Dialect::First, Kind::Table(written)) => decode(schema, name, written, Table::default())
                .map_err(|(error, _)| match error.reported {
                    Some(_) => format!("(0, 0): {}", error.message),
                    None => error.message,
                }),
            _ => Ok(Table::default()),
        }
    }

    fn no_shim(&self, handler: &Node, ty: &str) -> Option<SandboxAnswer> {
        let words = &self.rules.words;
        let own = text_at(handler, &vec![self.rules.runtime_path.clone()]);
        let runtime = if own.is_empty() { ty } else { &own };
        if runtime.starts_with('/') {
            return (!self.has(runtime)).then(|| refused(&words.no_shim_path, &[("path", runtime)]));
        }
        let mut parts = runtime.split('.').rev();
        let (version, name) = (parts.next().unwrap_or_default(), parts.next());
        let Some(name) = name.filter(|_| !runtime.contains('/') && !runtime.starts_with('.')) else {
            return Some(refused(&words.bad_type, &[("type", runtime)]));
        };
        let shim = format!("containerd-shim-{name}-{version}");
        let names = [("type", quote(runtime)), ("shim", quote(&shim))];
        let names = names.each_ref().map(|(key, value)| (*key, value.as_str()));
        (!self.has(&shim)).then(|| refused(&words.no_shim, &names))
    }

    /// The OCI program of a handler, and what is said where it is not there.
    fn program(&self, handler: &Node) -> Option<(String, SandboxAnswer)> {
        let ty = text_at(handler, &vec!["runtime_type".into()]);
        let options = self.options(handler, &ty).unwrap_or_default();
        let known = self.rules.options.get(&ty)?;
        let program = match options.get(&known.program) {
            Some(Node { kind: Kind::String(text), .. }) if !text.is_empty() => text,
            _ => &known.default_program,
        };
        let state = self.start.names.get("state").map(String::as_str).unwrap_or_default();
        let words = &self.rules.words;
        let without = if program.contains('/') {
            refused(&words.no_program, &[("program", program), ("state", state)])
        } else {
            refused(&words.not_on_path, &[("program", &quote(program)), ("state", state)])
        };
        Some((program.clone(), without))
    }

    /// A program of the machine, or a file on the node's disk.
    fn has(&self, program: &str) -> bool {
        let files: &dyn Files = self.start.request.files;
        self.start.machine.has_program(program)
            || (program.starts_with('/') && files.read(&clean(program)).is_ok())
    }
}

fn refused(words: &str, names: &[(&str, &str)]) -> SandboxAnswer {
    SandboxAnswer::Refused(fill(words, names))
}
