//! Parts of objects that a server or a controller fills in and that here follow from what is there.

use super::describe_other::quota_rows;
use fourgaps_cluster::Store;
use fourgaps_cluster::disruption::disruptions;
use fourgaps_cluster::object::{Kind, Object, Plain};
use serde_json::{Value, json};
use std::sync::Arc;

/// An object as a server shows it: namespaces with their label and phase, quotas with what is used, disruption budgets with what
/// they allow.
pub fn completed(store: &Store, object: Object) -> Object {
    let Object::Other(kind, plain) = &object else { return object };
    let status = match kind {
        Kind::Namespace => json!({ "phase": "Active" }),
        Kind::ResourceQuota => {
            let rows = quota_rows(store, plain);
            let of = |pick: fn(&(String, String, String)) -> &String| -> Value {
                rows.iter().map(|row| (row.0.clone(), Value::from(pick(row).as_str()))).collect()
            };
            json!({ "hard": of(|row| &row.2), "used": of(|row| &row.1) })
        }
        Kind::PodDisruptionBudget => {
            let budget = disruptions(store, plain);
            json!({
                "currentHealthy": budget.current,
                "desiredHealthy": budget.desired,
                "disruptionsAllowed": budget.allowed,
                "expectedPods": budget.total,
                "observedGeneration": 1,
            })
        }
        _ => return object,
    };
    let mut plain = Plain::clone(plain);
    plain.body["status"] = status;
    if *kind == Kind::Namespace {
        plain.body["spec"] = json!({ "finalizers": ["kubernetes"] });
        plain.meta.labels.insert("kubernetes.io/metadata.name".into(), plain.meta.name.clone());
    }
    Object::Other(*kind, Arc::new(plain))
}
