//! What the learner did.

use fourgaps_lab::Action;

/// An action as the name of a sentence and what it names.
pub(super) fn told(action: &Action) -> Option<(&'static str, Vec<String>)> {
    let (kind, args): (_, &[&String]) = match action {
        Action::Ran { line, .. } => ("did.line", &[line]),
        Action::Write { path, .. } => ("did.write", &[path]),
        Action::Remove { path, .. } => ("did.remove", &[path]),
        Action::Rename { from, to, .. } => ("did.rename", &[from, to]),
        Action::Import { path, on: true, .. } => ("did.import", &[path]),
        Action::Import { path, .. } => ("did.no_import", &[path]),
        Action::Version { containerd } if containerd.is_empty() => ("did.own_version", &[]),
        Action::Version { containerd } => ("did.version", &[containerd]),
        Action::Hint => ("did.hint", &[]),
        Action::Answer { .. } => ("did.answer", &[]),
        Action::Reset => ("did.reset", &[]),
        // Never among the actions that count.
        Action::Back { .. } => return None,
    };
    Some((kind, args.iter().map(|arg| (*arg).clone()).collect()))
}

/// The machine that an action was done on; empty where it is none, `first` where it names none.
pub(crate) fn host<'a>(action: &'a Action, first: &'a str) -> &'a str {
    match action {
        Action::Ran { tab, .. } => tab,
        Action::Write { node, .. }
        | Action::Remove { node, .. }
        | Action::Rename { node, .. }
        | Action::Import { node, .. } => node.as_deref().unwrap_or(first),
        _ => "",
    }
}
