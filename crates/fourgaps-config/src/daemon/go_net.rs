//! What Go says of texts that are no URL, or no address for a TCP socket.
//! Source of the words: the public source of Go's `net` and `net/url`.

use crate::toml::go_text::quote;

/// Why a text is no address for a TCP socket, as `net.Listen` says it.
pub(crate) fn listen_fault(address: &str) -> Option<String> {
    let why = match split_host_port(address) {
        Err(why) => format!("address {address}: {why}"),
        Ok(port) => port_fault(port)?,
    };
    Some(format!("listen tcp: {why}"))
}

fn split_host_port(address: &str) -> Result<&str, &'static str> {
    const MISSING_PORT: &str = "missing port in address";
    const TOO_MANY_COLONS: &str = "too many colons in address";
    let colon = address.rfind(':').ok_or(MISSING_PORT)?;
    let (opened, closed);
    if address.starts_with('[') {
        let end = address.find(']').ok_or("missing ']' in address")?;
        if end + 1 != colon {
            let many = address[end + 1..].starts_with(':');
            return Err(if many { TOO_MANY_COLONS } else { MISSING_PORT });
        }
        (opened, closed) = (1, end + 1);
    } else {
        if address[..colon].contains(':') {
            return Err(TOO_MANY_COLONS);
        }
        (opened, closed) = (0, 0);
    }
    if address[opened..].contains('[') {
        return Err("unexpected '[' in address");
    }
    if address[closed..].contains(']') {
        return Err("unexpected ']' in address");
    }
    Ok(&address[colon + 1..])
}

fn port_fault(port: &str) -> Option<String> {
    let digits = port.strip_prefix(['+', '-']).unwrap_or(port);
    if !digits.chars().all(|c| c.is_ascii_digit()) {
        // Names of services that every system knows.
        let known =
            ["domain", "ftp", "ftps", "gopher", "http", "https", "imap2", "imap3", "imaps", "pop3", "pop3s"];
        let more = ["smtp", "submissions", "ssh", "telnet"];
        let small = port.to_ascii_lowercase();
        let found = known.contains(&small.as_str()) || more.contains(&small.as_str());
        return (!found).then(|| format!("lookup tcp/{port}: unknown port"));
    }
    let number = digits.parse::<u64>().unwrap_or(if digits.is_empty() { 0 } else { u64::MAX });
    let fits = number <= 65535 && (number == 0 || !port.starts_with('-'));
    (!fits).then(|| format!("address {port}: invalid port"))
}

/// Why a text is no URL, as `url.Parse` says it.
pub(crate) fn url_fault(text: &str) -> Option<String> {
    let whole = text.split('#').next().unwrap_or_default();
    fault_in(whole).map(|why| format!("parse {}: {why}", quote(whole)))
}

fn fault_in(text: &str) -> Option<String> {
    if text.bytes().any(|b| b < 0x20 || b == 0x7f) {
        return Some("net/url: invalid control character in URL".into());
    }
    if text.starts_with(':') {
        return Some("missing protocol scheme".into());
    }
    let (scheme, rest) = scheme(text);
    let rest = rest.split('?').next().unwrap_or_default();
    if !rest.starts_with('/') {
        let colon = rest.split('/').next().is_some_and(|segment| segment.contains(':'));
        return (scheme.is_none() && colon).then(|| "first path segment in URL cannot contain colon".into());
    }
    let (host, path) = match rest.strip_prefix("//") {
        Some(after) => after.split_at(after.find('/').unwrap_or(after.len())),
        None => ("", rest),
    };
    let host = host.rsplit('@').next().unwrap_or_default();
    let port = host.rsplit(']').next().unwrap_or_default();
    if let Some((_, digits)) = port.split_once(':')
        && !digits.rsplit(':').next().unwrap_or_default().chars().all(|c| c.is_ascii_digit())
    {
        let colon = if host.starts_with('[') { digits } else { host.rsplit(':').next().unwrap_or_default() };
        return Some(format!("invalid port {} after host", quote(&format!(":{colon}"))));
    }
    if let Some(odd) =
        host.chars().find(|c| matches!(c, ' ' | '"' | '<' | '>' | '^' | '`' | '{' | '|' | '}' | '\\'))
    {
        return Some(format!("invalid character {} in host name", quote(&odd.to_string())));
    }
    escape_fault(path)
}

/// The scheme before the first colon, where there is one, and what follows.
fn scheme(text: &str) -> (Option<&str>, &str) {
    for (at, c) in text.char_indices() {
        match c {
            'a'..='z' | 'A'..='Z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' => return (Some(&text[..at]), &text[at + 1..]),
            _ => break,
        }
    }
    (None, text)
}

fn escape_fault(path: &str) -> Option<String> {
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let two: String = rest[at..].chars().take(3).collect();
        let hex = two.chars().skip(1).filter(char::is_ascii_hexdigit).count();
        if hex != 2 {
            return Some(format!("invalid URL escape {}", quote(&two)));
        }
        rest = &rest[at + 3..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_go_reads_them() {
        for (address, wanted) in [
            ("127.0.0.1:1338", None),
            (":0", None),
            ("[::1]:80", None),
            ("localhost:http", None),
            ("127.0.0.1", Some("listen tcp: address 127.0.0.1: missing port in address")),
            ("::1:80", Some("listen tcp: address ::1:80: too many colons in address")),
            ("[::1]", Some("listen tcp: address [::1]: missing port in address")),
            ("[::1", Some("listen tcp: address [::1: missing ']' in address")),
            ("a]:1", Some("listen tcp: address a]:1: unexpected ']' in address")),
            ("0.0.0.0:99999", Some("listen tcp: address 99999: invalid port")),
            ("0.0.0.0:x", Some("listen tcp: lookup tcp/x: unknown port")),
        ] {
            assert_eq!(listen_fault(address).as_deref(), wanted, "{address}");
        }
    }

    #[test]
    fn urls_are_read_as_go_reads_them() {
        for (url, wanted) in [
            ("https://registry.example.com:5000/v2", None),
            ("registry.example.com:5000", None),
            ("10.0.0.1", None),
            (
                "10.0.0.1:5000",
                Some("parse \"10.0.0.1:5000\": first path segment in URL cannot contain colon"),
            ),
            (":5000", Some("parse \":5000\": missing protocol scheme")),
            ("http://a:b", Some("parse \"http://a:b\": invalid port \":b\" after host")),
            ("http://a/%zz", Some("parse \"http://a/%zz\": invalid URL escape \"%zz\"")),
        ] {
            assert_eq!(url_fault(url).as_deref(), wanted, "{url}");
        }
    }
}
