//! `kubectl describe`.

use super::super::flags::{Flag, Takes};
use super::change::several;
use super::{NAMESPACE, Session, Stop, resources};
use fourgaps_cluster::object::Object;
use fourgaps_view::kubectl::described;

pub(super) const FLAGS: [Flag; 5] = [
    NAMESPACE,
    Flag(&["-A", "--all-namespaces"], Takes::Nothing),
    Flag(&["-l", "--selector"], Takes::Value),
    Flag(&["-f", "--filename"], Takes::Value),
    Flag(&["--show-events"], Takes::Perhaps),
];

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let words = session.words().to_vec();
    if words.is_empty() && session.args.value("-f").is_none() {
        return Stop::error(
            "error: You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of supported resources.",
        );
    }
    if session.args.value("--show-events").is_some_and(|on| on != "true" && !on.is_empty()) {
        return Err(Stop::NotSimulated("describe without events".into()));
    }
    let (mut texts, mut errors) = (Vec::new(), Vec::new());
    for wanted in session.wanted(&words)? {
        let (objects, missing) = session.find(&wanted)?;
        let describe = |object: &Object| described(&session.store, object, session.now_ms);
        // A name that is not there may be the beginning of others (`DescribeMatchingResources`).
        if let ([kind, prefix], [why]) = (words.as_slice(), missing.as_slice())
            && !wanted.slashed
        {
            let (mut objects, _) = session.find(&resources::wanted(&[*kind])?.remove(0))?;
            objects.retain(|object| object.key().name.starts_with(prefix));
            if objects.is_empty() {
                return Stop::error(why);
            }
            let texts: String = objects.iter().map(|object| describe(object) + "\n").collect();
            session.call.out(texts);
            return Ok(());
        }
        texts.extend(objects.iter().map(describe));
        errors.extend(missing);
    }
    if texts.is_empty() && errors.is_empty() {
        session.call.err(match session.args.has("-A") {
            true => "No resources found\n".into(),
            false => format!("No resources found in {} namespace.\n", session.namespace()),
        });
    }
    session.call.out(texts.join("\n\n"));
    several(errors)
}
