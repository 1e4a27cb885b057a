//! Questions: what is asked, of which recording, and how the right answer is read from it.

use crate::goal::take_key;
use crate::strict::{Sheet, Table};
use crate::{Answer, KUBERNETES, Told};
use fourgaps_base::{Pos, set_of};
use std::collections::BTreeMap;

/// A question of a scenario; its texts are in the language files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its name.
    pub id: String,
    /// How it is asked.
    pub kind: Kind,
    /// The recorded case that it is about.
    pub case: String,
    /// Where the case is a recording of a cluster: what of it is read.
    pub told: Option<Told>,
    /// The containerd version of the recording; of no matter where a cluster was recorded.
    pub containerd: String,
    /// The main file of the node in the case.
    pub config: String,
    /// How the right answer is read from the recording.
    pub read: Read,
    /// The options in the order in which they are shown.
    pub options: Vec<String>,
    /// What each option claims, in the words of the recording.
    pub option_values: BTreeMap<String, String>,
    /// The goal that must be met before the question is shown.
    pub after_goal: Option<String>,
    /// Where it stands in the scenario's file.
    pub pos: Pos,
}

/// How a question is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// One option is right.
    One,
    /// Some options are right.
    Several,
    /// A whole number.
    Number,
    /// A text, as it stands in the dump or on standard error.
    Text,
    /// The options in their right order.
    Order,
    /// What the learner thinks that will come out, before looking.
    Predict,
}

/// What a learner fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// One of the options.
    One,
    /// Any of the options.
    Several,
    /// All options, put in order.
    Order,
    /// A whole number.
    Number,
    /// A line of text.
    Text,
}

/// What is read from a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read {
    /// How many lines of the dump contain a text.
    Count(String),
    /// The names of the handlers.
    Handlers,
    /// The first line of the dump that contains a text, without the spaces around it.
    Line(String),
    /// The number of that line.
    LineNumber(String),
    /// All lines of the dump, without the spaces around them.
    Lines,
    /// The value of a key.
    Value(String),
    /// The exit status.
    Exit,
    /// The last line of standard error.
    Stderr,
    /// The files in the order in which they are loaded.
    LoadOrder,
    /// What the daemon did with the same files.
    Live(Live),
    /// What stands in a table of `kubectl`.
    Cell {
        /// The first word of the row.
        row: String,
        /// The head of the column.
        column: String,
        /// True where a whole number stands there.
        is_number: bool,
    },
}

/// What is read from the recording of the daemon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Live {
    /// The names of the handlers that it has loaded.
    Handlers,
    /// Whether it started: `true` or `false`.
    Booted,
    /// The state of its CRI service: `ok` or `error`.
    Cri,
    /// The handler of a sandbox that asks for none.
    DefaultRuntimeName,
    /// The last thing that it complained about; empty where it did not complain.
    Complaints,
    /// What a request for a sandbox with this handler answers: `created`, or the words of the error.
    Sandbox(String),
}

impl Kind {
    /// Every kind with its name in scenario files.
    pub const ALL: [(&'static str, Self); 6] = [
        ("one", Self::One),
        ("several", Self::Several),
        ("number", Self::Number),
        ("text", Self::Text),
        ("order", Self::Order),
        ("predict", Self::Predict),
    ];
}

impl Read {
    /// True where a number is read.
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Count(_) | Self::LineNumber(_) | Self::Exit | Self::Cell { is_number: true, .. })
    }

    /// True where a set or a list of names is read.
    pub const fn is_list(&self) -> bool {
        self.is_handlers() || matches!(self, Self::Lines | Self::LoadOrder)
    }

    /// True where names of handlers are read, from a dump or from the daemon.
    pub const fn is_handlers(&self) -> bool {
        matches!(self, Self::Handlers | Self::Live(Live::Handlers))
    }

    /// True where the daemon is asked, so that its recording is wanted.
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Live(_))
    }
}

impl Question {
    /// What the learner fills in.
    pub fn input(&self) -> Input {
        match self.kind {
            Kind::One => Input::One,
            Kind::Several => Input::Several,
            Kind::Order => Input::Order,
            Kind::Number => Input::Number,
            Kind::Text => Input::Text,
            Kind::Predict if !self.options.is_empty() => Input::One,
            Kind::Predict if self.read.is_number() => Input::Number,
            Kind::Predict => Input::Text,
        }
    }

    /// What was recorded, for showing.
    pub fn recorded(&self) -> String {
        match self.told {
            Some(_) => format!("Kubernetes {KUBERNETES}"),
            None => format!("containerd {}", self.containerd),
        }
    }

    /// True where the answer is of the kind that the question takes, and names only its options.
    pub fn accepts(&self, answer: &Answer) -> bool {
        let known = |names: &[String]| names.iter().all(|name| self.options.contains(name));
        match (self.input(), answer) {
            (Input::One, Answer::Choice(names)) => names.len() == 1 && known(names),
            (Input::Several | Input::Order, Answer::Choice(names)) => {
                known(names) && set_of(names).len() == names.len()
            }
            (Input::Number, Answer::Number(_)) | (Input::Text, Answer::Text(_)) => true,
            _ => false,
        }
    }

    /// Reads one `[[questions]]` table.
    pub(crate) fn take(
        sheet: &mut Sheet<'_>,
        mut table: Table<'_>,
        containerd: &str,
        config: &str,
    ) -> Option<Self> {
        let pos = table.at();
        let id = table.text(sheet, "id");
        let kind = take_kind(sheet, &mut table);
        let case = table.text(sheet, "case");
        let containerd = table.optional_text(sheet, "containerd").unwrap_or_else(|| containerd.into());
        let config = config.to_string();
        let read = take_read(sheet, &mut table);
        let told = take_told(sheet, &mut table, &case);
        let options = table.texts(sheet, "options");
        let option_values = take_option_values(sheet, &mut table, &options);
        let after_goal = table.optional_text(sheet, "after_goal");
        let at = table.at();
        table.close(sheet);
        let question = Self {
            id,
            kind: kind?,
            case,
            told,
            containerd,
            config,
            read: read?,
            options,
            option_values,
            after_goal,
            pos,
        };
        question.check_shape(sheet, at);
        Some(question)
    }

    fn check_shape(&self, sheet: &mut Sheet<'_>, at: Pos) {
        let wants_options = matches!(self.kind, Kind::One | Kind::Several | Kind::Order);
        if wants_options && self.options.len() < 2 {
            sheet.fault(at, format!("question `{}` needs two options or more", self.id));
        }
        if matches!(self.kind, Kind::Number | Kind::Text) && !self.options.is_empty() {
            sheet.fault(at, format!("question `{}` is filled in and takes no options", self.id));
        }
        let fits = match self.kind {
            Kind::Several => self.read.is_list(),
            Kind::Order => self.read == Read::LoadOrder,
            Kind::Number => self.read.is_number(),
            Kind::Text => !self.read.is_number() && !self.read.is_list(),
            Kind::One | Kind::Predict => self.read != Read::Lines,
        };
        let of_cluster = matches!(
            self.read,
            Read::Cell { .. } | Read::Count(_) | Read::Line(_) | Read::Lines | Read::Exit | Read::Stderr
        );
        let of_node = !matches!(self.read, Read::Cell { .. });
        if !(if self.told.is_some() { of_cluster } else { of_node }) {
            sheet.fault(at, format!("question `{}`: its case has nothing that `read` reads", self.id));
        }
        if !fits {
            sheet.fault(
                at,
                format!("question `{}`: this kind cannot be answered by what `read` reads", self.id),
            );
        }
    }
}

fn take_kind(sheet: &mut Sheet<'_>, table: &mut Table<'_>) -> Option<Kind> {
    let name = table.text(sheet, "kind");
    let found = Kind::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    if found.is_none() && !name.is_empty() {
        let names: Vec<&str> = Kind::ALL.iter().map(|(known, _)| *known).collect();
        let text = format!("unknown kind `{name}`; known: {}", names.join(", "));
        sheet.fault(table.at_key("kind"), text);
    }
    found
}

fn take_read(sheet: &mut Sheet<'_>, table: &mut Table<'_>) -> Option<Read> {
    let mut inner = table.required(sheet, "read")?.table(sheet, "read")?;
    let at = inner.at();
    let mut found = Vec::new();
    found.extend(inner.optional_text(sheet, "count").map(Read::Count));
    found.extend(inner.optional_text(sheet, "line").map(Read::Line));
    found.extend(inner.optional_text(sheet, "line_number").map(Read::LineNumber));
    if inner.has("value") {
        found.push(Read::Value(take_key(sheet, &mut inner, "value")));
    }
    inner.optional("value");
    for (key, made) in [
        ("handlers", Read::Handlers),
        ("lines", Read::Lines),
        ("exit", Read::Exit),
        ("stderr", Read::Stderr),
        ("load_order", Read::LoadOrder),
    ] {
        if let Some(entry) = inner.optional(key)
            && entry.flag(sheet, key)
        {
            found.push(made);
        }
    }
    found.extend(take_live(sheet, &mut inner).map(Read::Live));
    for (key, is_number) in [("cell", false), ("figure", true)] {
        found.extend(inner.table(sheet, key).map(|mut cell| {
            let (row, column) = (cell.text(sheet, "row"), cell.text(sheet, "column"));
            cell.close(sheet);
            Read::Cell { row, column, is_number }
        }));
    }
    inner.close(sheet);
    if found.len() != 1 {
        sheet.fault(at, "`read` wants exactly one thing to read");
    }
    found.pop()
}

/// Reads `at`, the place in a recorded story.
fn take_told(sheet: &mut Sheet<'_>, table: &mut Table<'_>, case: &str) -> Option<Told> {
    let told = Told::of(case);
    let (at, place) = (table.at_key("at"), table.table(sheet, "at"));
    let is_story = matches!(told, Some(Told::Step { .. }));
    match place {
        Some(mut place) if is_story => {
            let step = place.number(sheet, "step").and_then(|n| u32::try_from(n).ok()).unwrap_or_default();
            let says = place.text(sheet, "says");
            place.close(sheet);
            Some(Told::Step { step, says })
        }
        None if is_story => {
            sheet.fault(table.at(), "a story is asked `at = { step, says }`");
            told
        }
        Some(_) => {
            sheet.fault(at, "`at` is a place in a story, and this case is none");
            told
        }
        None => told,
    }
}

fn take_live(sheet: &mut Sheet<'_>, table: &mut Table<'_>) -> Option<Live> {
    let (at, at_handler) = (table.at_key("live"), table.at_key("handler"));
    let name = table.optional_text(sheet, "live");
    let handler = table.optional_text(sheet, "handler");
    let asks = name.as_deref() == Some("sandbox");
    if handler.is_some() && !asks {
        sheet.fault(at_handler, "`handler` belongs to `live = \"sandbox\"`");
    }
    Some(match name?.as_str() {
        "handlers" => Live::Handlers,
        "booted" => Live::Booted,
        "cri" => Live::Cri,
        "default_runtime_name" => Live::DefaultRuntimeName,
        "complaints" => Live::Complaints,
        "sandbox" => {
            if handler.is_none() {
                sheet.fault(at, "a sandbox wants a `handler`; `(none)` asks for no handler");
            }
            Live::Sandbox(handler.unwrap_or_default())
        }
        other => {
            let known = "booted, complaints, cri, default_runtime_name, handlers, sandbox";
            sheet.fault(at, format!("nothing called `{other}` is read from the daemon; known: {known}"));
            return None;
        }
    })
}

fn take_option_values(
    sheet: &mut Sheet<'_>,
    table: &mut Table<'_>,
    options: &[String],
) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    if let Some(inner) = table.table(sheet, "option_values") {
        for (name, entry) in inner.into_entries() {
            if !options.iter().any(|option| option == name) {
                sheet.fault(entry.at(), format!("`{name}` is not one of the options"));
            }
            // An empty claim is a claim: a value can be the empty text.
            let value = match entry.value().text() {
                Some(text) => text.into(),
                None => entry.text(sheet, name),
            };
            values.insert(name.to_string(), value);
        }
    }
    let at = table.at_key("options");
    for (nth, option) in options.iter().enumerate() {
        if !values.contains_key(option) {
            sheet.fault(at, format!("option `{option}` has no claim in `option_values`"));
        }
        if options[..nth].contains(option) {
            sheet.fault(at, format!("option `{option}` is there twice"));
        }
    }
    values
}
