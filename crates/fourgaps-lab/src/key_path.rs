//! Keys as TOML writes them, for example `plugins."io.containerd.grpc.v1.cri".sandbox_image`.

use toml::de::{DeTable, DeValue};

/// The keys of a path, from the outermost; `None` where the text is no key.
pub(crate) fn key_path(text: &str) -> Option<Vec<String>> {
    if text.contains(['=', '\n', '#']) {
        return None;
    }
    let probe = format!("{text} = 0");
    let document = DeTable::parse(&probe).ok()?;
    let mut table = document.get_ref();
    let mut path = Vec::new();
    loop {
        let (key, value) = table.iter().next()?;
        path.push(key.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::key_path;

    #[test]
    fn paths_are_taken_apart() {
        for (text, wanted) in [
            ("a", Some(vec!["a"])),
            ("a.\"b.c\".'d'", Some(vec!["a", "b.c", "d"])),
            (" a . b ", Some(vec!["a", "b"])),
            ("", None),
            ("a.", None),
            ("[a]", None),
            ("a = 1\nb", None),
            ("a b", None),
        ] {
            let found = key_path(text);
            let found = found.as_ref().map(|path| path.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(found, wanted, "{text:?}");
        }
    }
}
