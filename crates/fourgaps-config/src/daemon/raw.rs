//! Steps and conditions as `daemon.toml` writes them: one flat table each, told apart by a word.
//! A derived reader for tagged enums would cost the page ten times the size of this.

use super::data::{Check, CopyTo, Keys, LineRules, Put, Step, When};
use crate::read::Read;
use crate::readable;
use crate::toml::Node;

pub(super) struct RawStep {
    what: String,
    of: Option<String>,
    id: Option<String>,
    absent: Option<String>,
    unusable: Option<String>,
    lost: Option<LineRules>,
    error: Option<String>,
    optional: bool,
    skip: bool,
    section: Option<String>,
    each: Option<Keys>,
    when: Vec<When>,
    warn: Option<String>,
    info: Vec<String>,
    log: Option<LineRules>,
    deprecate: Option<String>,
    put: Option<Put>,
    copy: Option<CopyTo>,
    crash: Option<String>,
}
readable!(RawStep {
    what,
    of,
    id,
    absent,
    unusable,
    lost,
    error,
    optional,
    skip,
    section,
    each,
    when,
    warn,
    info,
    log,
    deprecate,
    put,
    copy,
    crash
});

impl TryFrom<RawStep> for Step {
    type Error = String;

    fn try_from(raw: RawStep) -> Result<Self, String> {
        let RawStep {
            of,
            id,
            absent,
            unusable,
            lost,
            error,
            optional,
            skip,
            section,
            each,
            when,
            warn,
            info,
            log,
            ..
        } = raw;
        Ok(match raw.what.as_str() {
            "get" => Self::Get { of: needed(of, "of")?, id, absent, error, optional, skip },
            "all" => Self::All { of: needed(of, "of")?, unusable, lost, error, optional },
            "platform" => Self::Platform,
            "client" => Self::Client { error },
            "check" => {
                let (deprecate, put, copy, crash) = (raw.deprecate, raw.put, raw.copy, raw.crash);
                Self::Check(Box::new(Check {
                    section,
                    each,
                    when,
                    warn,
                    info,
                    log,
                    deprecate,
                    put,
                    copy,
                    crash,
                    error,
                    skip,
                }))
            }
            other => return Err(format!("no step does `{other}`")),
        })
    }
}

pub(super) struct RawWhen {
    is: String,
    key: Option<Keys>,
    /// A type of plugins, or the keys down to a table.
    of: Option<Node>,
    other: Option<Keys>,
    id: Option<String>,
    text: Option<String>,
    texts: Option<Keys>,
    number: Option<i64>,
    least: Option<i64>,
    most: Option<i64>,
    generation: Option<i64>,
    or_path: bool,
}
readable!(RawWhen { is, key, of, other, id, text, texts, number, least, most, generation, or_path });

impl TryFrom<RawWhen> for When {
    type Error = String;

    fn try_from(raw: RawWhen) -> Result<Self, String> {
        let RawWhen { is, key, of, other, id, text, texts, number, least, most, generation, or_path } = raw;
        let key = || needed(key, "key");
        let text = || needed(text, "text");
        let texts = || needed(texts, "texts");
        let keys_of = |of: Option<Node>| {
            of.and_then(|of| Keys::read(&of).ok()).ok_or("`of` is a list of keys here".to_string())
        };
        let type_of = |of: Option<Node>| {
            of.and_then(|of| String::read(&of).ok()).ok_or("`of` is a type of plugins here".to_string())
        };
        Ok(match is.as_str() {
            "set" => Self::Set { key: key()? },
            "unset" => Self::Unset { key: key()? },
            "present" => Self::Present { key: key()? },
            "text" => Self::Text { key: key()?, text: text()? },
            "other-text" => Self::OtherText { key: key()?, text: text()? },
            "other-number" => Self::OtherNumber { key: key()?, number: needed(number, "number")? },
            "outside" => {
                Self::Outside { key: key()?, least: needed(least, "least")?, most: needed(most, "most")? }
            }
            "same" => Self::Same { key: key()?, other: needed(other, "other")? },
            "none-of" => Self::NoneOf { key: key()?, texts: texts()? },
            "no-entry" => Self::NoEntry { key: key()?, of: keys_of(of)? },
            "any-entry" => Self::AnyEntry { of: keys_of(of)?, key: key()? },
            "no-duration" => Self::NoDuration { key: key()? },
            "no-log-level" => Self::NoLogLevel { key: key()? },
            "no-url-as-name" => Self::NoUrlAsName,
            "no-tcp-address" => Self::NoTcpAddress { key: key()?, or_path },
            "no-file" => Self::NoFile { key: key()? },
            "no-spec" => Self::NoSpec { key: key()? },
            "no-plugin" => Self::NoPlugin { key: key()?, of: type_of(of)? },
            "failed-plugin" => Self::FailedPlugin { key: key()?, of: type_of(of)? },
            "no-root" => Self::NoRoot { key: key()?, of: type_of(of)? },
            "relative" => Self::Relative { key: key()? },
            "gone" => Self::Gone { of: type_of(of)?, id: needed(id, "id")? },
            "works" => Self::Works { of: type_of(of)?, id: needed(id, "id")? },
            "root" => Self::Root { key: key()?, of: type_of(of)? },
            "numbers" => Self::Numbers { keys: texts()? },
            "cgroups" => {
                let generation = needed(generation, "generation")?;
                Self::Cgroups { generation: u8::try_from(generation).map_err(|e| e.to_string())? }
            }
            "no-inotify-instance" => Self::NoInotifyInstance,
            other => return Err(format!("no condition is `{other}`")),
        })
    }
}

/// A part that this word needs.
pub(crate) fn needed<T>(part: Option<T>, name: &str) -> Result<T, String> {
    part.ok_or_else(|| format!("`{name}` is missing"))
}
