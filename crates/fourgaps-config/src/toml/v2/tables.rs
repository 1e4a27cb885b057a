//! Follows a header, `[a.b]` or `[[a.b]]`, to its table, and fills that with the key-values below it.

use super::decode::{Context, Decoder, names, table_in};
use super::fault::{Fault, Res};
use super::parse::{Expr, Part};
use super::types::{ANY, Ty, View, kind_name, view, zero};
use super::values::{list_in, name_list};
use crate::schema::Type;
use crate::toml::{Kind, Node, Table};

/// Which of the two headers is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Header {
    Table,
    ArrayTable,
}

impl<'a> Decoder<'a> {
    /// Follows `[key]` from its part `n` on.
    pub fn table(&mut self, key: &[Part], n: usize, ty: Ty<'a>, slot: &mut Option<Node>) -> Res<()> {
        if let View::List(of) = view(ty, slot) {
            return match self.take_last(slot) {
                Some(mut item) => {
                    self.table(key, n, Ty::Of(of), &mut item)?;
                    self.put_last(slot, item);
                    Ok(())
                }
                None => Err(self.no_table_in_list(&key[n - 1])),
            };
        }
        if n < key.len() {
            return self.key_part(key, n, ty, slot, Header::Table);
        }
        self.arrive(ty, slot);
        let here = self.here;
        self.key_values(ty, slot)?;
        if slot.is_none() {
            self.bare_headers.insert(names(key), here);
        }
        Ok(())
    }

    fn take_last(&self, slot: &mut Option<Node>) -> Option<Option<Node>> {
        slot.as_ref()?;
        list_in(slot).pop().map(Some)
    }

    fn put_last(&self, slot: &mut Option<Node>, item: Option<Node>) {
        list_in(slot).extend(item);
        slot.iter_mut().for_each(name_list);
    }

    fn no_table_in_list(&self, part: &Part) -> Fault {
        let message = "cannot store a table in a slice";
        match part.data {
            Some(data) => Fault::over(data, data + part.text.len(), message),
            None if self.rules.unknown_key_by_text => Fault::crash(part.start, "subslice is not within data"),
            // The numbers are addresses in memory, which differ from run to run.
            None => Fault::crash(part.start, "subslice address (…) is before data address (…)"),
        }
    }

    /// Follows `[[key]]` from its part `n` on; behind the last part stands the new table.
    pub fn array_table(&mut self, key: &[Part], n: usize, ty: Ty<'a>, slot: &mut Option<Node>) -> Res<()> {
        if n < key.len() {
            return self.key_part(key, n, ty, slot, Header::ArrayTable);
        }
        self.key_values(ty, slot)
    }

    fn behind_part(
        &mut self,
        header: Header,
        key: &[Part],
        n: usize,
        ty: Ty<'a>,
        slot: &mut Option<Node>,
    ) -> Res<()> {
        match header {
            Header::Table => self.table(key, n, ty, slot),
            Header::ArrayTable if n == key.len() => self.new_table_in_list(key, ty, slot),
            Header::ArrayTable => self.array_table_between(key, n, ty, slot),
        }
    }

    /// Follows `[[key]]` through a value that its part before `n` named: in a list, through the last item.
    fn array_table_between(
        &mut self,
        key: &[Part],
        n: usize,
        ty: Ty<'a>,
        slot: &mut Option<Node>,
    ) -> Res<()> {
        match view(ty, slot) {
            View::Pointer(of) => {
                slot.get_or_insert_with(|| self.here.node(zero(of)));
                self.array_table_between(key, n, Ty::Of(of), slot)
            }
            View::List(of) => {
                let here = self.here;
                let last = self.take_last(slot);
                if last.is_none() && !self.rules.empty_list_grows {
                    return Err(Fault::crash(key[n].start, "reflect: slice index out of range"));
                }
                let known = last.is_some();
                let mut item = last.unwrap_or_else(|| Some(here.node(zero(of))));
                self.array_table(key, n, Ty::Of(of), &mut item)?;
                if known || self.skip.is_none() {
                    slot.get_or_insert_with(|| here.node(Kind::Array(Vec::new())));
                    self.put_last(slot, item);
                }
                Ok(())
            }
            _ => self.array_table(key, n, ty, slot),
        }
    }

    /// Adds a table to the list that a whole `[[key]]` named.
    fn new_table_in_list(&mut self, key: &[Part], ty: Ty<'a>, slot: &mut Option<Node>) -> Res<()> {
        let inner = matches!(ty, Ty::Inner);
        let of = match view(ty, slot) {
            View::Pointer(of) => {
                slot.get_or_insert_with(|| self.here.node(zero(of)));
                return self.new_table_in_list(key, Ty::Of(of), slot);
            }
            View::List(of) => of,
            View::Any if matches!(view(Ty::Inner, slot), View::List(_)) || slot.is_none() => &ANY,
            View::Any => {
                return Err(Fault::plain(self.offset(key), self.mismatch("array table", Ty::Inner, slot)));
            }
            _ => return Err(Fault::plain(self.offset(key), self.mismatch("array table", ty, slot))),
        };
        let here = self.here;
        slot.get_or_insert_with(|| here.node(Kind::Array(Vec::new())));
        let list = list_in(slot);
        if self.fresh_list && !list.is_empty() {
            if inner {
                let message = "reflect: reflect.Value.SetLen using unaddressable value";
                return Err(Fault::crash(self.offset(key), message));
            }
            list.clear();
            self.fresh_list = false;
        }
        let mut item = Some(here.node(zero(of)));
        self.array_table(key, key.len(), Ty::Of(of), &mut item)?;
        self.put_last(slot, item);
        Ok(())
    }

    fn offset(&self, key: &[Part]) -> usize {
        key.last().map_or(0, |part| part.start)
    }

    /// Steps from `slot` into what part `n` of a header names.
    fn key_part(
        &mut self,
        key: &[Part],
        n: usize,
        ty: Ty<'a>,
        slot: &mut Option<Node>,
        header: Header,
    ) -> Res<()> {
        let part = &key[n];
        match view(ty, slot) {
            View::Pointer(of) => {
                slot.get_or_insert_with(|| self.here.node(zero(of)));
                self.key_part(key, n, Ty::Of(of), slot, header)
            }
            View::Map(of) => self.key_part_of_map(key, n, of, slot, header),
            View::Struct(name) => self.key_part_of_struct(key, n, name, slot, header),
            View::Any => {
                slot.get_or_insert_with(|| self.here.node(Kind::Table(Table::default())));
                self.key_part(key, n, Ty::Inner, slot, header)
            }
            View::List(_) | View::Leaf => {
                Err(Fault::crash(part.start, format!("unhandled part: {}", kind_name(ty, slot))))
            }
        }
    }

    fn key_part_of_map(
        &mut self,
        key: &[Part],
        n: usize,
        of: &'a Type,
        slot: &mut Option<Node>,
        header: Header,
    ) -> Res<()> {
        let part = &key[n];
        let bare = if slot.is_none() { self.bare_headers.get(&names(&key[..n])) } else { None };
        let above = bare.copied().unwrap_or(self.here);
        self.here = self.spot(part);
        let spot = self.here;
        let table = table_in(slot, above);
        let mut entry = table.entries.remove(&part.text);
        let ty = match of {
            Type::Any | Type::Tree => {
                let list = header == Header::ArrayTable && n + 1 == key.len();
                entry.get_or_insert_with(|| {
                    spot.node(if list { Kind::Array(Vec::new()) } else { Kind::Table(Table::default()) })
                });
                Ty::Inner
            }
            of => Ty::Of(of),
        };
        self.behind_part(header, key, n + 1, ty, &mut entry)?;
        let entry = entry.unwrap_or_else(|| spot.node(zero(of)));
        table_in(slot, above).entries.insert(part.text.clone(), entry);
        Ok(())
    }

    fn key_part_of_struct(
        &mut self,
        key: &[Part],
        n: usize,
        name: &'a str,
        slot: &mut Option<Node>,
        header: Header,
    ) -> Res<()> {
        let part = &key[n];
        let above = self.here;
        self.here = self.spot(part);
        let Some(field) = self.types.field(name, &part.text) else {
            self.skip = Some(self.here);
            return Ok(());
        };
        self.context = Some(Context { outer: name, field });
        let table = table_in(slot, above);
        let mut entry = table.entries.remove(&field.key);
        let ty = self.field_type(field, &mut entry, part, true)?;
        let was_empty = entry.is_none();
        self.behind_part(header, key, n + 1, Ty::Of(ty), &mut entry)?;
        if self.skip.is_some() {
            // A map that was made on the way to an unknown key is thrown away again; the context stays.
            if was_empty && matches!(ty, Type::Map(_) | Type::Any | Type::Tree) {
                entry = None;
            }
        } else {
            self.context = None;
        }
        if let Some(entry) = entry {
            table_in(slot, above).entries.insert(field.key.clone(), entry);
        }
        Ok(())
    }

    /// At the end of a header: the table stands here, whoever made it before.
    fn arrive(&self, ty: Ty<'a>, slot: &mut Option<Node>) {
        if let View::Struct(_) = view(ty, slot) {
            table_in(slot, self.here);
        }
        if let Some(node) = slot
            && matches!(node.kind, Kind::Table(_))
        {
            (node.place, node.reported) = (self.here.place, self.here.reported);
        }
    }

    /// Reads key-values into a table up to the next header.
    fn key_values(&mut self, ty: Ty<'a>, slot: &mut Option<Node>) -> Res<()> {
        let spot = self.here;
        while let Some(expr) = self.next_expr()? {
            let Expr::KeyValue(key, value) = &expr else {
                self.stash(expr);
                break;
            };
            self.seen.check(&expr)?;
            self.here = spot;
            self.key_value(key, value, ty, slot)?;
        }
        Ok(())
    }
}
