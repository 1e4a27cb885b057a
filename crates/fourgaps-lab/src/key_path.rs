//! Keys as TOML writes them, for example `plugins."io.containerd.grpc.v1.cri".sandbox_image`.

use fourgaps_config::toml::v2::document;

/// The keys of a path, from the outermost; `None` where the text is no key.
pub(crate) fn key_path(text: &str) -> Option<Vec<String>> {
    if text.contains(['=', '\n', '#']) {
        return None;
    }
    let probe = format!("{text} = 0");
    let document = document::tree(&probe).ok()?;
    let mut value = &document;
    let mut path = Vec::new();
    while let Some(table) = value.table() {
        let (key, inner) = table.entries.iter().next()?;
        path.push(key.clone());
        value = inner;
    }
    Some(path)
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
