//! Label selectors and node selector terms.

use crate::meta::Labels;
use crate::read;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How a label is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    /// One of the values.
    In,
    /// None of the values, or not there.
    NotIn,
    /// There.
    Exists,
    /// Not there.
    DoesNotExist,
    /// A number above the value; nodes only.
    Gt,
    /// A number below the value; nodes only.
    Lt,
}

/// One demand on a label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The label.
    pub key: String,
    /// How it is compared.
    pub operator: Operator,
    /// With what.
    pub values: Vec<String>,
}

impl Requirement {
    /// True where the labels, or the name of the node for a field, fulfil the demand.
    pub fn matches(&self, found: Option<&String>) -> bool {
        let number = |text: &String| text.parse::<i64>().ok();
        let beyond = |above: bool| {
            let (found, wanted) = (found.and_then(number), self.values.first().and_then(number));
            found.zip(wanted).is_some_and(|(a, b)| if above { a > b } else { a < b })
        };
        match self.operator {
            Operator::In => found.is_some_and(|value| self.values.contains(value)),
            Operator::NotIn => found.is_none_or(|value| !self.values.contains(value)),
            Operator::Exists => found.is_some(),
            Operator::DoesNotExist => found.is_none(),
            Operator::Gt => beyond(true),
            Operator::Lt => beyond(false),
        }
    }

    fn of(value: &Value) -> Option<Self> {
        let operator = match read::text(value, "operator")? {
            "In" => Operator::In,
            "NotIn" => Operator::NotIn,
            "Exists" => Operator::Exists,
            "DoesNotExist" => Operator::DoesNotExist,
            "Gt" => Operator::Gt,
            "Lt" => Operator::Lt,
            _ => return None,
        };
        Some(Self { key: read::text(value, "key")?.into(), operator, values: read::texts(value, "values") })
    }
}

/// The requirements in a list of a JSON object.
pub fn requirements(value: &Value, list: &str) -> Vec<Requirement> {
    read::items(value, list).filter_map(Requirement::of).collect()
}

/// `metadata` selectors of controllers, budgets and services: every part must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selector {
    /// `matchLabels`.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
    /// `matchExpressions`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expressions: Vec<Requirement>,
}

impl Selector {
    /// Reads `matchLabels` and `matchExpressions`.
    pub fn of(value: &Value) -> Self {
        let labels = read::labels(value, "matchLabels");
        Self { labels, expressions: requirements(value, "matchExpressions") }
    }

    /// The selector that asks for exactly these labels.
    pub fn of_labels(labels: Labels) -> Self {
        Self { labels, expressions: Vec::new() }
    }

    /// True where it asks for nothing.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty() && self.expressions.is_empty()
    }

    /// True where these labels fulfil it. The empty one matches everything.
    pub fn matches(&self, labels: &Labels) -> bool {
        self.labels.iter().all(|(key, value)| labels.get(key) == Some(value))
            && self.expressions.iter().all(|wanted| wanted.matches(labels.get(&wanted.key)))
    }
}
