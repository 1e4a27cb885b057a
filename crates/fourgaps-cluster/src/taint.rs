//! Taints of nodes and the tolerations of pods.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a taint does to pods that do not tolerate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Effect {
    /// No new pods.
    NoSchedule,
    /// No new pods, if there is another place.
    PreferNoSchedule,
    /// No new pods, and those that are there go.
    NoExecute,
}

impl Effect {
    /// The effect of this name.
    pub fn read(text: &str) -> Option<Self> {
        [Self::NoSchedule, Self::PreferNoSchedule, Self::NoExecute]
            .into_iter()
            .find(|effect| effect.name() == text)
    }

    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSchedule => "NoSchedule",
            Self::PreferNoSchedule => "PreferNoSchedule",
            Self::NoExecute => "NoExecute",
        }
    }
}

/// A mark on a node that keeps pods away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taint {
    /// Such as `node.kubernetes.io/not-ready`.
    pub key: String,
    /// Often empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub value: String,
    /// What it does.
    pub effect: Effect,
    /// Since when, in milliseconds; only `NoExecute` taints have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_ms: Option<u64>,
}

impl Taint {
    /// A taint without a value.
    pub fn new(key: &str, effect: Effect) -> Self {
        Self { key: key.into(), value: String::new(), effect, added_ms: None }
    }

    /// Reads `key[=value]:Effect`, the form of `kubectl taint` and `kubectl describe node`.
    pub fn read(text: &str) -> Option<Self> {
        let (left, effect) = text.rsplit_once(':')?;
        let (key, value) = left.split_once('=').unwrap_or((left, ""));
        Some(Self { value: value.into(), ..Self::new(key, Effect::read(effect)?) })
    }
}

/// `key=value:Effect`, or `key:Effect` without a value.
impl fmt::Display for Taint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let equals = if self.value.is_empty() { "" } else { "=" };
        write!(f, "{}{equals}{}:{}", self.key, self.value, self.effect.name())
    }
}

/// What a pod puts up with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toleration {
    /// The key; empty with `Exists` tolerates every key.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// The value that must be equal; `None` is the operator `Exists`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The effect; `None` tolerates every effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
    /// How long a `NoExecute` taint is tolerated; `None` is for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

impl Toleration {
    /// Tolerates a key with any value.
    pub fn exists(key: &str, effect: Option<Effect>) -> Self {
        Self { key: key.into(), effect, ..Self::default() }
    }

    /// Tolerates everything.
    pub fn everything() -> Self {
        Self::default()
    }

    /// `ToleratesTaint` of Kubernetes' `core/v1/toleration.go`.
    pub fn tolerates(&self, taint: &Taint) -> bool {
        self.covers(&taint.key, &taint.value, taint.effect)
    }

    /// The same for a taint of these parts.
    pub fn covers(&self, key: &str, value: &str, effect: Effect) -> bool {
        (self.effect.is_none() || self.effect == Some(effect))
            && (self.key.is_empty() || self.key == key)
            && self.value.as_ref().is_none_or(|wanted| wanted == value)
    }
}

/// The first taint with one of these effects that no toleration covers.
pub fn untolerated<'a>(taints: &'a [Taint], tolerations: &[Toleration], of: &[Effect]) -> Option<&'a Taint> {
    let mut counted = taints.iter().filter(|taint| of.contains(&taint.effect));
    counted.find(|taint| !tolerations.iter().any(|toleration| toleration.tolerates(taint)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(toleration: Toleration, taint: &str, wanted: bool) {
        let taint = Taint::read(taint).unwrap();
        assert_eq!(toleration.tolerates(&taint), wanted, "{toleration:?} {taint}");
    }

    #[test]
    fn taints_are_read_as_they_are_written() {
        for text in ["gpu=yes:NoSchedule", "node.kubernetes.io/not-ready:NoExecute", "a:PreferNoSchedule"] {
            assert_eq!(Taint::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Taint::read("gpu=yes"), None);
        assert_eq!(Taint::read("gpu:Never"), None);
    }

    #[test]
    fn tolerations_cover_key_value_and_effect() {
        check(Toleration::everything(), "a=b:NoExecute", true);
        check(Toleration::exists("a", None), "a=b:NoExecute", true);
        check(Toleration::exists("a", Some(Effect::NoSchedule)), "a:NoExecute", false);
        check(Toleration::exists("b", None), "a:NoExecute", false);
        let equal = Toleration { value: Some("b".into()), ..Toleration::exists("a", None) };
        check(equal.clone(), "a=b:NoSchedule", true);
        check(equal, "a=c:NoSchedule", false);
    }
}
