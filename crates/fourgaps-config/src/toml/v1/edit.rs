//! Changing a tree by paths, and writing it back, for programs that edit configurations with this library.

use super::print::print;
use super::tree::{self, Part};
use crate::toml::{Kind, Node, Table};
use fourgaps_base::{Place, Pos};

/// The value at a path; lists of tables are entered at their last table.
pub fn get<'t>(root: &'t Table, path: &[&str]) -> Option<&'t Node> {
    let (last, parents) = path.split_last()?;
    let mut table = root;
    for key in parents {
        table = match &table.get(key)?.kind {
            Kind::Table(next) => next,
            Kind::Tables(items) => items.last()?.table()?,
            _ => return None,
        };
    }
    table.get(last)
}

/// Sets a value at a path, making the tables above it; a value in the middle of the path is passed over.
pub fn set(root: &mut Table, path: &[&str], kind: Kind) {
    let place = Place::default();
    let path: Vec<Part> = path.iter().map(|name| Part { name: (*name).into(), place }).collect();
    tree::set(root, Pos::default(), &path, kind);
}

/// Deletes what is at a path. Below a list of tables nothing is deleted.
pub fn delete(root: &mut Table, path: &[&str]) {
    let Some((last, parents)) = path.split_last() else { return };
    let mut table = root;
    for (at, key) in parents.iter().enumerate() {
        let Some(node) = table.entries.get_mut(*key) else { return };
        table = match &mut node.kind {
            Kind::Table(next) => next,
            Kind::Tables(items) if at + 1 < parents.len() => {
                match items.last_mut().map(|item| &mut item.kind) {
                    Some(Kind::Table(next)) => next,
                    _ => return,
                }
            }
            _ => return,
        };
    }
    table.entries.remove(*last);
}

/// The tree as the library writes it: no comments, keys sorted, values before tables.
pub fn text(root: &Table) -> String {
    print(root).into_iter().map(|line| line.text + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toml::v1::parse;
    use fourgaps_base::FileId;

    #[track_caller]
    fn check(before: &str, change: impl Fn(&mut Table), after: &str) {
        let mut tree = parse(FileId::default(), before.as_bytes()).unwrap();
        change(&mut tree);
        assert_eq!(text(&tree), after);
    }

    #[test]
    fn values_are_set_and_deleted() {
        check(
            "a = 1 # one\n",
            |tree| set(tree, &["b", "c d"], Kind::Bool(true)),
            "a = 1\n\n[b]\n  \"c d\" = true\n",
        );
        check("[b]\nc = 1\nd = 2\n", |tree| delete(tree, &["b", "c"]), "\n[b]\n  d = 2\n");
        check("[b]\nc = 1\n", |tree| delete(tree, &["x", "c"]), "\n[b]\n  c = 1\n");
        check(
            "[[b]]\nc = 1\n[[b]]\nc = 2\n",
            |tree| delete(tree, &["b", "c"]),
            "\n[[b]]\n  c = 1\n\n[[b]]\n  c = 2\n",
        );
        check("a = 1\n", |tree| set(tree, &["a", "b"], Kind::Int(2)), "a = 1\nb = 2\n");
    }

    #[test]
    fn paths_enter_the_last_of_a_list() {
        let tree = parse(FileId::default(), b"[[b]]\nc = 1\n[[b]]\nc = 2\n").unwrap();
        assert_eq!(get(&tree, &["b", "c"]).unwrap().kind, Kind::Int(2));
        assert_eq!(get(&tree, &["b", "c", "d"]), None);
    }
}
