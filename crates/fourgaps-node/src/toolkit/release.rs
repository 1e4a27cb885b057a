//! What differs between releases of the toolkit.
//! Source: the public repository at the tags v1.14.6 to v1.20.0.

use std::fmt;

/// A release of the toolkit, for example 1.18.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Release(pub u16, pub u16, pub u16);

impl Release {
    /// The release of this name, where it is one that is modelled: 1.14 to 1.20.
    pub fn named(name: &str) -> Option<Self> {
        let mut parts = name.split('.').map(|part| part.parse::<u16>().ok());
        let release = Self(parts.next()??, parts.next()??, parts.next()??);
        let known = Self(1, 14, 0)..Self(1, 21, 0);
        (parts.next().is_none() && known.contains(&release)).then_some(release)
    }

    /// True where handlers go into a drop-in, and the main file gets an import; before, the main file is edited.
    pub(crate) fn has_drop_in(self) -> bool {
        self >= Self(1, 18, 0)
    }

    /// True where imports that others wrote are lost: the first release with a drop-in does not recognise them.
    pub(crate) fn loses_imports(self) -> bool {
        self == Self(1, 18, 0)
    }

    /// True where the source is what `containerd config dump` prints.
    pub(crate) fn asks_for_a_dump(self) -> bool {
        self >= Self(1, 17, 0)
    }

    /// True where the main file is the source if the dump fails.
    pub(crate) fn falls_back_on_the_file(self) -> bool {
        self >= Self(1, 17, 1)
    }

    /// True where a configuration may have version 3 and above.
    pub(crate) fn knows_version_3(self) -> bool {
        self >= Self(1, 17, 4)
    }

    /// The handlers whose settings a new one copies, best first, given the default one where it may be copied.
    pub(crate) fn models(self, default: Option<&str>) -> Vec<String> {
        let default = default.filter(|name| !name.is_empty());
        // Later releases pass over a default handler that is one of the toolkit's own.
        let foreign = default.filter(|name| !name.starts_with("nvidia"));
        let names: Vec<&str> = match self {
            Self(1, ..=15, _) => vec!["runc"],
            Self(1, 16, _) => ["runc"].into_iter().chain(default).collect(),
            _ => foreign.into_iter().chain(["runc", "crun"]).collect(),
        };
        names.into_iter().map(String::from).collect()
    }

    /// What is logged where none of these handlers is there.
    pub(crate) fn no_model(self, models: &[String]) -> Option<String> {
        let models = models.join(" ");
        match self {
            Self(1, ..=15, _) => None,
            Self(1, ..=17, _) => {
                Some(format!("could not infer options from runtimes [{models}]; using defaults"))
            }
            _ => Some(format!("Could not infer options from runtimes [{models}]")),
        }
    }

    /// True where the default handler of a version 1 configuration is a table of its own.
    ///
    /// From 1.17.0 to 1.17.3 the option for this says the opposite of what it should.
    pub(crate) fn sets_the_default_the_old_way(self, legacy: bool) -> bool {
        legacy != (Self(1, 17, 0)..=Self(1, 17, 3)).contains(&self)
    }

    /// True where it logs which version a configuration has.
    pub(crate) fn logs_the_version(self) -> bool {
        self >= Self(1, 17, 4)
    }

    /// True where containerd can be told to allow devices by CDI.
    pub(crate) fn enables_cdi(self) -> bool {
        self >= Self(1, 17, 5)
    }

    /// True where a copied handler without a type gets the usual one.
    pub(crate) fn mends_the_type(self) -> bool {
        self >= Self(1, 20, 0)
    }

    /// True where a handler that is not to be the default one loses that place.
    pub(crate) fn takes_the_default_back(self) -> bool {
        self >= Self(1, 18, 0)
    }

    /// The program's name in its own log.
    pub(crate) fn program(self) -> &'static str {
        if self.has_drop_in() { "nvidia-ctk-installer" } else { "nvidia-toolkit" }
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}
