//! `-o jsonpath=` and the fields of `-o custom-columns=`.
//! Source of the language: `k8s.io/client-go/util/jsonpath` and its published page of examples.

use serde_json::Value;
use std::cmp::Ordering;

/// A template of texts and expressions in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Template(Vec<Part>);

/// A path to values inside an object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(Vec<Step>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Text(String),
    Found(Path),
    Range(Path, Vec<Part>),
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// `$`: the whole object, also inside a range.
    Root,
    Field(String),
    /// `.*` and `[*]`.
    All,
    /// `..`: the value and everything inside it.
    Deep,
    /// `[from:to:step]`, or `[n]`.
    Slice(Option<i64>, Option<i64>, i64),
    /// `[n]`
    At(i64),
    /// `['a','b']` and `[1,2]`.
    Union(Vec<Step>),
    /// `[?(left op right)]`
    Filter(Operand, Comparison, Operand),
    /// `[?(left)]`
    Exists(Operand),
}

#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Path(Path),
    Value(Value),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    const NAMES: [(&'static str, Self); 6] = [
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<=", Self::LessOrEqual),
        (">=", Self::GreaterOrEqual),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    fn holds(self, order: Option<Ordering>, equal: bool) -> bool {
        match self {
            Self::Equal => equal,
            Self::NotEqual => !equal,
            Self::Less => order == Some(Ordering::Less),
            Self::LessOrEqual => order.is_some_and(Ordering::is_le),
            Self::Greater => order == Some(Ordering::Greater),
            Self::GreaterOrEqual => order.is_some_and(Ordering::is_ge),
        }
    }
}

/// Why a template cannot be read.
type Fault = String;

const BAD_PATH: &str = "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or \
    '{.name1.name2}'";

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut reader = Reader { rest: text };
        let parts = reader.parts(false)?;
        Ok(Self(parts))
    }

    /// The text that it makes of an object. What is not there is left out, as `--allow-missing-template-keys` has it.
    pub fn fill(&self, object: &Value) -> String {
        let mut out = String::new();
        fill(&self.0, object, object, &mut out);
        out
    }
}

fn fill(parts: &[Part], root: &Value, here: &Value, out: &mut String) {
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Found(path) => {
                let found: Vec<String> = path.find_in(root, here).into_iter().map(shown).collect();
                out.push_str(&found.join(" "));
            }
            Part::Range(path, inner) => {
                for item in path.find_in(root, here) {
                    fill(inner, root, item, out);
                }
            }
        }
    }
}

/// A value as the template prints it: a text without quotes, everything else as JSON.
pub fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // The Go value behind it is an interface that holds nothing.
        Value::Null => String::new(),
        value => value.to_string(),
    }
}

impl Path {
    /// Reads the field of a custom column or of `--sort-by`: with or without braces and the first dot
    /// (`RelaxedJSONPathExpression`).
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn relaxed(text: &str) -> Result<Self, Fault> {
        let inner = text.strip_prefix('{').map_or(Some(text), |rest| rest.strip_suffix('}'));
        let inner = inner.ok_or(BAD_PATH)?;
        let inner = inner.strip_prefix('.').unwrap_or(inner);
        if inner.is_empty() {
            return Err(BAD_PATH.into());
        }
        let dotted = if inner.starts_with('[') { inner.to_string() } else { format!(".{inner}") };
        let mut reader = Reader { rest: &dotted };
        let path = reader.path()?;
        if reader.rest.is_empty() { Ok(path) } else { Err(BAD_PATH.into()) }
    }

    /// The values of an object that it leads to.
    pub fn find<'v>(&self, object: &'v Value) -> Vec<&'v Value> {
        self.find_in(object, object)
    }

    fn find_in<'v>(&self, root: &'v Value, here: &'v Value) -> Vec<&'v Value> {
        let mut found = vec![here];
        for step in &self.0 {
            found = found.into_iter().flat_map(|value| step.take(root, value)).collect();
        }
        found
    }
}

impl Step {
    fn take<'v>(&self, root: &'v Value, value: &'v Value) -> Vec<&'v Value> {
        let items = value.as_array();
        match self {
            Self::Root => vec![root],
            Self::Field(name) => value.get(name.as_str()).into_iter().collect(),
            Self::All => children(value).collect(),
            Self::Deep => {
                let mut all = vec![value];
                let mut at = 0;
                while at < all.len() {
                    all.extend(children(all[at]));
                    at += 1;
                }
                all
            }
            Self::At(index) => {
                items.and_then(|items| items.get(place(*index, items.len())?)).into_iter().collect()
            }
            Self::Slice(from, to, step) => {
                let Some(items) = items else { return Vec::new() };
                let bound = |at: Option<i64>, missing: usize| {
                    at.map_or(missing, |at| {
                        place(at, items.len()).unwrap_or(if at < 0 { 0 } else { items.len() })
                    })
                };
                let (from, to) = (bound(*from, 0), bound(*to, items.len()).min(items.len()));
                let step = usize::try_from((*step).max(1)).unwrap_or(1);
                items.get(from..to).into_iter().flatten().step_by(step).collect()
            }
            Self::Union(steps) => steps.iter().flat_map(|step| step.take(root, value)).collect(),
            Self::Filter(left, comparison, right) => {
                let holds = |item: &&Value| {
                    let (Some(left), Some(right)) = (left.value(root, item), right.value(root, item)) else {
                        return false;
                    };
                    comparison.holds(order(left, right), left == right)
                };
                items.into_iter().flatten().filter(holds).collect()
            }
            Self::Exists(operand) => {
                items.into_iter().flatten().filter(|item| operand.value(root, item).is_some()).collect()
            }
        }
    }
}

fn children(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    match value {
        Value::Array(items) => Box::new(items.iter()),
        Value::Object(entries) => Box::new(entries.values()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The place of an index that may count from the end.
fn place(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).ok()?;
    usize::try_from(if index < 0 { index + length } else { index }).ok()
}

/// How two values are ordered: numbers and texts among themselves.
pub fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        (left, right) => Some(left.as_i64()?.cmp(&right.as_i64()?)),
    }
}

impl Operand {
    fn value<'v>(&'v self, root: &'v Value, item: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Value(value) => Some(value),
            Self::Path(path) => path.find_in(root, item).into_iter().next(),
        }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip(&mut self, word: &str) -> bool {
        let found = self.rest.strip_prefix(word);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, end: usize) -> &str {
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Texts and braces up to the end of the template, or up to `{end}`.
    fn parts(&mut self, in_range: bool) -> Result<Vec<Part>, Fault> {
        let mut parts = Vec::new();
        loop {
            let end = self.rest.find('{').unwrap_or(self.rest.len());
            if end > 0 {
                parts.push(Part::Text(self.take(end).into()));
            }
            if !self.skip("{") {
                return if in_range { Err("unclosed range".into()) } else { Ok(parts) };
            }
            self.blanks();
            if self.rest.starts_with("end") && self.rest[3..].trim_start().starts_with('}') {
                self.skip("end");
                self.close()?;
                return if in_range { Ok(parts) } else { Err("not in range, nothing to end".into()) };
            }
            if self.rest.starts_with("range ") {
                self.skip("range");
                self.blanks();
                let path = self.path()?;
                self.close()?;
                parts.push(Part::Range(path, self.parts(true)?));
                continue;
            }
            while !self.rest.starts_with('}') {
                if self.rest.starts_with(['"', '\'']) {
                    let text = self.quoted()?;
                    parts.push(Part::Text(text));
                } else {
                    let before = self.rest.len();
                    let path = self.path()?;
                    if self.rest.len() == before {
                        return Err(self.stuck());
                    }
                    parts.push(Part::Found(path));
                }
                self.blanks();
            }
            self.close()?;
        }
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.blanks();
        if self.skip("}") { Ok(()) } else { Err("unclosed action".into()) }
    }

    /// What is said where nothing can be read at all.
    fn stuck(&self) -> Fault {
        match self.rest.chars().next() {
            Some(c) => format!("unrecognized character in action: U+{:04X} '{c}'", c as u32),
            None => "unclosed action".into(),
        }
    }

    fn quoted(&mut self) -> Result<String, Fault> {
        let unclosed = || "unterminated quoted string".to_string();
        let mut chars = self.rest.char_indices();
        let quote = chars.next().map(|(_, quote)| quote).ok_or_else(unclosed)?;
        let mut text = String::new();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.take(at + 1);
                    return Ok(text);
                }
                '\\' => match chars.next().ok_or_else(unclosed)?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
        Err(unclosed())
    }

    fn path(&mut self) -> Result<Path, Fault> {
        let mut steps = Vec::new();
        if self.skip("$") {
            steps.push(Step::Root);
        } else {
            self.skip("@");
        }
        let start = self.rest.len();
        loop {
            if self.skip("..") {
                steps.push(Step::Deep);
                if !self.rest.starts_with(['[', '*']) {
                    steps.push(self.field()?);
                } else if self.skip("*") {
                    steps.push(Step::All);
                }
            } else if self.skip(".") {
                match self.rest.chars().next() {
                    Some('*') => {
                        self.skip("*");
                        steps.push(Step::All);
                    }
                    Some('[') => {}
                    // A lone dot is the object itself.
                    None | Some('}' | ' ' | ')') => {}
                    Some(_) => steps.push(self.field()?),
                }
            } else if self.skip("[") {
                steps.push(self.brackets()?);
            } else if start == self.rest.len()
                && self.rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            {
                // A first field without its dot.
                steps.push(self.field()?);
            } else {
                break;
            }
        }
        match self.rest.chars().next() {
            Some(c) if start == self.rest.len() && steps.is_empty() && !"})=!<> ".contains(c) => {
                Err(self.stuck())
            }
            _ => Ok(Path(steps)),
        }
    }

    /// A name up to a sign that ends it; a backslash takes the meaning from the next one.
    fn field(&mut self) -> Result<Step, Fault> {
        let mut name = String::new();
        let mut end = self.rest.len();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => name.extend(chars.next().map(|(_, c)| c)),
                '.' | '[' | ']' | '{' | '}' | '(' | ')' | ' ' | '\t' | '\n' | ',' | '=' | '!' | '<' | '>'
                | '|' | '*' => {
                    end = at;
                    break;
                }
                c => name.push(c),
            }
        }
        self.take(end);
        if name.is_empty() { Err("unexpected end of a field".into()) } else { Ok(Step::Field(name)) }
    }

    /// What stands between brackets, whose first is taken already.
    fn brackets(&mut self) -> Result<Step, Fault> {
        self.blanks();
        let step = if self.skip("?(") { self.filter()? } else { self.items()? };
        self.blanks();
        if self.skip("]") { Ok(step) } else { Err("unterminated array".into()) }
    }

    fn filter(&mut self) -> Result<Step, Fault> {
        let left = self.operand()?;
        self.blanks();
        let known = Comparison::NAMES.into_iter().find(|(name, _)| self.rest.starts_with(name));
        let step = match known {
            Some((name, comparison)) => {
                self.skip(name);
                Step::Filter(left, comparison, self.operand()?)
            }
            None => Step::Exists(left),
        };
        self.blanks();
        if self.skip(")") { Ok(step) } else { Err("unterminated filter".into()) }
    }

    fn operand(&mut self) -> Result<Operand, Fault> {
        self.blanks();
        if self.rest.starts_with(['"', '\'']) {
            return self.quoted().map(|text| Operand::Value(Value::String(text)));
        }
        if self.rest.starts_with(['@', '$', '.']) {
            return self.path().map(Operand::Path);
        }
        let end = self.rest.find([' ', ')', '=', '!', '<', '>']).unwrap_or(self.rest.len());
        let word = self.take(end);
        serde_json::from_str(word).map(Operand::Value).map_err(|_| format!("unrecognized word {word}"))
    }

    fn items(&mut self) -> Result<Step, Fault> {
        let mut steps = Vec::new();
        loop {
            self.blanks();
            if self.skip("*") {
                steps.push(Step::All);
            } else if self.rest.starts_with(['"', '\'']) {
                steps.push(Step::Field(self.quoted()?));
            } else {
                let end = self.rest.find([',', ']']).ok_or("unterminated array")?;
                let word = self.take(end).trim();
                let number = |text: &str| match text.trim() {
                    "" => Ok(None),
                    text => text.parse().map(Some).map_err(|_| format!("invalid array index {word}")),
                };
                match *word.split(':').collect::<Vec<_>>().as_slice() {
                    [index] => steps.push(Step::At(number(index)?.ok_or("invalid array index ")?)),
                    [from, to] => steps.push(Step::Slice(number(from)?, number(to)?, 1)),
                    [from, to, step] => {
                        steps.push(Step::Slice(number(from)?, number(to)?, number(step)?.unwrap_or(1)));
                    }
                    _ => return Err(format!("invalid array index {word}")),
                }
            }
            self.blanks();
            if !self.skip(",") {
                break;
            }
        }
        Ok(if steps.len() == 1 { steps.remove(0) } else { Step::Union(steps) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(template: &str, wanted: &str) {
        let object = json!({ "items": [
            { "metadata": { "name": "a", "labels": { "x.io/y": "1" } }, "n": 3, "cpus": [1, 2, 3] },
            { "metadata": { "name": "b", "labels": { "x.io/y": "2" } }, "n": 5, "on": true },
        ] });
        let got = Template::parse(template).map(|template| template.fill(&object));
        assert_eq!(got.as_deref(), Ok(wanted), "{template}");
    }

    #[test]
    fn paths_lead_to_values() {
        check("{.items[*].metadata.name}", "a b");
        check("{items[0].metadata.name}", "a");
        check("{$.items[-1].n}", "5");
        check("{.items[0:1].n}", "3");
        check("{.items[0].cpus[::2]}", "1 3");
        check("{.items[*]['n','on']}", "3 5 true");
        check("{..name}", "a b");
        check(r"{.items[*].metadata.labels.x\.io/y}", "1 2");
        check("{.items[0].metadata.labels['x.io/y']}", "1");
        check("{.items[0].metadata}", r#"{"labels":{"x.io/y":"1"},"name":"a"}"#);
        check("{.nothing.here}", "");
    }

    #[test]
    fn filters_choose_items() {
        check(r#"{.items[?(@.metadata.name=="b")].n}"#, "5");
        check("{.items[?(@.n > 3)].metadata.name}", "b");
        check("{.items[?(@.n!=3)].metadata.name}", "b");
        check("{.items[?(@.on)].metadata.name}", "b");
    }

    #[test]
    fn ranges_repeat_what_stands_in_them() {
        check("{range .items[*]}{.metadata.name}{\"\\t\"}{.n}{\"\\n\"}{end}", "a\t3\nb\t5\n");
        check("names: {range .items[*]}[{.metadata.name}]{end}", "names: [a][b]");
        check("{range .items[*]}{.metadata.name} of {$.items[0].n};{end}", "a of 3;b of 3;");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (template, wanted) in [
            ("{.a", "unclosed action"),
            ("{.a[0}", "unterminated array"),
            ("{end}", "not in range, nothing to end"),
            ("{#}", "unrecognized character in action: U+0023 '#'"),
        ] {
            assert_eq!(Template::parse(template), Err(wanted.to_string()), "{template}");
        }
    }

    /// Every short text of the language's signs is read or refused; none is read for ever.
    #[test]
    fn every_text_comes_to_an_end() {
        const SIGNS: [&str; 14] =
            ["{", "}", ".", "[", "]", "(", ")", "?(", "a", "*", "@", "'", "range ", "end"];
        let mut texts = vec![String::new()];
        for _ in 0..4 {
            texts = texts.iter().flat_map(|text| SIGNS.map(|sign| format!("{text}{sign}"))).collect();
            for text in &texts {
                for text in [format!("{{{text}"), format!("{{{text}}}")] {
                    let _ = Template::parse(&text).map(|template| template.fill(&json!({ "a": [1] })));
                }
                let _ = Path::relaxed(text);
            }
        }
    }

    #[test]
    fn columns_take_paths_with_and_without_braces_and_dots() {
        let object = json!({ "a": { "b.c/d": [1, 2] } });
        for path in [r".a.b\.c/d", r"a.b\.c/d", r"{.a.b\.c/d}", r"{a.b\.c/d}", r".a['b.c/d']"] {
            let found: Vec<String> =
                Path::relaxed(path).unwrap().find(&object).into_iter().map(shown).collect();
            assert_eq!(found, ["[1,2]"], "{path}");
        }
        assert!(Path::relaxed("").is_err());
    }
}
