//! What the API server asks of a pod before it takes it: the RuntimeClass must exist, the quota must suffice.

use crate::api::Refusal;
use crate::meta::Key;
use crate::object::{Kind, Plain};
use crate::pod::{Pod, Shape};
use crate::quantity::Quantity;
use crate::read;
use crate::spec::{Amounts, PodSpec, amounts};
use crate::store::Store;
use crate::taint::Toleration;
use serde_json::{Value, json};
use std::sync::Arc;

/// `plugin/pkg/admission/runtimeclass` of Kubernetes: the class must exist; its overhead, node selector and tolerations
/// become the pod's own.
///
/// # Errors
/// Says why the pod is refused, after `pods "NAME" is forbidden: `.
pub fn runtime_class(store: &Store, shape: &Arc<Shape>) -> Result<Arc<Shape>, String> {
    let spec = &shape.spec;
    let Some(name) = &spec.runtime_class else {
        if spec.overhead.is_empty() {
            return Ok(shape.clone());
        }
        return Err(
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead".into()
        );
    };
    let class = store.other(Kind::RuntimeClass, &Key::new("", name));
    let class = class.ok_or_else(|| format!("pod rejected: RuntimeClass \"{name}\" not found"))?;
    let overhead = amounts(read::part(&class.body, "overhead"), "podFixed");
    if !spec.overhead.is_empty() && spec.overhead != overhead {
        let why = match overhead.is_empty() {
            true => "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
            false => "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        };
        return Err(why.into());
    }
    let scheduling = read::part(&class.body, "scheduling");
    let selector = read::labels(scheduling, "nodeSelector");
    for (key, wanted) in &selector {
        if let Some(own) = spec.node_selector.get(key).filter(|own| *own != wanted) {
            return Err(format!(
                "conflict: runtimeClass.scheduling.nodeSelector[{key}] = {wanted}; pod.spec.nodeSelector[{key}] = {own}"
            ));
        }
    }
    let tolerations = PodSpec::of(scheduling).tolerations;
    if overhead == spec.overhead && selector.is_empty() && tolerations.is_empty() {
        return Ok(shape.clone());
    }
    let mut shape = (**shape).clone();
    take_over(&mut shape.spec, overhead, &selector, tolerations);
    Ok(Arc::new(shape))
}

fn take_over(
    spec: &mut PodSpec,
    overhead: Amounts,
    selector: &crate::meta::Labels,
    tolerations: Vec<Toleration>,
) {
    if let Some(given) = spec.given.as_object_mut() {
        if !overhead.is_empty() {
            let texts =
                overhead.iter().map(|(name, amount)| (name.clone(), json!(amount.to_string()))).collect();
            given.insert("overhead".into(), Value::Object(texts));
        }
        if !selector.is_empty() {
            let own = given.entry("nodeSelector").or_insert_with(|| json!({}));
            if let Some(own) = own.as_object_mut() {
                own.extend(selector.iter().map(|(key, value)| (key.clone(), json!(value))));
            }
        }
    }
    spec.overhead = overhead;
    spec.node_selector.extend(selector.iter().map(|(key, value)| (key.clone(), value.clone())));
    spec.tolerate(tolerations);
}

/// `apiserver/pkg/admission/plugin/resourcequota` of Kubernetes: what the pod asks for and what the others of its
/// namespace use must stay below every quota.
///
/// # Errors
/// Says why the pod is refused, after `pods "NAME" is forbidden: `.
pub fn quota(store: &Store, namespace: &str, spec: &PodSpec) -> Result<(), String> {
    let quotas = store.others(Kind::ResourceQuota).filter(|quota| quota.meta.namespace == namespace);
    for quota in quotas {
        let hard = hard(quota);
        let name = &quota.meta.name;
        let missing = missing(&hard, spec);
        if !missing.is_empty() {
            return Err(format!("failed quota: {name}: must specify {missing}"));
        }
        let (used, asked) = (used(store, namespace, &hard), usage(spec));
        let beyond = |(resource, hard): &(&String, &Quantity)| {
            asked
                .get(*resource)
                .is_some_and(|asked| used.get(*resource).copied().unwrap_or_default().plus(*asked) > **hard)
        };
        let exceeded: Vec<_> = hard.iter().filter(beyond).map(|(resource, _)| resource).collect();
        if !exceeded.is_empty() {
            let list = |amounts: &Amounts| {
                let one =
                    |name: &&String| format!("{name}={}", amounts.get(*name).copied().unwrap_or_default());
                exceeded.iter().map(one).collect::<Vec<_>>().join(",")
            };
            return Err(format!(
                "exceeded quota: {name}, requested: {}, used: {}, limited: {}",
                list(&asked),
                list(&used),
                list(&hard)
            ));
        }
    }
    Ok(())
}

/// `spec.hard` of a quota.
pub fn hard(quota: &Plain) -> Amounts {
    amounts(read::part(&quota.body, "spec"), "hard")
}

/// What the pods of a namespace use of the resources of a quota. Pods at their end use nothing.
pub fn used(store: &Store, namespace: &str, hard: &Amounts) -> Amounts {
    let mut sum: Amounts = hard.keys().map(|name| (name.clone(), Quantity::default())).collect();
    let counts = |pod: &&Arc<Pod>| *pod.key.namespace == *namespace && !pod.status.phase.is_terminal();
    let pods = store.pods_by_age().filter(counts);
    for pod in pods {
        for (name, amount) in usage(&pod.shape.spec) {
            if let Some(total) = sum.get_mut(&name) {
                *total = total.plus(amount);
            }
        }
    }
    sum
}

/// What a pod uses, under every name by which a quota may call it.
fn usage(spec: &PodSpec) -> Amounts {
    let mut usage = Amounts::from([
        ("pods".to_string(), Quantity::whole(1)),
        ("count/pods".to_string(), Quantity::whole(1)),
    ]);
    for (name, amount) in spec.requests().into_owned() {
        if matches!(name.as_str(), "cpu" | "memory" | "ephemeral-storage") {
            usage.insert(name.clone(), amount);
        }
        usage.insert(format!("requests.{name}"), amount);
    }
    for (name, amount) in spec.containers.iter().flat_map(|container| &container.limits) {
        let total = usage.entry(format!("limits.{name}")).or_default();
        *total = total.plus(*amount);
    }
    usage
}

/// The resources of a quota that some container says nothing of: `requests.cpu for: a,b; limits.cpu for: a`.
fn missing(hard: &Amounts, spec: &PodSpec) -> String {
    let computed = ["cpu", "memory"];
    let unnamed = |resource: &String| {
        let (of_limits, name) = match (resource.strip_prefix("limits."), resource.strip_prefix("requests.")) {
            (Some(name), _) => (true, name),
            (_, Some(name)) => (false, name),
            _ => (false, resource.as_str()),
        };
        if !computed.contains(&name) {
            return None;
        }
        let silent = spec.containers.iter().filter(|container| {
            let amounts = if of_limits { &container.limits } else { &container.requests };
            !amounts.contains_key(name)
        });
        let names: Vec<&str> = silent.map(|container| container.name.as_str()).collect();
        (!names.is_empty()).then(|| format!("{resource} for: {}", names.join(",")))
    };
    hard.keys().filter_map(unnamed).collect::<Vec<_>>().join("; ")
}

/// The refusal of a pod of this name.
pub(crate) fn forbidden(name: &str, why: &str) -> Refusal {
    Refusal::Forbidden(format!("pods \"{name}\" is forbidden: {why}"))
}
