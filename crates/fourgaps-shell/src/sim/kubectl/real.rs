//! What the real kubectl knows beside what is simulated: its verbs and flags, so that only what is nowhere is called unknown.

use super::Verb;
use crate::sim::flags::{Flag, Takes};

/// The verbs in the order in which kubectl 1.34 has them (`pkg/cmd/cmd.go`).
const VERBS: &str = "create expose run set explain get edit delete rollout scale autoscale certificate cluster-info top \
    cordon uncordon drain taint describe logs attach exec port-forward proxy cp auth debug events diff apply patch \
    replace wait kustomize label annotate completion alpha config plugin version api-versions api-resources options";
/// Every flag of any verb.
const FLAGS: &str = "address all all-containers all-namespaces all-pods allow-missing-template-keys annotations append-hash \
    applyset arguments-only as as-group as-uid attach cache-dir cascade certificate-authority chunk-size \
    client-certificate client-key cluster command container containers context copy-to current-replicas \
    delete-emptydir-data disable-compression disable-eviction dry-run duration env expose field-manager \
    field-selector filename follow for force force-conflicts from from-env-file from-file from-literal grace-period \
    hard ignore-daemonsets ignore-errors ignore-not-found image image-pull-policy insecure-skip-tls-verify \
    insecure-skip-tls-verify-backend interactive keep-annotations keys kubeconfig kustomize label-columns labels \
    leave-stdin-open limit-bytes limits list local log-flush-frequency match-server-version max max-log-requests \
    max-unavailable min min-available namespace no-headers now output output-patch output-watch-events override-type \
    overrides overwrite password patch patch-file pod-running-timeout pod-selector port prefix previous privileged \
    profile profile-output prune prune-allowlist quiet raw record recursive replicas request-timeout requests resolve \
    resource resource-version restart revision rm save-config schedule scopes selector server server-print \
    server-side show-events show-kind show-labels show-managed-fields since since-time skip-wait-for-delete-timeout \
    sort-by stdin subresource tail template timeout timestamps tls-server-name to-revision token tty type types user \
    username v validate vmodule wait warnings-as-errors watch watch-only windows-line-endings";
/// The letters of those that have one.
const LETTERS: &str = "ALRcefhiklnopqrstvwx";

/// What is said of a verb that there is not; nothing where the real one has it.
pub(super) fn unknown(args: &[String]) -> Option<String> {
    let name = args.first().filter(|name| !name.starts_with('-'))?;
    if VERBS.split_whitespace().any(|verb| verb == name) {
        return None;
    }
    let lower = name.to_lowercase();
    let near = |verb: &&str| distance(&lower, verb) <= 2 || verb.starts_with(&lower);
    let near: String = VERBS.split_whitespace().filter(near).map(|verb| format!("\t{verb}\n")).collect();
    let near = if near.is_empty() { near } else { format!("\nDid you mean this?\n{near}") };
    Some(format!("error: unknown command \"{name}\" for \"kubectl\"\n{near}"))
}

/// How many letters must be put in, taken out or changed (`ld` of cobra).
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (corner + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            corner = above;
        }
    }
    row[b.len()]
}

/// What is said of a flag that is wrong; nothing where the real verb may have it.
pub(super) fn wrong_flag(args: &[String], verb: &Verb, word: &str) -> Option<String> {
    let known = |name: &str| verb.flags.iter().find(|Flag(names, _)| names.contains(&name));
    let why = if let Some(long) = word.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or_default();
        match known(&format!("--{name}")) {
            Some(Flag(names, Takes::Nothing)) => {
                let value = long.split_once('=').map_or("", |(_, value)| value);
                let shown = names.join(", ");
                format!(
                    "invalid argument \"{value}\" for \"{shown}\" flag: strconv.ParseBool: parsing \"{value}\": invalid syntax"
                )
            }
            Some(_) => format!("flag needs an argument: --{name}"),
            None if FLAGS.split_whitespace().any(|known| known == name) => return None,
            None => format!("unknown flag: --{name}"),
        }
    } else {
        let letters = word.trim_start_matches('-');
        match letters.chars().find(|letter| known(&format!("-{letter}")).is_none()) {
            Some(letter) if LETTERS.contains(letter) => return None,
            Some(letter) => format!("unknown shorthand flag: '{letter}' in {word}"),
            None => format!("flag needs an argument: '{}' in {word}", letters.chars().last().unwrap_or('-')),
        }
    };
    let second = args.iter().skip_while(|arg| *arg != verb.name).nth(1);
    let path = match second.filter(|word| verb.name == "rollout" && !word.starts_with('-')) {
        Some(second) => format!("{} {second}", verb.name),
        None => verb.name.to_string(),
    };
    Some(format!("error: {why}\nSee 'kubectl {path} --help' for usage.\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_simulated_is_real() {
        for verb in &super::super::VERBS {
            assert!(VERBS.split_whitespace().any(|real| real == verb.name), "{}", verb.name);
            for name in verb.flags.iter().flat_map(|Flag(names, _)| names.iter()) {
                let real = match name.strip_prefix("--") {
                    Some(long) => {
                        long.starts_with("edited-") || FLAGS.split_whitespace().any(|real| real == long)
                    }
                    None => LETTERS.contains(name.trim_start_matches('-')),
                };
                assert!(real, "{name}");
            }
        }
        assert_eq!((distance("gett", "get"), distance("", "a"), distance("abc", "abc")), (1, 1, 0));
    }
}
