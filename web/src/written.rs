//! Which handlers the files on the disk write, whether or not anything loads them.
//! Reads headers and dotted keys line by line, so that a file with a fault still shows what it meant to say.

use fourgaps_base::FileTree;
use fourgaps_view::Source;
use std::collections::BTreeMap;

/// Handler name to the places that write it: first line of each file, in path order.
pub type WrittenHandlers = BTreeMap<String, Vec<Source>>;

/// Finds every handler that a file writes.
pub fn written_handlers(files: &FileTree) -> WrittenHandlers {
    let mut found = WrittenHandlers::new();
    for (path, bytes) in files.iter() {
        let text = String::from_utf8_lossy(bytes);
        if text.contains("runtimes") {
            scan(path, &text, &mut found);
        }
    }
    found
}

fn scan(path: &str, text: &str, found: &mut WrittenHandlers) {
    let mut header: Vec<String> = Vec::new();
    for (line_no, line) in (1u32..).zip(text.lines()) {
        let code = line.trim_start();
        let column = (line.len() - code.len()) as u32 + 1;
        let keys = if let Some(inner) = code.strip_prefix('[') {
            header = split_key(inner.trim_start_matches('['));
            header.clone()
        } else if code.contains('=') && !code.starts_with('#') {
            header.iter().cloned().chain(split_key(code)).collect()
        } else {
            continue;
        };
        let Some(name) = handler_in(&keys) else { continue };
        let places = found.entry(name.to_string()).or_default();
        if places.last().is_none_or(|p| p.file != path) {
            places.push(Source { file: path.into(), line: line_no, column });
        }
    }
}

/// The name in `plugins.ANY.containerd.runtimes.NAME…` or `plugins.ANY.runtimes.NAME` below a containerd table.
fn handler_in(keys: &[String]) -> Option<&str> {
    match keys {
        [plugins, _, containerd, runtimes, name, ..]
            if plugins == "plugins" && containerd == "containerd" && runtimes == "runtimes" =>
        {
            Some(name)
        }
        _ => None,
    }
}

/// Splits a dotted key at its dots outside quotes; stops at the `]` or `=` that ends it.
fn split_key(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    let mut key = String::new();
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => key.push(c),
            (None, '"' | '\'') => quote = Some(c),
            (None, '.') => keys.push(std::mem::take(&mut key)),
            (None, ']' | '=' | '#') => break,
            (None, c) if c.is_whitespace() => {}
            (None, c) => key.push(c),
        }
    }
    keys.push(key);
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: &[(&str, u32)]) {
        let mut files = FileTree::new();
        files.write("/etc/a.toml", text);
        let found = written_handlers(&files);
        let found: Vec<(&str, u32)> = found.iter().map(|(name, at)| (name.as_str(), at[0].line)).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn headers_and_dotted_keys_name_handlers() {
        check(
            "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.nvidia]\n  x = 1\n\
             [plugins.'io.containerd.grpc.v1.cri'.containerd]\n  runtimes.kata.runtime_type = \"k\"\n",
            &[("kata", 5), ("nvidia", 2)],
        );
    }

    #[test]
    fn a_file_with_a_fault_still_says_what_it_meant() {
        check("= = =\n[plugins.cri.containerd.runtimes.gpu]\n", &[("gpu", 2)]);
    }

    #[test]
    fn comments_and_other_tables_name_none() {
        check("# [plugins.cri.containerd.runtimes.gpu]\n[plugins.cri.registry]\nruntimes = 1\n", &[]);
    }
}
