//! Fills a struct from a document, expression by expression, in the library's own order.
//!
//! The order matters: an error hides what would have come later, and a key that no field takes is skipped with
//! its value unread. Tables are in `tables`, single values in `values`.

use super::fault::{Fault, FaultKind, Res};
use super::parse::{Expr, Parser, Part, Value};
use super::places::{Places, Spot};
use super::rules::Rules;
use super::seen::Seen;
use super::types::{ANY, Ty, Types, View, kind_name, shown_name, type_name, view, zero};
use super::{Decoded, Unknown};
use crate::schema::{Field, Schema, Type};
use crate::toml::{Kind, Node, Table, TomlError};
use fourgaps_base::Pos;
use std::collections::BTreeMap;

/// The field that messages name.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub outer: &'a str,
    pub field: &'a Field,
}

/// The state of one run over a document.
pub(super) struct Decoder<'a> {
    pub rules: Rules,
    pub types: Types<'a>,
    pub places: Places<'a>,
    pub parser: Parser<'a>,
    pub seen: Seen,
    /// An expression that was looked at too early.
    stash: Option<Expr>,
    /// Set where no field takes a key: its spot. Key-values are skipped until the next header.
    pub skip: Option<Spot>,
    /// The next list of tables is new in this document, so its old content goes.
    pub fresh_list: bool,
    /// The field stepped into last. The library does not always forget it in time, and neither does this.
    pub context: Option<Context<'a>>,
    /// The spot of the key stepped on last.
    pub here: Spot,
    /// Headers without a key below them. They make no map; whoever makes it later finds its place here.
    pub bare_headers: BTreeMap<Vec<String>, Spot>,
    strict: bool,
    path: Vec<String>,
    unknown: Vec<Unknown>,
    /// A key whose text the library cannot locate: it crashes at the end, if it gets there.
    unlocated: Option<usize>,
}

impl<'a> Decoder<'a> {
    pub fn new(rules: Rules, schema: &'a Schema, doc: &'a [u8], places: Places<'a>, strict: bool) -> Self {
        Self {
            rules,
            types: Types::new(schema),
            places,
            parser: Parser::new(doc, rules),
            seen: Seen::new(),
            stash: None,
            skip: None,
            fresh_list: false,
            context: None,
            here: Spot::default(),
            bare_headers: BTreeMap::new(),
            strict,
            path: Vec::new(),
            unknown: Vec::new(),
            unlocated: None,
        }
    }

    /// Decodes the whole document onto a struct. The error comes with the spot of the fault.
    pub fn run(mut self, ty: &'a Type, onto: Table) -> Result<Decoded, (TomlError, Spot)> {
        let mut root = Some(Node::default_of(Kind::Table(onto)));
        match self.all(ty, &mut root) {
            Ok(()) => {
                let table = match root.map(|node| node.kind) {
                    Some(Kind::Table(table)) => table,
                    _ => Table::default(),
                };
                Ok(Decoded { table, unknown: self.unknown })
            }
            Err(fault) => Err(self.error(fault)),
        }
    }

    fn all(&mut self, ty: &'a Type, root: &mut Option<Node>) -> Res<()> {
        while let Some(expr) = self.next_expr()? {
            self.root_expression(&expr, Ty::Of(ty), root)?;
        }
        match self.unlocated {
            // The numbers are addresses in memory, which differ from run to run.
            Some(offset) => Err(Fault::crash(offset, "subslice address (…) is before data address (…)")),
            None => Ok(()),
        }
    }

    fn error(&mut self, fault: Fault) -> (TomlError, Spot) {
        let spot = self.places.spot(fault.offset, fault.offset);
        let (reported, message) = match fault.kind {
            FaultKind::PlacedEmpty if self.rules.empty_fault_at_start => {
                (Some(Pos::new(1, 1)), format!("toml: {}", fault.message))
            }
            FaultKind::Placed | FaultKind::PlacedEmpty => {
                (Some(self.places.reported(fault.offset)), format!("toml: {}", fault.message))
            }
            FaultKind::AtStart => (Some(Pos::new(1, 1)), format!("toml: {}", fault.message)),
            FaultKind::Plain => (None, format!("toml: {}", fault.message)),
            FaultKind::Bare | FaultKind::Bound => (None, fault.message),
            FaultKind::Crash => (None, format!("panic: {}", fault.message)),
        };
        (TomlError { reported, at: spot.place.pos, message }, spot)
    }

    pub fn next_expr(&mut self) -> Res<Option<Expr>> {
        match self.stash.take() {
            Some(expr) => Ok(Some(expr)),
            None => self.parser.next(),
        }
    }

    pub fn stash(&mut self, expr: Expr) {
        self.stash = Some(expr);
    }

    fn root_expression(&mut self, expr: &Expr, ty: Ty<'a>, root: &mut Option<Node>) -> Res<()> {
        let skipped = self.skip.is_some() && matches!(expr, Expr::KeyValue(..));
        if skipped {
            return Ok(());
        }
        let first = self.seen.check(expr)?;
        let header = match expr {
            Expr::KeyValue(key, value) => return self.key_value(key, value, ty, root),
            Expr::Table(key) | Expr::ArrayTable(key) => key,
        };
        self.skip = None;
        self.path = names(header);
        if let Expr::ArrayTable(_) = expr {
            self.fresh_list = first;
            self.array_table(header, 0, ty, root)?;
        } else {
            self.table(header, 0, ty, root)?;
        }
        match self.skip {
            Some(spot) => self.unknown(header, spot),
            None => Ok(()),
        }
    }

    /// Notes a key that no field takes; `self.path` is the path to it.
    fn unknown(&mut self, key: &[Part], spot: Spot) -> Res<()> {
        let (Some(first), Some(last)) = (key.first(), key.last()) else { return Ok(()) };
        if !self.strict {
            return Ok(());
        }
        let reported = match (first.data, last.data) {
            _ if self.rules.unknown_key_by_text => first.start,
            (Some(start), Some(_)) => start,
            // A single key without a place in the document only comes out when all places are worked out.
            (None, None) if key.len() == 1 => {
                self.unlocated.get_or_insert(first.start);
                first.start
            }
            _ => return Err(Fault::crash(first.start, "range length is larger than capacity")),
        };
        let reported = self.places.reported(reported);
        self.unknown.push(Unknown { path: self.path.clone(), place: spot.place, reported });
        Ok(())
    }

    /// The spot of a part of a key.
    pub fn spot(&mut self, part: &Part) -> Spot {
        self.places.spot(part.start, part.data.unwrap_or(part.start))
    }

    /// A key with its value, in the table `slot`.
    pub fn key_value(&mut self, key: &[Part], value: &Value, ty: Ty<'a>, slot: &mut Option<Node>) -> Res<()> {
        let depth = self.path.len();
        self.path.extend(key.iter().map(|part| part.text.clone()));
        self.key_value_inner(key, 0, value, ty, slot, true)?;
        if let Some(spot) = self.skip.take() {
            self.unknown(key, spot)?;
        }
        self.path.truncate(depth);
        Ok(())
    }

    /// Steps from `slot` along the parts of a key from `n` on, then stores the value. `addressable` is Go's word
    /// for a value that can be changed in place; what was fetched from a map cannot.
    fn key_value_inner(
        &mut self,
        key: &[Part],
        n: usize,
        value: &Value,
        ty: Ty<'a>,
        slot: &mut Option<Node>,
        addressable: bool,
    ) -> Res<()> {
        match (key.get(n), ty) {
            (Some(_), _) => self.key_value_part(key, n, value, ty, slot, addressable),
            (None, Ty::Of(ty)) => self.value(value, ty, slot),
            (None, Ty::Inner) => self.value(value, &ANY, slot),
        }
    }

    fn key_value_part(
        &mut self,
        key: &[Part],
        n: usize,
        value: &Value,
        ty: Ty<'a>,
        slot: &mut Option<Node>,
        addressable: bool,
    ) -> Res<()> {
        let part = &key[n];
        match view(ty, slot) {
            View::Map(of) => {
                let above = self.here;
                self.here = self.spot(part);
                let spot = self.here;
                let known = match (n + 1 == key.len(), slot.as_mut()) {
                    (false, Some(Node { kind: Kind::Table(table), .. })) => table.entries.remove(&part.text),
                    _ => None,
                };
                let addressable = known.is_none();
                let mut entry = known;
                self.key_value_inner(key, n + 1, value, Ty::Of(of), &mut entry, addressable)?;
                let entry = entry.unwrap_or_else(|| spot.node(zero(of)));
                table_in(slot, above).entries.insert(part.text.clone(), entry);
            }
            View::Struct(name) => {
                let above = self.here;
                self.here = self.spot(part);
                let Some(field) = self.types.field(name, &part.text) else {
                    self.skip = Some(self.here);
                    return Ok(());
                };
                self.context = Some(Context { outer: name, field });
                let table = table_in(slot, above);
                let mut entry = table.entries.remove(&field.key);
                let ty = self.field_type(field, &mut entry, part, addressable)?;
                self.key_value_inner(key, n + 1, value, Ty::Of(ty), &mut entry, true)?;
                if let Some(entry) = entry {
                    table_in(slot, above).entries.insert(field.key.clone(), entry);
                }
                self.context = None;
            }
            View::Any => {
                // Anything that is no table gives way to one.
                if !matches!(slot, Some(Node { kind: Kind::Table(_), .. })) {
                    *slot = Some(self.here.node(Kind::Table(Table::default())));
                }
                self.key_value_part(key, n, value, Ty::Inner, slot, false)?;
            }
            View::Pointer(of) => {
                if slot.is_none() && !addressable {
                    return Err(Fault::crash(part.start, UNADDRESSABLE));
                }
                slot.get_or_insert_with(|| self.here.node(zero(of)));
                self.key_value_part(key, n, value, Ty::Of(of), slot, true)?;
            }
            View::List(_) | View::Leaf => {
                let message = format!("unhandled kv part: {}", kind_name(ty, slot));
                return Err(Fault::bare(part.start, message));
            }
        }
        Ok(())
    }

    /// The type behind a field: a pointer is followed, and made first where there is none.
    pub fn field_type(
        &self,
        field: &'a Field,
        entry: &mut Option<Node>,
        part: &Part,
        addressable: bool,
    ) -> Res<&'a Type> {
        let Type::Pointer(of) = &field.ty else { return Ok(&field.ty) };
        if entry.is_none() {
            if !addressable {
                return Err(Fault::crash(part.start, UNADDRESSABLE));
            }
            *entry = Some(self.here.node(zero(of)));
        }
        Ok(of)
    }

    /// `cannot decode TOML … into …`: names the field stepped into last, else the type.
    pub fn mismatch(&self, toml: &str, ty: Ty<'_>, slot: &Option<Node>) -> String {
        match self.context {
            Some(Context { outer, field }) => {
                let (outer, of) = (shown_name(outer), type_name(Ty::Of(&field.ty), &None));
                format!("cannot decode TOML {toml} into struct field {outer}.{} of type {of}", field.go)
            }
            None => format!("cannot decode TOML {toml} into a Go value of type {}", type_name(ty, slot)),
        }
    }
}

const UNADDRESSABLE: &str = "reflect: reflect.Value.Set using unaddressable value";

impl Spot {
    /// A value at this spot.
    pub fn node(self, kind: Kind) -> Node {
        Node { place: self.place, reported: self.reported, kind }
    }
}

/// The texts of a key's parts.
pub(super) fn names(key: &[Part]) -> Vec<String> {
    key.iter().map(|part| part.text.clone()).collect()
}

/// The table in a slot; made at `spot` where there is none.
pub(super) fn table_in(slot: &mut Option<Node>, spot: Spot) -> &mut Table {
    let node = slot.get_or_insert_with(|| spot.node(Kind::Table(Table::default())));
    if !matches!(node.kind, Kind::Table(_)) {
        node.kind = Kind::Table(Table::default());
    }
    match &mut node.kind {
        Kind::Table(table) => table,
        _ => unreachable!("made a table above"),
    }
}
