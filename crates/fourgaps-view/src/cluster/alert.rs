//! What an alert would have seen: a rule as Prometheus evaluates it, over numbers that kube-state-metrics exports.
//!
//! A rule is looked at every 30 s. Where its expression holds the alert is pending; where it has held at every look for `for`
//! it fires; where it does not hold any more it is gone. What comes and goes between two looks is never seen. An increase is
//! the exact one here, where the real `increase()` extrapolates to the ends of its window.

use fourgaps_base::set_of;
use fourgaps_cluster::daemonset::DaemonSet;
use fourgaps_cluster::meta::Uid;
use fourgaps_cluster::trace::{Step, Trace};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How often a rule is looked at, in milliseconds: the default of the kube-prometheus stack.
pub const INTERVAL_MS: u64 = 30_000;

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expression {
    /// Nodes that should run a ready pod and do not.
    NotReady,
    /// Nodes that should run an available pod and do not.
    NotAvailable,
    /// The restarts of one pod within ten minutes.
    Restarts,
}

/// The window of [`Expression::Restarts`], in milliseconds.
const WINDOW_MS: u64 = 600_000;

/// A rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it looks at.
    pub expression: Expression,
    /// It holds above this number.
    pub above: u32,
    /// How long it must hold, in milliseconds.
    pub for_ms: u64,
}

/// What came of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Alert {
    /// The rule in words of Prometheus.
    pub expr: String,
    /// The numbers: since when, and how many.
    pub points: Vec<(u64, u32)>,
    /// When the expression held.
    pub spans: Vec<AlertSpan>,
}

/// A time in which a rule was not calm, from the first look that saw it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AlertSpan {
    /// The first look at which the expression held, in milliseconds.
    pub pending_ms: u64,
    /// The look at which the alert fired, where it did.
    pub firing_ms: Option<u64>,
    /// The first look at which it held no more, where there was one.
    pub gone_ms: Option<u64>,
}

impl Rule {
    /// What comes of the rule until this moment.
    pub fn over(&self, trace: &Trace, set: &DaemonSet, now_ms: u64) -> Alert {
        let points = match self.expression {
            Expression::Restarts => restarts(trace, set.meta.uid, now_ms),
            _ => missing(trace, set.meta.uid, self.expression),
        };
        Alert { expr: self.text(set), spans: self.spans(&points, now_ms), points }
    }

    /// The expression as it is written for Prometheus.
    fn text(&self, set: &DaemonSet) -> String {
        let (name, namespace, above) = (&set.meta.name, &set.meta.namespace, self.above);
        let of = format!("{{namespace=\"{namespace}\",daemonset=\"{name}\"}}");
        let numbers = "kube_daemonset_status";
        match self.expression {
            Expression::NotReady => {
                format!("{numbers}_desired_number_scheduled{of} - {numbers}_number_ready{of} > {above}")
            }
            Expression::NotAvailable => {
                format!("{numbers}_desired_number_scheduled{of} - {numbers}_number_available{of} > {above}")
            }
            Expression::Restarts => format!(
                "increase(kube_pod_container_status_restarts_total{{namespace=\"{namespace}\",pod=~\"{name}-.*\"}}[10m]) > {above}"
            ),
        }
    }

    fn spans(&self, points: &[(u64, u32)], now_ms: u64) -> Vec<AlertSpan> {
        let look_from = |ms: u64| ms.div_ceil(INTERVAL_MS) * INTERVAL_MS;
        let mut spans: Vec<AlertSpan> = Vec::new();
        for (at, (from_ms, value)) in points.iter().enumerate() {
            let until_ms = points.get(at + 1).map_or(now_ms + 1, |(next_ms, _)| *next_ms);
            let (first, next) = (look_from(*from_ms), look_from(until_ms));
            // No look between: nobody saw it.
            if *value <= self.above || first >= next {
                continue;
            }
            let gone_ms = (next <= now_ms).then_some(next);
            match spans.last_mut().filter(|last| last.gone_ms == Some(first)) {
                Some(last) => last.gone_ms = gone_ms,
                None => spans.push(AlertSpan { pending_ms: first, firing_ms: None, gone_ms }),
            }
        }
        for span in &mut spans {
            let fires_ms = look_from(span.pending_ms + self.for_ms);
            span.firing_ms =
                (fires_ms <= now_ms && span.gone_ms.is_none_or(|gone| fires_ms < gone)).then_some(fires_ms);
        }
        spans
    }
}

/// DESIRED without READY, or without AVAILABLE.
fn missing(trace: &Trace, set: Uid, expression: Expression) -> Vec<(u64, u32)> {
    let counts = trace.counts().iter().filter(|count| count.set == set);
    let points = counts.map(|count| {
        let status = &count.status;
        let there = if expression == Expression::NotReady { status.ready } else { status.available };
        (count.at_ms, status.desired.saturating_sub(there))
    });
    steps(points)
}

/// The most restarts that one pod had within the window.
fn restarts(trace: &Trace, set: Uid, now_ms: u64) -> Vec<(u64, u32)> {
    let of_set = || trace.steps().iter().filter(move |step| step.set == set);
    let mut pods: BTreeMap<Uid, Vec<&Step>> = BTreeMap::new();
    let restarted = set_of(of_set().filter(|step| step.restarts > 0).map(|step| step.pod));
    for step in of_set().filter(|step| restarted.contains(&step.pod)) {
        pods.entry(step.pod).or_default().push(step);
    }
    let mut moments: BTreeSet<u64> = BTreeSet::new();
    for step in pods.values().flatten() {
        moments.extend([step.at_ms, step.at_ms + WINDOW_MS]);
    }
    let first_ms = of_set().next().map(|step| step.at_ms);
    moments.extend(first_ms);
    let value = |at_ms: u64| pods.values().filter_map(|steps| increase(steps, at_ms)).max().unwrap_or(0);
    steps(moments.into_iter().filter(|at_ms| *at_ms <= now_ms).map(|at_ms| (at_ms, value(at_ms))))
}

/// How much the restarts of a pod grew within the window before a moment; nothing where it is not there.
fn increase(steps: &[&Step], at_ms: u64) -> Option<u32> {
    let at = |ms: u64| steps.partition_point(|step| step.at_ms <= ms).checked_sub(1).map(|at| steps[at]);
    let now = at(at_ms).filter(|step| step.rung.is_some())?;
    let before = at_ms.checked_sub(WINDOW_MS).and_then(at).map_or(0, |step| step.restarts);
    Some(now.restarts.saturating_sub(before))
}

/// A line of steps without the points at which nothing changes; of one moment the last counts.
fn steps(points: impl Iterator<Item = (u64, u32)>) -> Vec<(u64, u32)> {
    let mut line: Vec<(u64, u32)> = Vec::new();
    for (at_ms, value) in points {
        if line.last().is_some_and(|(last_ms, _)| *last_ms == at_ms) {
            line.pop();
        }
        if line.last().is_none_or(|(_, last)| *last != value) {
            line.push((at_ms, value));
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    fn spans(for_ms: u64, points: &[(u64, u32)], now_ms: u64) -> Vec<(u64, Option<u64>, Option<u64>)> {
        let rule = Rule { expression: Expression::NotReady, above: 0, for_ms };
        let spans = rule.spans(points, now_ms);
        spans.into_iter().map(|span| (span.pending_ms, span.firing_ms, span.gone_ms)).collect()
    }

    #[test]
    fn it_is_pending_first_and_fires_where_it_holds_for_long_enough() {
        let points = [(0, 0), (61_000, 1)];
        assert_eq!(spans(5 * MINUTE, &points, 80_000), []);
        assert_eq!(spans(5 * MINUTE, &points, 90_000), [(90_000, None, None)]);
        assert_eq!(spans(5 * MINUTE, &points, 389_999), [(90_000, None, None)]);
        assert_eq!(spans(5 * MINUTE, &points, 390_000), [(90_000, Some(390_000), None)]);
    }

    #[test]
    fn it_begins_anew_where_it_held_no_more_at_one_look() {
        let points = [(0, 1), (4 * MINUTE, 0), (4 * MINUTE + 31_000, 2), (9 * MINUTE, 0)];
        let wanted = [(0, None, Some(4 * MINUTE)), (5 * MINUTE, None, Some(9 * MINUTE))];
        assert_eq!(spans(5 * MINUTE, &points, 20 * MINUTE), wanted);
        assert_eq!(spans(3 * MINUTE, &points, 20 * MINUTE)[0].1, Some(3 * MINUTE));
    }

    #[test]
    fn what_comes_and_goes_between_two_looks_is_not_seen() {
        let blip = [(0, 0), (31_000, 3), (59_000, 0)];
        assert_eq!(spans(0, &blip, MINUTE), []);
        // A gap between two looks is not seen either.
        let gap = [(0, 1), (31_000, 0), (59_000, 1)];
        assert_eq!(spans(MINUTE, &gap, 2 * MINUTE), [(0, Some(MINUTE), None)]);
    }

    #[test]
    fn without_a_time_it_fires_at_once_and_the_threshold_counts() {
        let points = [(0, 1), (MINUTE, 2), (2 * MINUTE, 1)];
        let rule = Rule { expression: Expression::NotReady, above: 1, for_ms: 0 };
        let wanted = AlertSpan { pending_ms: MINUTE, firing_ms: Some(MINUTE), gone_ms: Some(2 * MINUTE) };
        assert_eq!(rule.spans(&points, 5 * MINUTE), [wanted]);
    }

    #[test]
    fn a_line_has_no_steps_without_height() {
        let line = steps([(0, 1), (0, 2), (5, 2), (6, 1), (6, 2), (7, 3)].into_iter());
        assert_eq!(line, [(0, 2), (7, 3)]);
    }
}
