//! `-f`: manifests from files of the machine or from standard input.

use super::{Session, Stop};
use fourgaps_base::{FileError, Files};
use fourgaps_cluster::manifest::{YamlFault, documents};
use serde_json::Value;

/// How the names of manifests end.
const ENDS: [&str; 3] = [".json", ".yaml", ".yml"];

/// The manifests of one file.
pub(super) struct File {
    /// The file as it was named.
    pub name: String,
    pub manifests: Vec<Value>,
}

impl Session<'_, '_> {
    /// The manifests that `-f` names, file by file. Of a folder those files are read whose names end as manifests do.
    pub fn input(&self) -> Result<Vec<File>, Stop> {
        let names: Vec<&str> = self.args.values("-f").flat_map(|names| names.split(',')).collect();
        if names.is_empty() {
            return Stop::error("error: must specify one of -f and -k");
        }
        let mut files = Vec::new();
        for name in names {
            if name == "-" {
                files.push(file("STDIN", self.call.stdin)?);
                continue;
            }
            if name.contains("://") {
                return Err(Stop::NotSimulated(format!("-f {name}")));
            }
            let disk = self.call.world.world.files(self.call.host);
            let path = self.call.path(name);
            let read = |path: &str| match disk {
                Some(disk) => disk.read(path).map(|bytes| bytes.into_owned()),
                None => Err(FileError::NotFound),
            };
            match read(&path) {
                Ok(bytes) => files.push(file(name, &bytes)?),
                Err(FileError::NotFound) => {
                    return Stop::error(format!("error: the path \"{name}\" does not exist"));
                }
                Err(FileError::IsDirectory) => {
                    let before = files.len();
                    for inside in disk.and_then(|disk| disk.list(&path)).unwrap_or_default() {
                        let shown = format!("{}/{inside}", name.trim_end_matches('/'));
                        if ENDS.iter().any(|end| inside.ends_with(end))
                            && let Ok(bytes) = read(&fourgaps_base::join(&path, &inside))
                        {
                            files.push(file(&shown, &bytes)?);
                        }
                    }
                    if files.len() == before {
                        return Stop::error(format!(
                            "error: error reading [{name}]: recognized file extensions are [{}]",
                            ENDS.join(" ")
                        ));
                    }
                }
                Err(_) => return Err(Stop::NotSimulated(format!("-f {name}"))),
            }
        }
        Ok(files)
    }

    /// The text of a file of the machine.
    pub fn text_of(&self, name: &str) -> Option<String> {
        let files = self.call.world.world.files(self.call.host)?;
        let bytes = files.read(&self.call.path(name)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The manifests of a file; those of a list one by one.
fn file(name: &str, bytes: &[u8]) -> Result<File, Stop> {
    let text = String::from_utf8_lossy(bytes);
    let mut manifests = Vec::new();
    for manifest in documents(&text).map_err(|why| unparsable(name, &why))? {
        match (manifest["kind"].as_str(), manifest["items"].as_array()) {
            (Some(kind), Some(items)) if kind.ends_with("List") => manifests.extend(items.iter().cloned()),
            _ => manifests.push(manifest),
        }
    }
    Ok(File { name: name.into(), manifests })
}

/// The words of the YAML reader; kubectl's own tells the line where ours tells the column, too.
fn unparsable(file: &str, why: &YamlFault) -> Stop {
    let YamlFault { line, words } = why;
    Stop::Error(format!(
        "error: error parsing {file}: error converting YAML to JSON: yaml: line {line}: {words}"
    ))
}
