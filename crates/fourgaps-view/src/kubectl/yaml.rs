//! YAML as kubectl prints it: keys in order, lists not indented, quotes only where a reader would misunderstand.
//! Source: the emitter of `sigs.k8s.io/yaml/goyaml.v2` and `get-ds-lab-yaml.txt`.

use serde_json::Value;

/// The text of an object.
pub fn yaml(value: &Value) -> String {
    let mut out = String::new();
    match value {
        Value::Object(entries) if !entries.is_empty() => block(value, 0, &mut out),
        Value::Array(items) if !items.is_empty() => block(value, 0, &mut out),
        scalar => {
            one(scalar, 0, &mut out);
        }
    }
    out
}

/// An object or a list that has something in it, on lines of its own; the first line is begun already.
fn block(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(entries) => {
            for (at, (key, value)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push_str(&indent);
                }
                text(key, depth, out);
                out.push(':');
                match value {
                    Value::Object(entries) if !entries.is_empty() => {
                        out.push_str(&format!("\n{indent}  "));
                        block(value, depth + 1, out);
                    }
                    Value::Array(items) if !items.is_empty() => {
                        out.push_str(&format!("\n{indent}"));
                        block(value, depth, out);
                    }
                    scalar => {
                        out.push(' ');
                        one(scalar, depth, out);
                    }
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(&indent);
                }
                out.push_str("- ");
                match item {
                    Value::Object(entries) if !entries.is_empty() => block(item, depth + 1, out),
                    Value::Array(items) if !items.is_empty() => block(item, depth + 1, out),
                    scalar => one(scalar, depth, out),
                }
            }
        }
        scalar => one(scalar, depth, out),
    }
}

/// What stands on the line of its key, and the end of the line.
fn one(value: &Value, depth: usize, out: &mut String) {
    match value {
        Value::Object(_) => out.push_str("{}"),
        Value::Array(_) => out.push_str("[]"),
        Value::String(value) => text(value, depth, out),
        other => out.push_str(&other.to_string()),
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

fn text(text: &str, depth: usize, out: &mut String) {
    if means_something_else(text) {
        out.push_str(&format!("\"{text}\""));
    } else if text.contains('\n') && !text.chars().any(is_special) && !text.starts_with([' ', '\n']) {
        let end = if !text.ends_with('\n') {
            "|-"
        } else if text.ends_with("\n\n") {
            "|+"
        } else {
            "|"
        };
        out.push_str(end);
        out.push('\n');
        for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
            if !line.is_empty() {
                out.push_str(&format!("{}{line}", "  ".repeat(depth + 1)));
            }
            out.push('\n');
        }
    } else if text.chars().any(|c| is_special(c) || c == '\n') {
        out.push_str(&Value::String(text.into()).to_string());
    } else if is_plain(text) {
        out.push_str(text);
    } else {
        out.push_str(&format!("'{}'", text.replace('\'', "''")));
    }
}

fn is_special(c: char) -> bool {
    (c.is_control() && c != '\n') || c == '\u{feff}'
}

/// True for a text that would be read as something other than a text: nothing, a truth, a number, a moment.
fn means_something_else(text: &str) -> bool {
    const WORDS: &str = " ~ null true false y n yes no on off << ";
    if text.is_empty() || text == "=" {
        return text.is_empty();
    }
    let lower = text.to_ascii_lowercase();
    let same_case = text == lower || text == text.to_ascii_uppercase() || text[1..] == lower[1..];
    if same_case && WORDS.contains(&format!(" {lower} ")) {
        return true;
    }
    is_number(text) || is_moment(text)
}

fn is_number(text: &str) -> bool {
    let bare = text.trim_start_matches(['+', '-']);
    if text.len() - bare.len() > 1 {
        return false;
    }
    if matches!(bare.to_ascii_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    let digits = bare.replace('_', "");
    let in_base = |prefix: &str, base: u32| {
        digits
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_digit(base)))
    };
    if in_base("0x", 16) || in_base("0b", 2) || in_base("0o", 8) {
        return true;
    }
    // Sixties, as in 12:30:45, were numbers once.
    if bare.contains(':')
        && bare.split([':', '.']).all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
    {
        return true;
    }
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((&digits, "0"));
    let exponent = exponent.trim_start_matches(['+', '-']);
    let all_digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    bare.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && (!whole.is_empty() || !part.is_empty())
        && all_digits(whole)
        && all_digits(part)
        && !exponent.is_empty()
        && all_digits(exponent)
}

fn is_moment(text: &str) -> bool {
    let date = text.split(['T', 't', ' ']).next().unwrap_or_default();
    let parts: Vec<&str> = date.split('-').collect();
    let digits = |text: &str, most: usize| {
        !text.is_empty() && text.len() <= most && text.chars().all(|c| c.is_ascii_digit())
    };
    let rest = &text[date.len()..];
    matches!(parts.as_slice(), [y, m, d] if y.len() == 4 && digits(y, 4) && digits(m, 2) && digits(d, 2))
        && (rest.is_empty() || rest[1..].starts_with(|c: char| c.is_ascii_digit()) && rest.contains(':'))
}

/// True for a text that needs no quotes (`yaml_emitter_analyze_scalar`).
fn is_plain(text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    let alone = text.len() == first.len_utf8();
    let next_is_blank = text[first.len_utf8()..].starts_with([' ', '\t']) || alone;
    let starts_badly = match first {
        '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`' => {
            true
        }
        '?' | ':' | '-' => next_is_blank,
        _ => false,
    };
    !starts_badly
        && !text.starts_with("---")
        && !text.starts_with("...")
        && !text.starts_with(' ')
        && !text.ends_with(' ')
        && !text.contains(": ")
        && !text.ends_with(':')
        && !text.contains(" #")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lists_stand_under_their_key_and_not_further_right() {
        let value = json!({ "b": [{ "u": 1, "w": ["p", "q"] }, "z"], "a": { "c": {} , "d": [] }, "e": null });
        let wanted = "a:\n  c: {}\n  d: []\nb:\n- u: 1\n  w:\n  - p\n  - q\n- z\ne: null\n";
        assert_eq!(yaml(&value), wanted);
    }

    #[test]
    fn quotes_stand_where_a_text_would_mean_something_else() {
        for text in [
            "",
            "1",
            "true",
            "null",
            "0x1f",
            "1.5",
            "1e3",
            "yes",
            "~",
            "2026-03-02T00:00:00Z",
            "12:30",
            "No",
            "1_000",
        ] {
            assert_eq!(yaml(&json!({ "a": text })), format!("a: \"{text}\"\n"));
        }
        for text in ["*", "a: b", "# x", "- a", "a #b", "'q'", "{x}", "x:", "@a"] {
            assert_eq!(yaml(&json!({ "a": text })), format!("a: '{}'\n", text.replace('\'', "''")));
        }
        for text in [
            "nvidia.com/gpu",
            "64Gi",
            "a:b",
            "-x",
            "1.2.3",
            "v1",
            "a b",
            "node-1",
            "sha256:0",
            "yEs",
            "10.0.0.1",
        ] {
            assert_eq!(yaml(&json!({ "a": text })), format!("a: {text}\n"));
        }
        assert_eq!(yaml(&json!({ "a": "x\ny\n" })), "a: |\n  x\n  y\n");
        assert_eq!(yaml(&json!({ "a": ["x\n\ny"] })), "a:\n- |-\n  x\n\n  y\n");
        assert_eq!(yaml(&json!({ "a": "x\ty" })), "a: \"x\\ty\"\n");
    }
}
