//! What `kubectl explain` prints of a field. Source: `pkg/explain/v2` of kubectl, `explain-*.txt`, and the published
//! descriptions of Kubernetes 1.34.9.

use fourgaps_cluster::manifest::field_type;
use fourgaps_cluster::object::Kind;

/// A line for each field that labs ask for: its type, its name, and the server's description.
const TEXTS: &str = include_str!("explain.txt");
/// What follows the description of a field that takes a number or a text.
const INT_OR_STRING: &str = "IntOrString is a type that can hold an int32 or a string.  When used in JSON or YAML \
                             marshalling and unmarshalling, it produces or consumes the inner type.  This allows you to \
                             have, for example, a JSON field that can accept a name or number.";
/// The width of a description, and how far it is indented.
const WIDTH: usize = 76;
const INDENT: &str = "    ";

/// Why a field is not explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotExplained {
    /// There is no such field: its name.
    NoField(String),
    /// There is one, and what is said of it is not known here.
    NotSimulated,
}

/// The text of a field of a kind, by the names on the way to it.
///
/// # Errors
/// Says why there is none.
pub fn explained(kind: Kind, path: &[&str]) -> Result<String, NotExplained> {
    let (mut of, mut owner) = (kind.name(), String::new());
    for name in path {
        let within = of.trim_start_matches("[]").to_string();
        // What lies in a part that is not taken apart here may be there.
        let taken_apart = within.starts_with(char::is_uppercase);
        let Some(found) = field_type(&within, name) else {
            let no_field = NotExplained::NoField(path.last().unwrap_or(name).to_string());
            return Err(if taken_apart { no_field } else { NotExplained::NotSimulated });
        };
        (owner, of) = (within, found.to_string());
    }
    let name = path.last().copied().unwrap_or_default();
    let key = format!("{owner}.{name} ");
    let text = TEXTS.lines().find_map(|line| line.strip_prefix(key.as_str()));
    let (Some(text), Some(ty)) = (text, type_name(&of)) else { return Err(NotExplained::NotSimulated) };
    let more = if of == "intorstring" { format!("{INT_OR_STRING}\n") } else { String::new() };
    let group = match kind.group() {
        "" => String::new(),
        group => format!("GROUP:      {group}\n"),
    };
    let version = kind.api_version().rsplit('/').next().unwrap_or_default();
    let description: Vec<String> =
        wrapped(&format!("{text}\n{more}")).split('\n').map(|line| format!("{INDENT}{line}")).collect();
    Ok(format!(
        "{group}KIND:       {}\nVERSION:    {version}\n\nFIELD: {name} <{ty}>\n\n\nDESCRIPTION:\n{}\n\n",
        kind.name(),
        description.join("\n")
    ))
}

fn type_name(of: &str) -> Option<&str> {
    match of {
        "string" | "[]string" => Some(of),
        "bool" => Some("boolean"),
        "int32" | "int64" => Some("integer"),
        "intorstring" => Some("IntOrString"),
        "map" => Some("map[string]string"),
        _ => None,
    }
}

/// `wordwrap.WrapString` of go-wordwrap: spaces between words stay as they are, but for those where a line ends.
fn wrapped(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let (mut out, mut width) = (String::new(), 0);
        let mut rest = line;
        while !rest.is_empty() {
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            let word = rest[spaces..].split(' ').next().unwrap_or_default();
            if width + spaces + word.len() > WIDTH && !out.is_empty() && word.len() < WIDTH {
                out.push('\n');
                width = 0;
            } else {
                out.push_str(&rest[..spaces]);
                width += spaces;
            }
            out.push_str(word);
            width += word.len();
            rest = &rest[spaces + word.len()..];
        }
        out
    });
    lines.collect::<Vec<_>>().join("\n")
}
