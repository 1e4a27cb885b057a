//! The shape of a configuration as data: Go's struct types, read from a version's own folder.
//!
//! A field is one line, `GoName key type`, for example `Type runtime_type string`. The order of the lines is the
//! order of the struct. `omitempty` and `embedded` may follow; an embedded struct without a key of its own has `-`.

use std::collections::BTreeMap;

/// A Go type, as far as containerd's configuration uses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`
    Bool,
    /// `int`, `int64`, `int32`, `int16`, `int8`: size in bits; `int` counts 64 and keeps its own name.
    Int(IntType),
    /// `float64`
    Float64,
    /// `string`
    String,
    /// `interface {}`: anything.
    Any,
    /// `toml.Tree`: the table as it was read.
    Tree,
    /// `time.Duration`: a number of nanoseconds that may be written as a text.
    Duration,
    /// A duration that reads and writes itself as a text, such as the scheduler's.
    TextDuration,
    /// `[]T`
    Slice(Box<Type>),
    /// `map[string]T`
    Map(Box<Type>),
    /// `*T`
    Pointer(Box<Type>),
    /// A struct, by its Go name, for example `config.Runtime`.
    Struct(String),
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntType {
    /// Size in bits.
    pub bits: u8,
    /// True for `int8` … `int64`, false for `uint8` … `uint64`.
    pub signed: bool,
    /// True for `int` and `uint`, which are 64 bits wide and named without a size.
    pub plain: bool,
}

/// One field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The field's name in Go, which messages of 2.x show.
    pub go: String,
    /// The key in TOML; `-` for an embedded struct, whose fields count as the outer one's.
    pub key: String,
    /// Its type.
    pub ty: Type,
    /// Left out of a dump where it is empty.
    pub omit_empty: bool,
    /// An embedded struct: where its key is missing, 1.x looks for its fields in the outer table.
    pub embedded: bool,
}

/// All struct types of a version, by Go name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    structs: BTreeMap<String, Vec<Field>>,
}

impl Schema {
    /// Reads the struct types of a version's folder: Go name to field lines.
    ///
    /// # Errors
    /// Names the struct and the line that is not `GoName key type [omitempty]`, or the type that is not there.
    pub fn from_lines(lines: &BTreeMap<String, Vec<String>>) -> Result<Self, String> {
        let mut structs = BTreeMap::new();
        for (name, lines) in lines {
            let fields =
                lines.iter().map(|line| Field::parse(line).ok_or_else(|| format!("{name}: {line:?}")));
            structs.insert(name.clone(), fields.collect::<Result<Vec<_>, _>>()?);
        }
        for (name, fields) in &structs {
            for field in fields {
                if let Some(missing) = missing(&field.ty, &structs) {
                    return Err(format!("{name}: {} wants the type {missing}, which is not there", field.go));
                }
            }
        }
        Ok(Self { structs })
    }

    /// The fields of a struct in order; empty for a name that is not there.
    pub fn fields(&self, name: &str) -> &[Field] {
        self.structs.get(name).map_or(&[], Vec::as_slice)
    }
}

fn missing<'t>(ty: &'t Type, structs: &BTreeMap<String, Vec<Field>>) -> Option<&'t str> {
    match ty {
        Type::Slice(of) | Type::Map(of) | Type::Pointer(of) => missing(of, structs),
        Type::Struct(name) if !structs.contains_key(name) => Some(name),
        _ => None,
    }
}

impl Field {
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (go, key, ty) = (words.next()?, words.next()?, words.next()?);
        let (mut omit_empty, mut embedded) = (false, key == "-");
        for word in words {
            match word {
                "omitempty" => omit_empty = true,
                "embedded" => embedded = true,
                _ => return None,
            }
        }
        Some(Self { go: go.into(), key: key.into(), ty: Type::parse(ty)?, omit_empty, embedded })
    }
}

impl Type {
    /// Reads Go's own notation; `any` stands for `interface {}`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(of) = text.strip_prefix("[]") {
            return Some(Self::Slice(Box::new(Self::parse(of)?)));
        }
        if let Some(of) = text.strip_prefix("map[string]") {
            return Some(Self::Map(Box::new(Self::parse(of)?)));
        }
        if let Some(of) = text.strip_prefix('*') {
            return Some(Self::Pointer(Box::new(Self::parse(of)?)));
        }
        Some(match text {
            "" => return None,
            "bool" => Self::Bool,
            "string" => Self::String,
            "float64" => Self::Float64,
            "any" => Self::Any,
            "toml.Tree" => Self::Tree,
            "time.Duration" => Self::Duration,
            "text-duration" => Self::TextDuration,
            _ => match IntType::parse(text) {
                Some(int) => Self::Int(int),
                None => Self::Struct(text.into()),
            },
        })
    }

    /// The type as Go prints it in a message.
    pub fn go_name(&self) -> String {
        match self {
            Self::Bool => "bool".into(),
            Self::Int(int) => int.go_name(),
            Self::Float64 => "float64".into(),
            Self::String => "string".into(),
            Self::Any => "interface {}".into(),
            Self::Tree => "toml.Tree".into(),
            Self::Duration | Self::TextDuration => "time.Duration".into(),
            Self::Slice(of) => format!("[]{}", of.go_name()),
            Self::Map(of) => format!("map[string]{}", of.go_name()),
            Self::Pointer(of) => format!("*{}", of.go_name()),
            Self::Struct(name) => name.clone(),
        }
    }
}

impl IntType {
    fn parse(text: &str) -> Option<Self> {
        let (signed, size) = match text.strip_prefix("uint") {
            Some(size) => (false, size),
            None => (true, text.strip_prefix("int")?),
        };
        let bits = match size {
            "" | "64" => 64,
            "32" => 32,
            "16" => 16,
            "8" => 8,
            _ => return None,
        };
        Some(Self { bits, signed, plain: size.is_empty() })
    }

    fn go_name(self) -> String {
        let name = if self.signed { "int" } else { "uint" };
        if self.plain { name.into() } else { format!("{name}{}", self.bits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_print_as_they_were_written() {
        for text in [
            "bool",
            "int",
            "uint32",
            "int64",
            "[]string",
            "map[string]config.Runtime",
            "*[]map[string]string",
        ] {
            assert_eq!(Type::parse(text).unwrap().go_name(), text);
        }
        assert_eq!(Type::parse("map[string]any").unwrap().go_name(), "map[string]interface {}");
    }

    #[test]
    fn a_missing_type_is_named() {
        let lines = BTreeMap::from([("a.A".to_string(), vec!["B b []b.B".to_string()])]);
        assert_eq!(Schema::from_lines(&lines).unwrap_err(), "a.A: B wants the type b.B, which is not there");
    }
}
