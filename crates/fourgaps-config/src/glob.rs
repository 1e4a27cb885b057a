//! Go's `filepath.Glob`: how an import with `*` finds its files.
//! `*` does not cross `/`; `?`, `[a-z]`, `[^a]` and `\` escapes work; matches come in byte order.

use fourgaps_base::Files;

/// A pattern that Go calls malformed: `syntax error in pattern`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPattern;

/// The paths that match, in the order of Go.
///
/// # Errors
/// A malformed pattern, even where nothing could match.
pub fn glob(files: &dyn Files, pattern: &str) -> Result<Vec<String>, BadPattern> {
    matches(pattern, "")?;
    if !has_meta(pattern) {
        return Ok(if files.exists(pattern) { vec![pattern.into()] } else { vec![] });
    }
    let (folder, name) = pattern.split_at(pattern.rfind('/').map_or(0, |at| at + 1));
    let folder = match folder {
        "" => ".",
        "/" => "/",
        folder => folder.strip_suffix('/').unwrap_or(folder),
    };
    let folders = if has_meta(folder) {
        if folder == pattern {
            return Err(BadPattern);
        }
        glob(files, folder)?
    } else {
        vec![folder.to_string()]
    };
    let mut found = Vec::new();
    for folder in folders {
        for entry in files.list(&folder).unwrap_or_default() {
            if matches(name, &entry)? {
                found.push(fourgaps_base::join(&folder, &entry));
            }
        }
    }
    Ok(found)
}

fn has_meta(text: &str) -> bool {
    text.contains(['*', '?', '[', '\\'])
}

/// Go's `filepath.Match`.
///
/// # Errors
/// A malformed pattern; like Go, the rest of a pattern is checked even after a mismatch.
pub fn matches(pattern: &str, name: &str) -> Result<bool, BadPattern> {
    let mut pattern: Vec<char> = pattern.chars().collect();
    let mut name: Vec<char> = name.chars().collect();
    while !pattern.is_empty() {
        let (star, chunk, rest) = scan_chunk(&pattern);
        if star && chunk.is_empty() {
            return Ok(!name.contains(&'/'));
        }
        if let Some(after) = match_chunk(&chunk, &name)?
            && (after.is_empty() || !rest.is_empty())
        {
            name = after;
            pattern = rest;
            continue;
        }
        if star {
            let mut skipped = None;
            for skip in 0..name.len() {
                if name[skip] == '/' {
                    break;
                }
                if let Some(after) = match_chunk(&chunk, &name[skip + 1..])? {
                    if rest.is_empty() && !after.is_empty() {
                        continue;
                    }
                    skipped = Some(after);
                    break;
                }
            }
            if let Some(after) = skipped {
                name = after;
                pattern = rest;
                continue;
            }
        }
        let mut rest = rest;
        while !rest.is_empty() {
            let (_, chunk, after) = scan_chunk(&rest);
            match_chunk(&chunk, &[])?;
            rest = after;
        }
        return Ok(false);
    }
    Ok(name.is_empty())
}

/// The next stars, the part up to the following star, and what is left.
fn scan_chunk(pattern: &[char]) -> (bool, Vec<char>, Vec<char>) {
    let stars = pattern.iter().take_while(|c| **c == '*').count();
    let pattern = &pattern[stars..];
    let (mut at, mut in_class) = (0, false);
    while at < pattern.len() {
        match pattern[at] {
            '\\' if at + 1 < pattern.len() => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '*' if !in_class => break,
            _ => {}
        }
        at += 1;
    }
    (stars > 0, pattern[..at].to_vec(), pattern[at..].to_vec())
}

/// Matches a part without stars at the start of a text; gives what is left of the text, or nothing where it fails.
fn match_chunk(chunk: &[char], text: &[char]) -> Result<Option<Vec<char>>, BadPattern> {
    let (mut at, mut text, mut failed) = (0, text, false);
    while at < chunk.len() {
        if !failed && text.is_empty() {
            failed = true;
        }
        match chunk[at] {
            '[' => {
                let mut given = '\0';
                if !failed {
                    given = text[0];
                    text = &text[1..];
                }
                at += 1;
                let negated = chunk.get(at) == Some(&'^');
                if negated {
                    at += 1;
                }
                let (mut fits, mut ranges) = (false, 0);
                loop {
                    if chunk.get(at) == Some(&']') && ranges > 0 {
                        at += 1;
                        break;
                    }
                    let low = class_char(chunk, &mut at)?;
                    let mut high = low;
                    if chunk[at] == '-' {
                        at += 1;
                        high = class_char(chunk, &mut at)?;
                    }
                    fits |= low <= given && given <= high;
                    ranges += 1;
                }
                if fits == negated {
                    failed = true;
                }
                continue;
            }
            '?' => {
                if !failed {
                    failed |= text[0] == '/';
                    text = &text[1..];
                }
                at += 1;
                continue;
            }
            '\\' => {
                at += 1;
                if at >= chunk.len() {
                    return Err(BadPattern);
                }
            }
            _ => {}
        }
        if !failed {
            failed |= chunk[at] != text[0];
            text = &text[1..];
        }
        at += 1;
    }
    Ok((!failed).then(|| text.to_vec()))
}

/// One end of a range in `[…]`.
fn class_char(chunk: &[char], at: &mut usize) -> Result<char, BadPattern> {
    match chunk.get(*at) {
        None | Some('-' | ']') => return Err(BadPattern),
        Some('\\') => *at += 1,
        Some(_) => {}
    }
    let found = *chunk.get(*at).ok_or(BadPattern)?;
    *at += 1;
    if *at >= chunk.len() { Err(BadPattern) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourgaps_base::FileTree;

    #[test]
    fn matches_like_go() {
        for (pattern, name, wanted) in [
            ("*.toml", "a.toml", Ok(true)),
            ("*.toml", "a.toml.bak", Ok(false)),
            ("*", "a/b", Ok(false)),
            ("a*b?c*x", "abxbbxdbxebxczzx", Ok(true)),
            ("[^a]*", "b", Ok(true)),
            ("[^a]*", "a", Ok(false)),
            ("[]a]", "]", Err(BadPattern)),
            ("[a", "", Err(BadPattern)),
            ("a[", "x", Err(BadPattern)),
            ("\\*", "*", Ok(true)),
            ("[\\-x]", "-", Ok(true)),
            ("日*", "日本", Ok(true)),
            ("**", "ab", Ok(true)),
            ("*x", "xxx", Ok(true)),
        ] {
            assert_eq!(matches(pattern, name), wanted, "{pattern} {name}");
        }
    }

    #[test]
    fn finds_in_folders_that_match_too() {
        let mut files = FileTree::new();
        for path in ["/e/a/1.toml", "/e/b/2.toml", "/e/b/3.txt", "/e/c.toml"] {
            files.write(path, "");
        }
        assert_eq!(glob(&files, "/e/*/*.toml").unwrap(), ["/e/a/1.toml", "/e/b/2.toml"]);
        assert_eq!(glob(&files, "/none/*.toml").unwrap(), Vec::<String>::new());
        assert_eq!(glob(&files, "/e/[.toml*"), Err(BadPattern));
    }
}
