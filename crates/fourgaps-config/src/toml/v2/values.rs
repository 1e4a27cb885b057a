//! Stores one value of a document in a place of a known type.

use super::decode::{Decoder, table_in};
use super::fault::{Fault, Res};
use super::number;
use super::parse::{Part, Value, ValueKind};
use super::times;
use super::types::{ANY, Ty, kind_name, time_name, type_name, zero};
use crate::duration;
use crate::schema::{IntType, Type};
use crate::toml::{Kind, Node, TimeKind};
use std::ops::Range;

impl<'a> Decoder<'a> {
    /// Stores a value; its place is the key stepped on last.
    pub fn value(&mut self, value: &Value, ty: &'a Type, slot: &mut Option<Node>) -> Res<()> {
        let mut ty = ty;
        while let Type::Pointer(of) = ty {
            slot.get_or_insert_with(|| self.here.node(zero(of)));
            ty = of;
        }
        let table_like = matches!(value.kind, ValueKind::Array(_) | ValueKind::Inline(_));
        if matches!(ty, Type::TextDuration) && (self.rules.text_form_of_tables || !table_like) {
            return self.duration(value, slot);
        }
        let kind = match &value.kind {
            ValueKind::Array(items) => return self.array(value.start, items, ty, slot),
            ValueKind::Inline(entries) => return self.inline_table(value.start, entries, ty, slot),
            ValueKind::String(text) => match ty {
                Type::String | Type::Any | Type::Tree => Kind::String(text.clone()),
                _ => return Err(Fault::at(value.start, self.mismatch("string", Ty::Of(ty), slot))),
            },
            ValueKind::Bool(value_is) => match ty {
                Type::Bool | Type::Any | Type::Tree => Kind::Bool(*value_is),
                _ => return Err(Fault::at(value.start, format!("cannot assign boolean to a {value_is}"))),
            },
            ValueKind::Integer(range) => match ty {
                Type::Float64 => self.float(range, ty)?,
                _ => self.integer(range, ty, slot)?,
            },
            ValueKind::Float(range) => self.float(range, ty)?,
            ValueKind::DateTime(range) => self.time(TimeKind::Offset, range, ty, slot)?,
            ValueKind::LocalDateTime(range) => self.time(TimeKind::LocalDateTime, range, ty, slot)?,
            ValueKind::LocalDate(range) => self.time(TimeKind::LocalDate, range, ty, slot)?,
            ValueKind::LocalTime(range) => self.time(TimeKind::LocalTime, range, ty, slot)?,
        };
        *slot = Some(self.here.node(kind));
        Ok(())
    }

    fn cut(&self, range: &Range<usize>) -> &'a [u8] {
        &self.parser.doc()[range.clone()]
    }

    fn integer(&self, range: &Range<usize>, ty: &Type, slot: &Option<Node>) -> Res<Kind> {
        let read = number::integer(self.cut(range), range.start)?;
        match ty {
            Type::Any | Type::Tree | Type::Duration => Ok(Kind::Int(read)),
            Type::Int(int) => match refusal(read, *int) {
                None => Ok(Kind::Int(read)),
                Some(message) => Err(Fault::plain(range.start, message)),
            },
            _ => Err(Fault::at(range.start, self.mismatch("integer", Ty::Of(ty), slot))),
        }
    }

    fn float(&self, range: &Range<usize>, ty: &Type) -> Res<Kind> {
        let read = number::float(self.cut(range), range.start)?;
        match ty {
            Type::Float64 | Type::Any | Type::Tree => Ok(Kind::Float(read)),
            _ => {
                let kind = kind_name(Ty::Of(ty), &None);
                Err(Fault::at(range.start, format!("float cannot be assigned to {kind}")))
            }
        }
    }

    fn time(&self, kind: TimeKind, range: &Range<usize>, ty: &Type, slot: &Option<Node>) -> Res<Kind> {
        let (bytes, start) = (self.cut(range), range.start);
        let (text, toml) = match kind {
            TimeKind::Offset => (times::date_time(self.rules, bytes, start)?, "datetime"),
            TimeKind::LocalDateTime => (times::local_date_time(self.rules, bytes, start)?, "local datetime"),
            TimeKind::LocalDate => (times::local_date(bytes, start)?, "local date"),
            TimeKind::LocalTime => (times::local_time(self.rules, bytes, start)?, "local time"),
        };
        if matches!(ty, Type::Any | Type::Tree) {
            return Ok(Kind::Time(kind, text));
        }
        if self.rules.date_type_checked {
            return Err(Fault::at_start(start, self.mismatch(toml, Ty::Of(ty), slot)));
        }
        let (from, to) = (time_name(kind), type_name(Ty::Of(ty), slot));
        let message = format!("reflect.Set: value of type {from} is not assignable to type {to}");
        Err(Fault::crash(start, message))
    }

    /// A duration takes the text of any value, and says itself what is wrong with it.
    fn duration(&mut self, value: &Value, slot: &mut Option<Node>) -> Res<()> {
        let raw = |range: &Range<usize>| String::from_utf8_lossy(self.cut(range)).into_owned();
        // The library has noted where strings, numbers and inline tables stand, and nothing of the others.
        let (text, located) = match &value.kind {
            ValueKind::String(text) => (text.clone(), true),
            ValueKind::Integer(range) | ValueKind::Float(range) => (raw(range), true),
            ValueKind::Bool(value) => (value.to_string(), false),
            ValueKind::DateTime(range)
            | ValueKind::LocalDateTime(range)
            | ValueKind::LocalDate(range)
            | ValueKind::LocalTime(range) => (raw(range), false),
            ValueKind::Inline(_) => (String::new(), true),
            ValueKind::Array(_) => (String::new(), false),
        };
        match duration::parse(&text) {
            Ok(nanos) => {
                *slot = Some(self.here.node(Kind::String(duration::show(nanos))));
                Ok(())
            }
            Err(message) if located => Err(Fault::at(value.start, message)),
            Err(message) => Err(Fault::at_start(value.start, message)),
        }
    }

    fn array(&mut self, start: usize, items: &'_ [Value], ty: &'a Type, slot: &mut Option<Node>) -> Res<()> {
        let of = match (ty, slot.as_ref().map(|node| &node.kind)) {
            (Type::Slice(of), _) => of.as_ref(),
            (Type::Any | Type::Tree, None | Some(Kind::Array(_) | Kind::Tables(_))) => &ANY,
            (Type::Any | Type::Tree, _) => {
                return Err(Fault::plain(start, self.mismatch("array", Ty::Inner, slot)));
            }
            _ => return Err(Fault::plain(start, self.mismatch("array", Ty::Of(ty), slot))),
        };
        let spot = self.here;
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            // An item has no key: it stands where it begins.
            self.here = self.places.spot(item.start, item.start);
            let here = self.here;
            let mut entry = None;
            self.value(item, of, &mut entry)?;
            list.push(entry.unwrap_or_else(|| here.node(zero(of))));
        }
        *slot = Some(spot.node(Kind::Array(list)));
        Ok(())
    }

    fn inline_table(
        &mut self,
        start: usize,
        entries: &[(Vec<Part>, Value)],
        ty: &'a Type,
        slot: &mut Option<Node>,
    ) -> Res<()> {
        let inner = match (ty, slot.as_ref().map(|node| &node.kind)) {
            (Type::Map(_) | Type::Struct(_), _) => Ty::Of(ty),
            (Type::Any | Type::Tree, None | Some(Kind::Table(_))) => Ty::Inner,
            (Type::Any | Type::Tree, _) => return Err(cannot_store(start, Ty::Inner, slot)),
            _ => return Err(cannot_store(start, Ty::Of(ty), slot)),
        };
        let spot = self.here;
        table_in(slot, spot).inline = true;
        if let Some(node) = slot {
            (node.place, node.reported) = (spot.place, spot.reported);
        }
        for (key, value) in entries {
            self.here = spot;
            self.key_value(key, value, inner, slot)?;
        }
        Ok(())
    }
}

fn cannot_store(start: usize, ty: Ty<'_>, slot: &Option<Node>) -> Fault {
    let kind = kind_name(ty, slot);
    Fault::at(start, format!("cannot store inline table in Go type {kind}"))
}

/// Why an integer does not go into a type, if it does not.
fn refusal(read: i64, int: IntType) -> Option<String> {
    let name = Type::Int(int).go_name();
    let fits = match (int.signed, int.bits) {
        (true, 8) => i8::try_from(read).is_ok(),
        (true, 16) => i16::try_from(read).is_ok(),
        (true, 32) => i32::try_from(read).is_ok(),
        (true, _) => true,
        (false, 8) => u8::try_from(read).is_ok(),
        (false, 16) => u16::try_from(read).is_ok(),
        (false, 32) => u32::try_from(read).is_ok(),
        (false, _) => read >= 0,
    };
    match (fits, int.signed) {
        (true, _) => None,
        (false, true) => Some(format!("number {read} does not fit in an {name}")),
        // The library says so of numbers that are too large as well.
        (false, false) => Some(format!("negative number {read} does not fit in an {name}")),
    }
}

/// The list in a slot; made where there is none.
pub(super) fn list_in(slot: &mut Option<Node>) -> &mut Vec<Node> {
    let node = slot.get_or_insert_with(|| Node::default_of(Kind::Array(Vec::new())));
    if !matches!(node.kind, Kind::Array(_) | Kind::Tables(_)) {
        node.kind = Kind::Array(Vec::new());
    }
    match &mut node.kind {
        Kind::Array(list) | Kind::Tables(list) => list,
        _ => unreachable!("made a list above"),
    }
}

/// Gives a list that a header filled with tables its right name.
pub(super) fn name_list(node: &mut Node) {
    if let Kind::Array(list) = &mut node.kind
        && list.iter().all(|item| matches!(item.kind, Kind::Table(_)))
    {
        node.kind = Kind::Tables(std::mem::take(list));
    }
}
