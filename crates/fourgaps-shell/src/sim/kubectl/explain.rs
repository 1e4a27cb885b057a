//! `kubectl explain`: what the API says of a field.

use super::super::flags::Flag;
use super::resources::kind_of;
use super::{NAMESPACE, Session, Stop};
use fourgaps_view::kubectl::{NotExplained, explained};

pub(super) const FLAGS: [Flag; 1] = [NAMESPACE];

pub(super) fn run(session: &mut Session<'_, '_>) -> Result<(), Stop> {
    let word = match *session.words() {
        [word] => word,
        [] => {
            return Stop::error(
                "error: You must specify the type of resource to explain. Use \"kubectl api-resources\" for a complete list of supported resources.\n",
            );
        }
        _ => return Stop::error("error: We accept only this format: explain RESOURCE\n"),
    };
    let mut path = word.split('.').filter(|name| !name.is_empty());
    let kind = kind_of(path.next().unwrap_or_default())?;
    let path: Vec<&str> = path.collect();
    match explained(kind, &path) {
        Ok(text) => session.call.out(text),
        Err(NotExplained::NoField(name)) => {
            return Stop::error(format!("error: field \"{name}\" does not exist"));
        }
        Err(NotExplained::NotSimulated) => {
            return Err(Stop::NotSimulated(format!("the description of {word}")));
        }
    }
    Ok(())
}
