//! k3s: containerd is a child of it, and reads a file that k3s writes anew at every start.
//! Source: the public documentation of k3s on its containerd template, and `../shared/facts/nvidia-toolkit.md`.

use fourgaps_base::{FileEdit, FileTree};

/// The file that containerd reads under k3s.
pub const CONFIG: &str = "/var/lib/rancher/k3s/agent/etc/containerd/config.toml";

/// Where it listens.
pub(crate) const SOCKET: &str = "/run/k3s/containerd/containerd.sock";

/// The templates that an owner may put beside it, newest first.
const TEMPLATES: [&str; 2] = [
    "/var/lib/rancher/k3s/agent/etc/containerd/config-v3.toml.tmpl",
    "/var/lib/rancher/k3s/agent/etc/containerd/config.toml.tmpl",
];
/// What a template says where k3s' own text is to stand.
const BASE: &str = "{{ template \"base\" . }}";

/// How k3s writes the file at its start: from a template, where there is one, else its own text.
pub(crate) fn generate(own: &[u8], files: &FileTree) -> FileEdit {
    let template = TEMPLATES.iter().find_map(|path| files.text(path));
    let bytes = match template {
        Some(text) => text.replace(BASE, &String::from_utf8_lossy(own)).into_bytes(),
        None => own.to_vec(),
    };
    FileEdit::Write(CONFIG.into(), bytes)
}
