//! What saves and links keep of our types, in the JSON that `serde` would derive: structs as tables; variants as their word,
//! or as a table with it as the only key. The derives would cost the page 110 kB of code.

use crate::Json;

/// A type that saves keep.
pub trait Kept: Sized {
    /// The JSON of a value.
    fn to_json(&self) -> Json;

    /// A value from its JSON.
    ///
    /// # Errors
    /// Says what does not fit.
    fn from_json(json: &Json) -> Result<Self, String>;

    /// What stands for a key that is not there; nothing where it must be.
    fn absent() -> Option<Self> {
        None
    }
}

/// An enum that saves keep.
pub trait Variants: Sized {
    /// The word of the variant, and what it holds.
    fn take_apart(&self) -> (&'static str, Option<Json>);

    /// The variant of a word.
    ///
    /// # Errors
    /// There is none, or it does not hold that.
    fn put_together(word: &str, held: &mut Held<'_>) -> Result<Self, String>;
}

/// The JSON of a variant: its word, or a table with the word as key.
pub fn variant_to_json<T: Variants>(value: &T) -> Json {
    let (word, held) = value.take_apart();
    match held {
        None => Json::Text(word.into()),
        Some(held) => Json::Table(vec![(word.into(), held)]),
    }
}

/// A variant from the JSON of [`variant_to_json`].
///
/// # Errors
/// There is no such variant, or it does not hold that.
pub fn variant_from_json<T: Variants>(json: &Json) -> Result<T, String> {
    let (word, held) = match json {
        Json::Text(word) => (word, &Json::Null),
        Json::Table(entries) if entries.len() == 1 => (&entries[0].0, &entries[0].1),
        _ => return Err("a word is expected, or a table with one".into()),
    };
    T::put_together(word, &mut Held::of(held))
}

/// What a struct or variant holds, while it is read.
pub struct Held<'j> {
    json: &'j Json,
    /// How many of the keys were asked for.
    found: usize,
}

impl<'j> Held<'j> {
    /// What this JSON holds.
    pub fn of(json: &'j Json) -> Self {
        Self { json, found: 0 }
    }

    /// The value of a field.
    ///
    /// # Errors
    /// It is missing and needed, or is no such value.
    pub fn get<T: Kept>(&mut self, name: &str) -> Result<T, String> {
        match self.json.get(name) {
            Some(value) => {
                self.found += 1;
                T::from_json(value).map_err(|why| format!("{name}: {why}"))
            }
            None => T::absent().ok_or_else(|| format!("`{name}` is missing")),
        }
    }

    /// The only value.
    pub fn one(&self) -> &'j Json {
        self.json
    }

    /// The values of a list with so many.
    ///
    /// # Errors
    /// It has more or less, or is none.
    pub fn list<const N: usize>(&self) -> Result<&'j [Json; N], String> {
        match self.json {
            Json::List(items) => items.as_slice().try_into().ok(),
            _ => None,
        }
        .ok_or_else(|| format!("a list of {N} is expected"))
    }

    /// Refuses a table with keys that nobody asked for.
    ///
    /// # Errors
    /// There is one.
    pub fn close(&self) -> Result<(), String> {
        match self.json {
            Json::Table(entries) if entries.len() > self.found => {
                Err("it has keys that are not known".into())
            }
            _ => Ok(()),
        }
    }
}

fn expected<T>(what: &str) -> Result<T, String> {
    Err(format!("{what} is expected"))
}

impl Kept for String {
    fn to_json(&self) -> Json {
        Json::Text(self.clone())
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Text(text) => Ok(text.clone()),
            _ => expected("a text"),
        }
    }
}

impl Kept for bool {
    fn to_json(&self) -> Json {
        Json::Bool(*self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Bool(flag) => Ok(*flag),
            _ => expected("true or false"),
        }
    }

    fn absent() -> Option<Self> {
        Some(false)
    }
}

impl Kept for i64 {
    fn to_json(&self) -> Json {
        u64::try_from(*self).map_or(Json::Below(*self), Json::Number)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Below(number) => Some(*number),
            Json::Number(number) => Self::try_from(*number).ok(),
            _ => None,
        }
        .map_or_else(|| expected("a whole number"), Ok)
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Kept for $number {
            fn to_json(&self) -> Json {
                i64::from(*self).to_json()
            }

            fn from_json(json: &Json) -> Result<Self, String> {
                Self::try_from(i64::from_json(json)?).or_else(|_| expected("a smaller number"))
            }
        })*
    };
}
numbers!(i32 u32);

impl Kept for u64 {
    fn to_json(&self) -> Json {
        Json::Number(*self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::Number(number) => Ok(*number),
            _ => expected("a number from 0 up"),
        }
    }
}

impl Kept for usize {
    fn to_json(&self) -> Json {
        Json::Number(u64::try_from(*self).unwrap_or(u64::MAX))
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        Self::try_from(u64::from_json(json)?).or_else(|_| expected("a smaller number"))
    }
}

impl<T: Kept> Kept for Box<T> {
    fn to_json(&self) -> Json {
        T::to_json(self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        T::from_json(json).map(Self::new)
    }
}

impl<T: Kept> Kept for Option<T> {
    fn to_json(&self) -> Json {
        self.as_ref().map_or(Json::Null, T::to_json)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        if *json == Json::Null { Ok(None) } else { T::from_json(json).map(Some) }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Kept> Kept for Vec<T> {
    fn to_json(&self) -> Json {
        Json::List(self.iter().map(T::to_json).collect())
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        match json {
            Json::List(items) => {
                let mut list = Self::with_capacity(items.len());
                for item in items {
                    list.push(T::from_json(item)?);
                }
                Ok(list)
            }
            _ => expected("a list"),
        }
    }
}

/// The bytes of a file: a text where they are one, else a list of numbers.
impl Kept for Vec<u8> {
    fn to_json(&self) -> Json {
        match std::str::from_utf8(self) {
            Ok(text) => Json::Text(text.into()),
            Err(_) => Json::List(self.iter().map(|byte| Json::Number(u64::from(*byte))).collect()),
        }
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let byte = |json: &Json| u32::from_json(json).ok().and_then(|number| u8::try_from(number).ok());
        let bytes = match json {
            Json::Text(text) => return Ok(text.clone().into_bytes()),
            Json::List(items) => items.iter().map(byte).collect::<Option<_>>(),
            _ => None,
        };
        bytes.map_or_else(|| expected("a text or a list of bytes"), Ok)
    }
}

/// Makes a struct one that saves keep, with these fields and no others.
#[macro_export]
macro_rules! kept {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::Kept for $name {
            fn to_json(&self) -> $crate::Json {
                $crate::Json::Table(vec![$((stringify!($field).into(), $crate::Kept::to_json(&self.$field))),*])
            }

            fn from_json(json: &$crate::Json) -> Result<Self, String> {
                let mut held = $crate::Held::of(json);
                let read = Self { $($field: held.get(stringify!($field))?),* };
                held.close().map(|()| read)
            }
        }
    };
}

/// Makes an enum one that saves keep, see [`variants`].
#[macro_export]
macro_rules! kept_variants {
    ($name:ident $($variants:tt)*) => {
        $crate::variants!($name $($variants)*);

        impl $crate::Kept for $name {
            fn to_json(&self) -> $crate::Json {
                $crate::variant_to_json(self)
            }

            fn from_json(json: &$crate::Json) -> Result<Self, String> {
                $crate::variant_from_json(json)
            }
        }
    };
}

/// Tells the variants of an enum: each with its word, and names for what it holds. One behind `but not` is left out of saves
/// before they are written.
#[macro_export]
macro_rules! variants {
    ($name:ident { $($word:literal => $variant:ident $held:tt),* $(,)? } $(but not $left_out:ident)?) => {
        impl $crate::Variants for $name {
            fn take_apart(&self) -> (&'static str, Option<$crate::Json>) {
                match self {
                    $(Self::$variant $held => ($word, $crate::variants!(@to $held)),)*
                    $(Self::$left_out { .. } => (stringify!($left_out), None),)?
                }
            }

            fn put_together(word: &str, held: &mut $crate::Held<'_>) -> Result<Self, String> {
                match word {
                    $($word => $crate::variants!(@from $variant $held of held),)*
                    _ => Err(format!("`{word}` is not known")),
                }
            }
        }
    };
    (@to {}) => { None };
    (@to { $($field:ident),* }) => {
        Some($crate::Json::Table(vec![$((stringify!($field).into(), $crate::Kept::to_json($field))),*]))
    };
    (@to ($only:ident)) => { Some($crate::Kept::to_json($only)) };
    (@to ($($part:ident),*)) => { Some($crate::Json::List(vec![$($crate::Kept::to_json($part)),*])) };
    (@from $variant:ident { $($field:ident),* } of $from:ident) => {
        Ok(Self::$variant { $($field: $from.get(stringify!($field))?),* })
    };
    (@from $variant:ident ($only:ident) of $from:ident) => {
        $crate::Kept::from_json($from.one()).map(Self::$variant)
    };
    (@from $variant:ident ($($part:ident),*) of $from:ident) => {{
        let [$($part),*] = $from.list()?;
        Ok(Self::$variant($($crate::Kept::from_json($part)?),*))
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Point {
        x: i32,
        name: Option<String>,
    }
    kept!(Point { x, name });

    #[derive(Debug, PartialEq)]
    enum Shape {
        Nothing,
        Dot(Point),
        Line(Point, u64),
        Box { width: u32, full: bool },
        Secret(u32),
    }
    kept_variants!(Shape {
        "nothing" => Nothing {},
        "dot" => Dot(point),
        "line" => Line(from, length),
        "box" => Box { width, full },
    } but not Secret);

    #[test]
    fn values_come_back_from_their_json() {
        let point = |x| Point { x, name: None };
        for (value, json) in [
            (Shape::Nothing, r#""nothing""#),
            (Shape::Dot(Point { x: -1, name: Some("a".into()) }), r#"{"dot":{"x":-1,"name":"a"}}"#),
            (Shape::Line(point(1), 2), r#"{"line":[{"x":1,"name":null},2]}"#),
            (Shape::Box { width: 1, full: true }, r#"{"box":{"width":1,"full":true}}"#),
        ] {
            assert_eq!(value.to_json().write(), json);
            assert_eq!(Shape::from_json(&Json::read(json).unwrap()), Ok(value));
        }
        assert_eq!(Shape::Secret(1).to_json().write(), r#""Secret""#);
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let fault = |text: &str| Shape::from_json(&Json::read(text).unwrap()).unwrap_err();
        assert_eq!(fault(r#""circle""#), "`circle` is not known");
        assert_eq!(fault(r#""Secret""#), "`Secret` is not known");
        assert_eq!(fault("[]"), "a word is expected, or a table with one");
        assert_eq!(fault(r#"{"dot":{}}"#), "`x` is missing");
        assert_eq!(fault(r#"{"dot":{"x":1,"y":1}}"#), "it has keys that are not known");
        assert_eq!(fault(r#"{"dot":{"x":4294967296}}"#), "x: a smaller number is expected");
        assert_eq!(fault(r#"{"line":[1]}"#), "a list of 2 is expected");
        assert_eq!(fault(r#"{"box":{"width":1,"full":1}}"#), "full: true or false is expected");
    }

    #[test]
    fn bytes_are_a_text_where_they_are_one() {
        for (bytes, json) in [(vec![b'a'], r#""a""#), (vec![0xff, 1], "[255,1]")] {
            assert_eq!(bytes.to_json().write(), json);
            assert_eq!(Vec::<u8>::from_json(&Json::read(json).unwrap()), Ok(bytes));
        }
        assert!(Vec::<u8>::from_json(&Json::read("[256]").unwrap()).is_err());
    }
}
