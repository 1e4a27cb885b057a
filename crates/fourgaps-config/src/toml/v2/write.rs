//! Writes items as TOML, as the library's encoder does, and remembers what stands where.

use super::item::{Item, Shape, escaped, needs_escapes};
use super::places::Spot;

/// What an item turns into.
pub(super) struct Written {
    pub text: String,
    /// Offsets of keys and list items in rising order, with their spots.
    pub spots: Vec<(usize, Spot)>,
    /// Offsets of lines that show something, with the keys down to it and its spot.
    pub lines: Vec<(usize, Vec<String>, Spot)>,
}

/// Writes a value as a document. `indent_tables` moves what a header opens to the right.
pub(super) fn write(item: &Item, indent_tables: bool) -> Written {
    let out = Written { text: String::new(), spots: Vec::new(), lines: Vec::new() };
    let mut writer = Writer { out, indent_tables, keys: Vec::new(), path: Vec::new() };
    writer.item(item, Context::default());
    writer.out
}

/// Writes a value as it stands behind a `=`.
pub(super) fn write_value(item: &Item) -> String {
    let out = Written { text: String::new(), spots: Vec::new(), lines: Vec::new() };
    let mut writer = Writer { out, indent_tables: false, keys: Vec::new(), path: Vec::new() };
    writer.item(item, Context { inside_value: true, ..Context::default() });
    writer.out.text
}

#[derive(Clone, Copy, Default)]
struct Context {
    /// Behind a `=`, where tables stand in braces.
    inside_value: bool,
    /// The header was written already.
    skip_header: bool,
    indent: usize,
}

struct Writer<'i> {
    out: Written,
    indent_tables: bool,
    keys: Vec<(&'i str, Spot)>,
    /// The keys, with the number of the item behind the key of a list.
    path: Vec<String>,
}

impl<'i> Writer<'i> {
    fn push(&mut self, text: &str) {
        self.out.text.push_str(text);
    }

    fn indent(&mut self, depth: usize) {
        (0..depth).for_each(|_| self.push("  "));
    }

    fn mark(&mut self, spot: Spot) {
        self.out.spots.push((self.out.text.len(), spot));
    }

    /// Notes that a line begins which shows what `self.path` leads to.
    fn line(&mut self, spot: Spot) {
        self.out.lines.push((self.out.text.len(), self.path.clone(), spot));
    }

    fn enter(&mut self, key: &'i str, spot: Spot) {
        self.keys.push((key, spot));
        self.path.push(key.into());
    }

    fn leave(&mut self) {
        self.keys.pop();
        self.path.pop();
    }

    fn item(&mut self, item: &'i Item, context: Context) {
        match &item.shape {
            Shape::Leaf(text) => self.push(text),
            Shape::Table(entries) if context.inside_value => self.inline_table(entries, context),
            Shape::Table(entries) => self.table(entries, item.spot, context),
            Shape::List(list) if !context.inside_value && item.is_table_list() => self.tables(list, context),
            Shape::List(list) => self.list(list, context),
        }
    }

    fn key(&mut self, key: &str) {
        let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if key.is_empty() {
            self.push("''");
        } else if key.chars().all(bare) {
            self.push(key);
        } else if needs_escapes(key) {
            self.push(&escaped(key));
        } else {
            self.push(&format!("'{key}'"));
        }
    }

    fn header(&mut self, open: &str, close: &str, spot: Spot, indent: usize) {
        self.line(spot);
        self.indent(indent);
        self.push(open);
        for i in 0..self.keys.len() {
            if i > 0 {
                self.push(".");
            }
            let (key, key_spot) = self.keys[i];
            self.mark(if i + 1 == self.keys.len() { spot } else { key_spot });
            self.key(key);
        }
        self.push(close);
        self.push("\n");
    }

    fn key_value(&mut self, key: &'i str, value: &'i Item, context: Context) {
        self.enter(key, value.spot);
        if !context.inside_value {
            self.line(value.spot);
        }
        // The library indents inside of braces too.
        self.indent(context.indent);
        self.mark(value.spot);
        self.key(key);
        self.push(" = ");
        self.item(value, Context { inside_value: true, ..context });
        self.leave();
    }

    fn inline_table(&mut self, entries: &'i [(String, Item)], context: Context) {
        self.push("{");
        for (i, (key, value)) in entries.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.key_value(key, value, context);
        }
        self.push("}");
    }

    /// A header, then what stands on lines of its own, then the tables below.
    fn table(&mut self, entries: &'i [(String, Item)], spot: Spot, mut context: Context) {
        if !context.skip_header && !self.keys.is_empty() {
            self.header("[", "]", spot, context.indent);
            context.indent += usize::from(self.indent_tables);
        }
        context.skip_header = false;
        let (tables, values): (Vec<_>, Vec<_>) =
            entries.iter().partition(|(_, value)| value.is_table() || value.is_table_list());
        for (key, value) in &values {
            self.key_value(key, value, context);
            self.push("\n");
        }
        for (i, (key, value)) in tables.iter().enumerate() {
            if i > 0 || !values.is_empty() {
                self.push("\n");
            }
            self.enter(key, value.spot);
            self.item(value, context);
            self.leave();
        }
    }

    fn tables(&mut self, list: &'i [Item], context: Context) {
        let inner = Context {
            skip_header: true,
            indent: context.indent + usize::from(self.indent_tables),
            ..context
        };
        // Only tables that are indented have indented headers.
        let indent = if self.indent_tables { context.indent } else { 0 };
        for (i, item) in list.iter().enumerate() {
            if i > 0 {
                self.push("\n");
            }
            self.path.push(i.to_string());
            self.header("[[", "]]", item.spot, indent);
            self.item(item, inner);
            self.path.pop();
        }
    }

    fn list(&mut self, list: &'i [Item], context: Context) {
        self.push("[");
        for (i, item) in list.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            self.mark(item.spot);
            self.item(item, context);
        }
        self.push("]");
    }
}
