//! Which written keys no field of a version reads. The process is silent about them on 1.x; a reader should know.

use crate::run::Unread;
use crate::schema::{Field, Type};
use crate::toml::v1::decode::{find, takes};
use crate::toml::{Node, Table};
use crate::version::Version;

/// Keys of a whole file that the configuration does not have; plugin sections are looked at later.
pub(crate) fn in_file(version: &Version, table: &Table, out: &mut Vec<Unread>) {
    in_table(version, &version.root, table, &mut Vec::new(), out);
}

/// Plugin sections that no plugin reads, and keys in the others that their plugin does not read.
pub(crate) fn in_sections(version: &Version, says: i64, sections: &Table, out: &mut Vec<Unread>) {
    for (key, node) in &sections.entries {
        let reader = version.plugins.iter().find(|p| key == version.section_key(p, says));
        let mut path = vec!["plugins".to_string(), key.clone()];
        match (reader.and_then(|p| p.ty.as_ref()), node.table()) {
            (Some(ty), Some(table)) => in_table(version, ty, table, &mut path, out),
            _ => out.push(Unread { path, place: node.place }),
        }
    }
}

fn in_table(version: &Version, ty: &str, table: &Table, path: &mut Vec<String>, out: &mut Vec<Unread>) {
    let fields = version.schema.fields(ty);
    for (key, value) in &table.entries {
        path.push(key.clone());
        let field = fields.iter().find(|f| takes(f, key));
        match field {
            Some(field) => in_value(version, &field.ty, value, path, out),
            None if read_by_embedded(version, fields, table, key) => {}
            None => out.push(Unread { path: path.clone(), place: value.place }),
        }
        path.pop();
    }
}

fn in_value(version: &Version, ty: &Type, value: &Node, path: &mut Vec<String>, out: &mut Vec<Unread>) {
    let Some(table) = value.table() else { return };
    match ty {
        Type::Struct(inner) => in_table(version, inner, table, path, out),
        Type::Pointer(of) => in_value(version, of, value, path, out),
        Type::Map(of) => {
            for (name, entry) in &table.entries {
                path.push(name.clone());
                in_value(version, of, entry, path, out);
                path.pop();
            }
        }
        _ => {}
    }
}

/// True where an embedded struct without a table of its own finds the key one level up.
fn read_by_embedded(version: &Version, fields: &[Field], table: &Table, key: &str) -> bool {
    fields.iter().filter(|f| f.embedded && find(f, table).is_none()).any(|f| match &f.ty {
        Type::Struct(inner) => version.schema.fields(inner).iter().any(|f| takes(f, key)),
        _ => false,
    })
}
