//! The one-line answers of kubectl's writing commands.

use fourgaps_cluster::api::Refusal;
use fourgaps_cluster::object::Id;

/// `daemonset.apps/gpu-ds created` and its like: `configured`, `unchanged`, `image updated`, `annotated`, `cordoned`.
pub fn done(id: &Id, what: &str) -> String {
    format!("{}/{} {what}", id.kind.told(), id.key.name)
}

/// `pod "p" deleted from gpu namespace`; an object of the whole cluster names no namespace.
pub fn deleted(id: &Id, force: bool) -> String {
    let what = if force { "force deleted" } else { "deleted" };
    let from = match &*id.key.namespace {
        "" => String::new(),
        namespace => format!(" from {namespace} namespace"),
    };
    format!("{} \"{}\" {what}{from}", id.kind.told(), id.key.name)
}

/// `Error from server (NotFound): …`; with the file where a manifest was given.
pub fn refused(refusal: &Refusal, creating: Option<&str>) -> String {
    let reason = match refusal {
        Refusal::Forbidden(_) => "Forbidden",
        Refusal::NotFound(_) => "NotFound",
        Refusal::AlreadyExists(_) => "AlreadyExists",
        Refusal::TooManyRequests(_) => "TooManyRequests",
    };
    let file = creating.map(|file| format!("error when creating \"{file}\": ")).unwrap_or_default();
    format!("Error from server ({reason}): {file}{refusal}")
}

/// What `kubectl get` says where it finds nothing.
pub fn nothing_found(namespace: Option<&str>) -> String {
    match namespace {
        Some(namespace) => format!("No resources found in {namespace} namespace."),
        None => "No resources found".into(),
    }
}
