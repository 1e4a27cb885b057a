//! JSON as kubectl prints it: keys in order, four blanks per depth, Go's marks in texts.

use crate::json::quote;
use serde_json::Value;

/// The text of an object, with its last line end.
pub fn json(value: &Value) -> String {
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}

fn write(value: &Value, depth: usize, out: &mut String) {
    let (open, close) = match value {
        Value::Array(items) if !items.is_empty() => ('[', ']'),
        Value::Object(entries) if !entries.is_empty() => ('{', '}'),
        Value::String(text) => return quote(out, text),
        scalar => return out.push_str(&scalar.to_string()),
    };
    let line = |first: bool, out: &mut String| {
        out.push_str(if first { "\n" } else { ",\n" });
        out.push_str(&"    ".repeat(depth + 1));
    };
    out.push(open);
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        line(at == 0, out);
        write(item, depth + 1, out);
    }
    for (at, (key, item)) in value.as_object().into_iter().flatten().enumerate() {
        line(at == 0, out);
        quote(out, key);
        out.push_str(": ");
        write(item, depth + 1, out);
    }
    out.push('\n');
    out.push_str(&"    ".repeat(depth));
    out.push(close);
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn objects_are_indented_by_four() {
        let value = serde_json::json!({ "b": [1, "<"], "a": { "c": {}, "d": [] } });
        let wanted = "{\n    \"a\": {\n        \"c\": {},\n        \"d\": []\n    },\n    \"b\": [\n        1,\n        \"\\u003c\"\n    ]\n}\n";
        assert_eq!(json(&value), wanted);
    }
}
