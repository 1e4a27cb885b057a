//! A containerd version as data: everything that differs lies in `versions/NAME/`.

/// A containerd version: its dialect, its merge rule, its schema, its checks.
#[derive(Clone, Debug)]
pub struct Version {
    name: String,
}

impl Version {
    /// The version of this name, for example `1.7.27`.
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|v| v.name == name)
    }

    /// Every version that is built in, oldest first.
    pub fn all() -> &'static [Self] {
        static ALL: std::sync::OnceLock<Vec<Version>> = std::sync::OnceLock::new();
        ALL.get_or_init(|| vec![Version { name: "1.7.27".into() }])
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}
