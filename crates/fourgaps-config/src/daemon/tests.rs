//! Whether the data of every version fits together: a slip in `daemon.toml` would never hold and never be seen.

use super::data::{Check, Keys, Step, When};
use crate::schema::Type;
use crate::version::Version;

/// The type at some keys of a type; `None` where there is no such field.
fn at(version: &Version, ty: &Type, keys: &[String]) -> Option<Type> {
    let Some((key, rest)) = keys.split_first() else { return Some(ty.clone()) };
    match ty {
        Type::Pointer(of) => at(version, of, keys),
        Type::Map(of) => at(version, of, rest),
        Type::Any => Some(Type::Any),
        Type::Struct(name) => {
            let fields = version.schema.fields(name);
            let below = |field: &crate::schema::Field| at(version, &field.ty, rest);
            fields.iter().find(|field| field.key == *key).and_then(below)
        }
        _ => None,
    }
}

fn keys_of(when: &When) -> Vec<Keys> {
    match when {
        When::Set { key }
        | When::Unset { key }
        | When::Present { key }
        | When::Text { key, .. }
        | When::OtherText { key, .. }
        | When::OtherNumber { key, .. }
        | When::Outside { key, .. }
        | When::NoneOf { key, .. }
        | When::NoDuration { key }
        | When::NoLogLevel { key }
        | When::NoTcpAddress { key, .. }
        | When::NoFile { key }
        | When::NoSpec { key }
        | When::NoPlugin { key, .. }
        | When::FailedPlugin { key, .. }
        | When::NoRoot { key, .. }
        | When::Root { key, .. }
        | When::Relative { key } => vec![key.clone()],
        When::Numbers { keys } => keys.iter().map(|key| vec![key.clone()]).collect(),
        When::Same { key, other } => vec![key.clone(), other.clone()],
        When::NoEntry { key, of } => vec![key.clone(), of.clone()],
        When::AnyEntry { of, key } => {
            vec![of.iter().cloned().chain([String::from("any")]).chain(key.iter().cloned()).collect()]
        }
        When::NoUrlAsName
        | When::Gone { .. }
        | When::Works { .. }
        | When::Cgroups { .. }
        | When::NoInotifyInstance => Vec::new(),
    }
}

/// The keys of a check that its configuration does not have.
fn lost_keys(version: &Version, ty: &Type, check: &Check) -> Vec<Keys> {
    let ty = match &check.section {
        None => ty.clone(),
        Some(uri) => type_of(version, uri),
    };
    let looked_at = match &check.each {
        None => Some(ty),
        Some(each) => at(version, &ty, each).map(|found| match found {
            Type::Map(of) | Type::Slice(of) => *of,
            other => other,
        }),
    };
    let Some(looked_at) = looked_at else { return vec![check.each.clone().unwrap_or_default()] };
    let mut keys: Vec<Keys> = check.when.iter().flat_map(keys_of).collect();
    keys.extend(check.put.iter().map(|put| put.key.clone()));
    keys.extend(check.copy.iter().flat_map(|copy| [copy.from.clone(), copy.to.clone()]));
    keys.retain(|key| at(version, &looked_at, key).is_none());
    keys
}

fn type_of(version: &Version, uri: &str) -> Type {
    let plugin = version.plugins.iter().find(|plugin| plugin.uri == uri);
    Type::Struct(plugin.and_then(|plugin| plugin.ty.clone()).unwrap_or_default())
}

fn checks(steps: &[Step]) -> impl Iterator<Item = &Check> {
    steps.iter().filter_map(|step| match step {
        Step::Check(check) => Some(&**check),
        _ => None,
    })
}

#[test]
fn every_key_of_a_check_is_there() {
    let mut lost = Vec::new();
    for version in Version::all() {
        let root = Type::Struct(version.root.clone());
        let rules = &version.daemon;
        let whole = checks(&rules.before).chain(checks(&rules.after)).map(|check| (root.clone(), check));
        let own = rules.plugins.iter().flat_map(|plugin| {
            let ty = type_of(version, &plugin.uri);
            checks(&plugin.steps).map(move |check| (ty.clone(), check))
        });
        for (ty, check) in whole.chain(own) {
            lost.extend(
                lost_keys(version, &ty, check).into_iter().map(|keys| (version.name(), ty.go_name(), keys)),
            );
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn every_plugin_that_is_asked_for_is_there() {
    let mut lost = Vec::new();
    for version in Version::all() {
        let plugins: Vec<&str> = version.daemon.plugins.iter().map(|plugin| plugin.uri.as_str()).collect();
        for plugin in &version.daemon.plugins {
            for step in &plugin.steps {
                let (of, id) = match step {
                    Step::Get { of, id, .. } => (of, id.as_deref()),
                    Step::All { of, .. } => (of, None),
                    Step::Client { .. } | Step::Check(_) | Step::Platform => continue,
                };
                let asked = id.map_or_else(|| format!("{of}."), |id| format!("{of}.{id}"));
                let found = |uri: &&str| if id.is_some() { **uri == asked } else { uri.starts_with(&asked) };
                if !plugins.iter().any(found) {
                    lost.push((version.name(), plugin.uri.clone(), asked));
                }
            }
        }
        let told =
            version.daemon.cri.told.iter().chain([&version.daemon.cri.service, &version.daemon.cri.teller]);
        lost.extend(
            told.filter(|uri| !plugins.contains(&uri.as_str()))
                .map(|uri| (version.name(), String::from("[cri]"), uri.clone())),
        );
    }
    assert!(lost.is_empty(), "{lost:#?}");
}
