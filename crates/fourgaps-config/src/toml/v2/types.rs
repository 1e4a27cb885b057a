//! Go's types as the decoder meets them: what can be stepped into, which field a key names, how a type is called.

use crate::schema::{Field, Schema, Type};
use crate::toml::{Kind, Node, Table, TimeKind};

/// The type inside a list or map of anything.
pub(super) static ANY: Type = Type::Any;

/// What the decoder knows about the type of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ty<'t> {
    /// The type by the schema; an `interface {}` may still be empty.
    Of(&'t Type),
    /// A value taken out of an `interface {}`: its own type counts.
    Inner,
}

/// How a value can be stepped into.
#[derive(Clone, Copy, Debug)]
pub(super) enum View<'t> {
    Map(&'t Type),
    List(&'t Type),
    Struct(&'t str),
    Pointer(&'t Type),
    Any,
    /// Not at all.
    Leaf,
}

/// The struct types, to look fields up by their keys.
pub(super) struct Types<'a> {
    schema: &'a Schema,
}

impl<'a> Types<'a> {
    pub fn new(schema: &'a Schema) -> Self {
        Self { schema }
    }

    /// The field that a key names: by its exact name, else without regard to upper and lower case.
    pub fn field(&mut self, name: &'a str, key: &str) -> Option<&'a Field> {
        look_up(self.schema, name, key).or_else(|| look_up(self.schema, name, &lower(key)))
    }
}

/// The last field whose key, as it is or in lower case, is this one. Structs are short, so no table of keys is made.
fn look_up<'a>(schema: &'a Schema, name: &str, key: &str) -> Option<&'a Field> {
    let fields = schema.fields(name).iter().rev();
    let mut matching = fields.filter_map(|field| match embedded_struct(field) {
        Some(inner) => look_up(schema, inner, key),
        None => (field.key == key || lower_equals(&field.key, key)).then_some(field),
    });
    matching.next()
}

fn lower_equals(text: &str, key: &str) -> bool {
    text.len() == key.len() && text.is_ascii() && text.bytes().map(|b| b.to_ascii_lowercase()).eq(key.bytes())
}

/// The struct whose fields count as the outer one's.
pub(super) fn embedded_struct(field: &Field) -> Option<&str> {
    let inner = match &field.ty {
        Type::Pointer(of) => of.as_ref(),
        ty => ty,
    };
    match inner {
        Type::Struct(name) if field.key == "-" => Some(name),
        _ => None,
    }
}

/// Go's `strings.ToLower`, as far as the keys of fields go, which are ASCII: only two other characters become such a letter.
/// The whole table of small letters would cost the page ten kilobytes.
fn lower(text: &str) -> String {
    let one = |c: char| match c {
        '\u{130}' => 'i',
        '\u{212a}' => 'k',
        c => c.to_ascii_lowercase(),
    };
    text.chars().map(one).collect()
}

/// How a value of this type can be stepped into.
pub(super) fn view<'t>(ty: Ty<'t>, slot: &Option<Node>) -> View<'t> {
    match ty {
        Ty::Of(Type::Map(of)) => View::Map(of),
        Ty::Of(Type::Slice(of)) => View::List(of),
        Ty::Of(Type::Struct(name)) => View::Struct(name),
        Ty::Of(Type::Pointer(of)) => View::Pointer(of),
        Ty::Of(Type::Any | Type::Tree) => View::Any,
        Ty::Of(_) => View::Leaf,
        Ty::Inner => match slot.as_ref().map(|node| &node.kind) {
            Some(Kind::Table(_)) => View::Map(&ANY),
            Some(Kind::Array(_) | Kind::Tables(_)) => View::List(&ANY),
            _ => View::Leaf,
        },
    }
}

/// Go's `reflect.Kind` of a value.
pub(super) fn kind_name(ty: Ty<'_>, slot: &Option<Node>) -> String {
    let name = match ty {
        Ty::Of(ty @ Type::Int(_)) => return ty.go_name(),
        Ty::Of(ty) => match ty {
            Type::Bool => "bool",
            Type::Int(_) | Type::Duration | Type::TextDuration => "int64",
            Type::Float64 => "float64",
            Type::String => "string",
            Type::Any | Type::Tree => "interface",
            Type::Slice(_) => "slice",
            Type::Map(_) => "map",
            Type::Pointer(_) => "ptr",
            Type::Struct(_) => "struct",
        },
        Ty::Inner => match slot.as_ref().map(|node| &node.kind) {
            None => "invalid",
            Some(Kind::Bool(_)) => "bool",
            Some(Kind::Int(_)) => "int64",
            Some(Kind::Uint(_)) => "uint64",
            Some(Kind::Float(_)) => "float64",
            Some(Kind::String(_)) => "string",
            Some(Kind::Time(..)) => "struct",
            Some(Kind::Array(_) | Kind::Tables(_)) => "slice",
            Some(Kind::Table(_)) => "map",
        },
    };
    name.into()
}

/// The name of a value's type as messages show it.
pub(super) fn type_name(ty: Ty<'_>, slot: &Option<Node>) -> String {
    match ty {
        Ty::Of(Type::TextDuration) => "tomlext.Duration".into(),
        Ty::Of(ty) => shown_name(&ty.go_name()).into(),
        Ty::Inner => match slot.as_ref().map(|node| &node.kind) {
            Some(Kind::Time(kind, _)) => time_name(*kind).into(),
            Some(Kind::Array(_) | Kind::Tables(_)) => "[]interface {}".into(),
            Some(Kind::Table(_)) => "map[string]interface {}".into(),
            _ => kind_name(ty, slot),
        },
    }
}

/// The name of a type as Go prints it. A schema tells apart types that Go gives the same name by an `@` and a word.
pub(super) fn shown_name(name: &str) -> &str {
    name.split_once('@').map_or(name, |(shown, _)| shown)
}

/// The Go type of a date or time.
pub(super) fn time_name(kind: TimeKind) -> &'static str {
    match kind {
        TimeKind::Offset => "time.Time",
        TimeKind::LocalDateTime => "toml.LocalDateTime",
        TimeKind::LocalDate => "toml.LocalDate",
        TimeKind::LocalTime => "toml.LocalTime",
    }
}

/// The zero value of a type.
pub(super) fn zero(ty: &Type) -> Kind {
    match ty {
        Type::Bool => Kind::Bool(false),
        Type::Int(_) | Type::Duration => Kind::Int(0),
        Type::Float64 => Kind::Float(0.0),
        Type::String => Kind::String(String::new()),
        Type::TextDuration => Kind::String("0s".into()),
        Type::Slice(_) => Kind::Array(Vec::new()),
        Type::Pointer(of) => zero(of),
        Type::Any | Type::Tree | Type::Map(_) | Type::Struct(_) => Kind::Table(Table::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_find_fields_without_regard_to_case() {
        let lines = |lines: &[&str]| lines.iter().map(|l| (*l).to_string()).collect::<Vec<_>>();
        let schema = Schema::from_lines(&std::collections::BTreeMap::from([
            (
                "a.Outer".into(),
                lines(&["UID uid int", "Inner - a.Inner", "Named named a.Inner", "Toolkit toolkit bool"]),
            ),
            ("a.Inner".into(), lines(&["BinDir Bin_Dir string"])),
        ]))
        .unwrap();
        let mut types = Types::new(&schema);
        let mut check = |key: &str, go: Option<&str>| {
            assert_eq!(types.field("a.Outer", key).map(|f| f.go.as_str()), go, "{key}");
        };
        check("uid", Some("UID"));
        check("UID", Some("UID"));
        check("bin_dir", Some("BinDir"));
        check("BIN_DIR", Some("BinDir"));
        check("named", Some("Named"));
        check("inner", None);
        check("u\u{130}d", Some("UID"));
        check("tool\u{212a}it", Some("Toolkit"));
    }
}
