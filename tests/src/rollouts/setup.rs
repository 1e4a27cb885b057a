//! How a story begins. A recording says what is done and what is seen, but not all that was there at the start: which
//! labels the nodes have, what the first template tolerates, which quota there is. Each follows from what is seen of it:
//! a node with a taint that should run a pod all the same shows a toleration, a refusal shows the quota that refuses.

use super::recording::{Step, Story};
use super::words::{self, Deed, Difference};
use fourgaps_cluster::Cluster;
use fourgaps_cluster::daemon::{Watch, fit};
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::{Key, Labels, Meta};
use fourgaps_cluster::node::Node;
use fourgaps_cluster::object::{Kind, Plain};
use fourgaps_cluster::selector::Selector;
use fourgaps_cluster::spec::{Template, toleration_value};
use fourgaps_cluster::taint::{Effect, Taint, Toleration};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The namespace of the stories.
pub const NAMESPACE: &str = "gpu";

/// What there is before the first step.
#[derive(Clone)]
pub struct Setup {
    /// The first template.
    pub template: Value,
    /// Labels of the nodes, also of those that come later.
    labels: BTreeMap<String, Labels>,
    /// Taints of the nodes at the start.
    taints: Vec<(String, Taint)>,
    /// Quotas: name and `spec.hard`.
    quotas: BTreeMap<String, Value>,
}

impl Setup {
    /// What a story shows of its start.
    ///
    /// # Errors
    /// Says which words are not known.
    pub fn of(story: &Story) -> Result<Self, String> {
        let deeds: Vec<Deed> =
            story.step.iter().map(|step| words::read(&step.words)).collect::<Result<_, _>>()?;
        let steps: Vec<(&Step, &Deed)> = story.step.iter().zip(&deeds).collect();
        let (quotas, request) = quotas(&steps);
        let mut spec = json!({ "containers": [{
            "name": "gpu",
            "image": "gpu:a",
            "resources": { "limits": { "nvidia.com/gpu": request } },
        }] });
        let tolerations: Vec<Value> = tolerations(&steps).iter().map(toleration_value).collect();
        if !tolerations.is_empty() {
            spec["tolerations"] = json!(tolerations);
        }
        if let Some(class) = runtime_class(&steps) {
            spec["runtimeClassName"] = json!(class);
        }
        let selector = story.step.first().map(node_selector).unwrap_or_default();
        if !selector.is_empty() {
            spec["nodeSelector"] = json!(selector);
        }
        let template = json!({ "metadata": { "labels": { "app": story.daemonset } }, "spec": spec });
        let taints = story.step.first().map(taints).unwrap_or_default();
        Ok(Self { template, labels: labels(&steps), taints, quotas })
    }

    /// A node as it is when it comes.
    pub fn node(&self, name: &str, taints: Vec<Taint>) -> Node {
        let mut node = Node::new(name);
        node.meta.labels = self.labels.get(name).cloned().unwrap_or_default();
        node.meta.labels.insert("kubernetes.io/hostname".into(), name.into());
        node.taints = taints;
        node
    }

    /// The cluster before the first step, without the DaemonSet.
    pub fn cluster(&self, story: &Story, watch: Watch) -> Cluster {
        let mut cluster = Cluster::new(0, watch);
        for name in &story.nodes {
            let taints = self.taints.iter().filter(|(of, _)| of == name).map(|(_, taint)| taint.clone());
            cluster.create_node(self.node(name, taints.collect()));
        }
        for (name, hard) in &self.quotas {
            let body = json!({ "spec": { "hard": hard } });
            cluster.put_plain(Kind::ResourceQuota, Plain { meta: Meta::new(NAMESPACE, name), body });
        }
        cluster
    }

    /// The DaemonSet as it is created.
    ///
    /// # Errors
    /// Says that the strategy is not understood.
    pub fn daemonset(&self, story: &Story) -> Result<DaemonSet, String> {
        let strategy = words::strategy(&story.strategy)
            .ok_or_else(|| format!("`{}` is no strategy that the player knows", story.strategy))?;
        let template = Template::of(&self.template);
        Ok(DaemonSet {
            meta: Meta::new(NAMESPACE, &story.daemonset),
            selector: Selector::of_labels(template.labels.clone()),
            template: Arc::new(template),
            strategy,
            min_ready_seconds: story.min_ready_seconds,
            revision_history_limit: story.revision_history_limit,
            ..DaemonSet::default()
        })
    }

    /// The first template with these differences.
    pub fn template_with(&self, differences: &[Difference]) -> Template {
        let mut value = self.template.clone();
        let spec = &mut value["spec"];
        for difference in differences {
            match difference {
                Difference::Image(image) => spec["containers"][0]["image"] = json!(image),
                Difference::RuntimeClass(name) => spec["runtimeClassName"] = json!(name),
                Difference::NoTolerations => spec["tolerations"] = json!([]),
                Difference::TolerateAll => {
                    spec["tolerations"] = json!([toleration_value(&Toleration::everything())]);
                }
                Difference::Tolerate(taint) => {
                    let exists = Toleration::exists(&taint.key, Some(taint.effect));
                    spec["tolerations"] = json!([toleration_value(&exists)]);
                }
                Difference::Request(name, amount) => {
                    spec["containers"][0]["resources"]["limits"][name] = json!(amount);
                }
                Difference::NodeSelector(None) => spec["nodeSelector"] = json!({}),
                Difference::NodeSelector(Some((key, wanted))) => {
                    spec["nodeSelector"] = json!({ key: wanted });
                }
                Difference::MinReadySeconds(_) => {}
            }
        }
        Template::of(&value)
    }

    /// The key of the DaemonSet.
    pub fn key(story: &Story) -> Key {
        Key::new(NAMESPACE, &story.daemonset)
    }
}

/// `NODE taint` of a step.
fn taints(step: &Step) -> Vec<(String, Taint)> {
    let one = |line: &String| {
        let (node, taint) = line.split_once(' ')?;
        Some((node.to_string(), Taint::read(taint)?))
    };
    step.taints.iter().filter_map(one).collect()
}

/// Nodes that should run no pod: with `remove`, only those where none may stay.
fn not_eligible(step: &Step, remove: bool) -> Vec<&str> {
    let split = step.not_eligible.iter().filter_map(|line| line.split_once(' '));
    split.filter(|(_, what)| !remove || *what == "remove").map(|(node, _)| node).collect()
}

/// The steps that still have the tolerations of the first template.
fn tolerations(steps: &[(&Step, &Deed)]) -> Vec<Toleration> {
    let other = |deed: &Deed| {
        let of_tolerations = |difference: &Difference| {
            matches!(
                difference,
                Difference::NoTolerations | Difference::TolerateAll | Difference::Tolerate(_)
            )
        };
        matches!(deed, Deed::Template(_, differences) if differences.iter().any(of_tolerations))
    };
    let mut found: Vec<Toleration> = Vec::new();
    for (step, _) in steps.iter().take_while(|(_, deed)| !other(deed)) {
        let unfit = not_eligible(step, false);
        for (node, taint) in taints(step) {
            let counts = taint.effect != Effect::PreferNoSchedule && !unfit.contains(&node.as_str());
            let mut known = fit::automatic_tolerations(false).into_iter().chain(found.iter().cloned());
            if counts && !known.any(|toleration| toleration.tolerates(&taint)) {
                found.push(Toleration::exists(&taint.key, Some(taint.effect)));
            }
        }
    }
    found
}

/// The node selector in the table of `kubectl get ds`.
fn node_selector(step: &Step) -> Labels {
    let Some([header, row, ..]) = step.get_ds.as_deref() else { return Labels::new() };
    let place = header.find("NODE SELECTOR").zip(header.find("AGE"));
    let cell = place.and_then(|(from, to)| row.get(from..to)).unwrap_or_default().trim();
    cell.split(',').filter_map(|pair| pair.split_once('=')).map(|(a, b)| (a.into(), b.into())).collect()
}

/// The first time a label is asked for shows which nodes have it.
fn labels(steps: &[(&Step, &Deed)]) -> BTreeMap<String, Labels> {
    let mut known: BTreeMap<(String, String), Option<String>> = BTreeMap::new();
    for (step, deed) in steps {
        if let Deed::Label(node, key, _) = deed {
            known.entry((node.clone(), key.clone())).or_insert(None);
        }
        let unfit = not_eligible(step, true);
        let evicting = |node: &str| {
            taints(step).iter().any(|(of, taint)| of == node && taint.effect == Effect::NoExecute)
        };
        let nodes = step.pods.iter().filter_map(|line| line.split_once(':')).map(|(node, _)| node);
        for node in nodes.filter(|node| !node.contains(' ')) {
            for (key, value) in node_selector(step) {
                let fits = !unfit.contains(&node);
                if fits || !evicting(node) {
                    known.entry((node.into(), key)).or_insert(fits.then_some(value));
                }
            }
        }
    }
    let mut labels: BTreeMap<String, Labels> = BTreeMap::new();
    for ((node, key), value) in known {
        if let Some(value) = value {
            labels.entry(node).or_default().insert(key, value);
        }
    }
    labels
}

/// The class that the first template names, where pods are refused for want of it though no template was changed to it.
fn runtime_class(steps: &[(&Step, &Deed)]) -> Option<String> {
    let changed = |deed: &Deed| {
        let class = |difference: &Difference| matches!(difference, Difference::RuntimeClass(_));
        matches!(deed, Deed::Template(_, differences) if differences.iter().any(class))
    };
    let mut before = steps.iter().take_while(|(_, deed)| !changed(deed));
    let error = before
        .find_map(|(step, _)| step.sync_error.as_ref().filter(|error| error.contains("RuntimeClass \"")))?;
    let (_, rest) = error.split_once("RuntimeClass \"")?;
    Some(rest.split_once('"')?.0.to_string())
}

/// The quotas that refuse pods, and what a pod asks for.
fn quotas(steps: &[(&Step, &Deed)]) -> (BTreeMap<String, Value>, String) {
    let (mut quotas, mut request) = (BTreeMap::new(), "1".to_string());
    for error in steps.iter().filter_map(|(step, _)| step.sync_error.as_ref()) {
        let Some((_, rest)) = error.split_once("exceeded quota: ") else { continue };
        let mut parts = rest.split(", ");
        let name = parts.next().unwrap_or_default();
        let of = |head: &str| {
            rest.split_once(head).map_or("", |(_, text)| text).split([' ', ']']).next().unwrap_or_default()
        };
        let pairs = |list: &str| -> Vec<(String, String)> {
            let pairs = list.trim_end_matches(',').split(',').filter_map(|pair| pair.split_once('='));
            pairs.map(|(name, amount)| (name.into(), amount.into())).collect()
        };
        let hard = quotas.entry(name.to_string()).or_insert_with(|| json!({}));
        for (resource, amount) in pairs(of("limited: ")) {
            hard[resource] = json!(amount);
        }
        let asked = pairs(of("requested: ")).into_iter().find(|(name, _)| name == "requests.nvidia.com/gpu");
        if let Some((_, amount)) = asked {
            request = amount;
        }
    }
    (quotas, request)
}
