//! The lists of `crictl`: sandboxes, containers, images.

use crate::columns::Columns;
use crate::moment::ago;
use crate::{Asked, Printed};
use fourgaps_base::{sort, sort_by_key};

/// The widths of every list.
const COLUMNS: Columns = Columns { least: 20, padding: 3, last_too: false };
/// So many characters of an id are shown.
const ID_LENGTH: usize = 13;

/// A sandbox in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PodRow {
    /// Its id.
    pub id: String,
    /// Milliseconds since it was created.
    pub created_ms_ago: u64,
    /// True while it runs.
    pub ready: bool,
    /// The pod's name.
    pub name: String,
    /// The pod's namespace.
    pub namespace: String,
    /// How often it was made anew.
    pub attempt: u32,
    /// The handler that was asked for, if one was.
    pub handler: Option<String>,
}

/// `crictl pods`: the newest first, with ids that are cut short unless they are wanted `whole`.
pub fn pods(asked: &Asked<'_>, rows: &[PodRow], whole: bool) -> Printed {
    if let Err(silent) = asked.cri() {
        return silent;
    }
    let mut rows: Vec<&PodRow> = rows.iter().collect();
    sort_by_key(&mut rows, |row| row.created_ms_ago);
    let head = ["POD ID", "CREATED", "STATE", "NAME", "NAMESPACE", "ATTEMPT", "RUNTIME"];
    let row = |row: &PodRow| {
        vec![
            if whole { row.id.clone() } else { short(&row.id) },
            ago(row.created_ms_ago),
            if row.ready { "Ready" } else { "NotReady" }.into(),
            row.name.clone(),
            row.namespace.clone(),
            row.attempt.to_string(),
            row.handler.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| "(default)".into()),
        ]
    };
    table(&head, rows.into_iter().map(row))
}

/// A container in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerRow {
    /// Its id.
    pub id: String,
    /// Its image: a name, or an id that is cut short.
    pub image: String,
    /// Milliseconds since it was created.
    pub created_ms_ago: u64,
    /// `Created`, `Running`, `Exited` or `Unknown`.
    pub state: String,
    /// Its name.
    pub name: String,
    /// How often it was made anew.
    pub attempt: u32,
    /// The id of its sandbox.
    pub pod_id: String,
    /// The pod's name.
    pub pod: String,
    /// The pod's namespace.
    pub namespace: String,
}

/// `crictl ps`: the newest first.
pub fn ps(asked: &Asked<'_>, rows: &[ContainerRow]) -> Printed {
    if let Err(silent) = asked.cri() {
        return silent;
    }
    let mut rows: Vec<&ContainerRow> = rows.iter().collect();
    sort_by_key(&mut rows, |row| row.created_ms_ago);
    let head = ["CONTAINER", "IMAGE", "CREATED", "STATE", "NAME", "ATTEMPT", "POD ID", "POD", "NAMESPACE"];
    let row = |row: &ContainerRow| {
        vec![
            short(&row.id),
            row.image.clone(),
            ago(row.created_ms_ago),
            row.state.clone(),
            row.name.clone(),
            row.attempt.to_string(),
            short(&row.pod_id),
            row.pod.clone(),
            row.namespace.clone(),
        ]
    };
    table(&head, rows.into_iter().map(row))
}

/// An image in a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ImageRow {
    /// Its name without the tag.
    pub name: String,
    /// The tag.
    pub tag: String,
    /// Its id, without the name of the hash.
    pub id: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// `crictl images`: by name.
pub fn images(asked: &Asked<'_>, rows: &[ImageRow]) -> Printed {
    if let Err(Printed { stdout, stderr, exit }) = asked.cri() {
        // The same words, of the other service.
        let stderr =
            stderr.replace("v1 runtime API", "v1 image API").replace("RuntimeService", "ImageService");
        return Printed { stdout, stderr, exit };
    }
    let mut rows: Vec<&ImageRow> = rows.iter().collect();
    sort(&mut rows);
    let row = |row: &ImageRow| vec![row.name.clone(), row.tag.clone(), short(&row.id), size(row.bytes)];
    table(&["IMAGE", "TAG", "IMAGE ID", "SIZE"], rows.into_iter().map(row))
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Printed {
    let head = head.iter().map(|cell| (*cell).to_string()).collect();
    let rows: Vec<Vec<String>> = [head].into_iter().chain(rows).collect();
    Printed::ok(COLUMNS.set(&rows))
}

fn short(id: &str) -> String {
    id.chars().take(ID_LENGTH).collect()
}

/// A size in three digits, as Go's `%.3g` with a decimal unit behind it.
fn size(bytes: u64) -> String {
    let mut scale = 1;
    let mut units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"].into_iter();
    let mut unit = units.next().unwrap_or_default();
    for next in units {
        if bytes / scale < 1000 {
            break;
        }
        (scale, unit) = (scale * 1000, next);
    }
    // Hundredths where the whole part has one digit, tenths where it has two, and so on.
    let decimals = match bytes / scale {
        0..10 => 2,
        10..100 => 1,
        _ => 0,
    };
    let part = 10_u64.pow(decimals);
    let rounded = (u128::from(bytes) * u128::from(part) + u128::from(scale) / 2) / u128::from(scale);
    let (whole, rest) = (rounded / u128::from(part), rounded % u128::from(part));
    if whole == 1000 {
        return format!("1e+03{unit}");
    }
    let number = match decimals {
        0 => whole.to_string(),
        _ => format!("{whole}.{rest:0width$}", width = decimals as usize),
    };
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { &number };
    format!("{number}{unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_three_digits() {
        for (bytes, wanted) in [
            (0, "0B"),
            (999, "999B"),
            (1000, "1kB"),
            (328_864, "329kB"),
            (1_234_567, "1.23MB"),
            (12_340_000, "12.3MB"),
            (100_400_000, "100MB"),
            (999_600_000, "1e+03MB"),
            (2_000_000_000, "2GB"),
        ] {
            assert_eq!(size(bytes), wanted);
        }
    }
}
