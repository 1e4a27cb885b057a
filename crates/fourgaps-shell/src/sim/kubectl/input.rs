//! `-f`: manifests from files of the machine or from standard input.

use super::{Session, Stop};
use fourgaps_base::{FileError, Files};
use fourgaps_cluster::manifest::{YamlFault, documents};
use serde_json::Value;

/// The manifests of one file.
pub(super) struct File {
    /// The file as it was named.
    pub name: String,
    pub manifests: Vec<Value>,
}

impl Session<'_, '_> {
    /// The manifests that `-f` names, file by file.
    pub fn input(&self) -> Result<Vec<File>, Stop> {
        let names: Vec<&str> = self.args.values("-f").flat_map(|names| names.split(',')).collect();
        if names.is_empty() {
            return Stop::error("error: must specify one of -f and -k");
        }
        names.into_iter().map(|name| self.file(name)).collect()
    }

    fn file(&self, name: &str) -> Result<File, Stop> {
        let (shown, bytes) = match name {
            "-" => ("STDIN".to_string(), self.call.stdin.to_vec()),
            name => {
                let files = self.call.world.world.files(self.call.host);
                let read = files.map_or(Err(FileError::NotFound), |files| {
                    files.read(&self.call.path(name)).map(|bytes| bytes.into_owned())
                });
                match read {
                    Ok(bytes) => (name.to_string(), bytes),
                    Err(FileError::NotFound) => {
                        return Stop::error(format!("error: the path \"{name}\" does not exist"));
                    }
                    Err(_) => return Err(Stop::NotSimulated(format!("-f {name}"))),
                }
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let manifests = documents(&text).map_err(|why| unparsable(&shown, &why))?;
        Ok(File { name: shown, manifests })
    }
}

/// The words of the YAML reader; kubectl's own tells the line where ours tells the column, too.
fn unparsable(file: &str, why: &YamlFault) -> Stop {
    let YamlFault { line, words } = why;
    Stop::Error(format!(
        "error: error parsing {file}: error converting YAML to JSON: yaml: line {line}: {words}"
    ))
}
