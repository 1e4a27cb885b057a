//! `kubectl apply`: what of a live object changes, given the manifest now and the one that was applied last.
//! Source: `apimachinery/pkg/util/strategicpatch`, with the merge keys of the API's types.

use serde_json::{Map, Value};

/// Lists whose items are told apart by a field; other lists are replaced as a whole.
const MERGE_KEYS: [(&str, &str); 8] = [
    ("containers", "name"),
    ("initContainers", "name"),
    ("env", "name"),
    ("volumes", "name"),
    ("volumeMounts", "mountPath"),
    ("ports", "containerPort"),
    ("imagePullSecrets", "name"),
    ("taints", "key"),
];
/// What a part of a strategic patch says of itself.
const PATCH: &str = "$patch";

/// How a patch is read: `--type` of `kubectl patch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Lists whose items have names are merged item by item.
    Strategic,
    /// Lists are replaced (RFC 7386).
    Merge,
    /// A list of operations (RFC 6902).
    Json,
}

impl Way {
    /// The object after a patch; nothing where an operation does not go.
    pub fn apply(self, live: &Value, patch: &Value) -> Option<Value> {
        match self {
            Self::Strategic => Some(patched(live, patch)),
            Self::Merge => Some(plainly(live, patch)),
            Self::Json => {
                let mut object = live.clone();
                patch.as_array()?.iter().try_for_each(|step| operation(&mut object, step))?;
                Some(object)
            }
        }
    }
}

fn plainly(live: &Value, patch: &Value) -> Value {
    let Value::Object(patch) = patch else { return patch.clone() };
    let mut result = live.as_object().cloned().unwrap_or_default();
    for (name, value) in patch {
        match value {
            Value::Null => drop(result.remove(name)),
            value => {
                let merged = plainly(result.get(name).unwrap_or(&Value::Null), value);
                result.insert(name.clone(), merged);
            }
        }
    }
    Value::Object(result)
}

fn operation(object: &mut Value, step: &Value) -> Option<()> {
    let text = |field: &str| step.get(field)?.as_str();
    let (what, path) = (text("op")?, text("path")?);
    match what {
        "add" => add(object, path, step.get("value")?.clone()),
        "remove" => remove(object, path).map(drop),
        "replace" => {
            *object.pointer_mut(path)? = step.get("value")?.clone();
            Some(())
        }
        "test" => (object.pointer(path)? == step.get("value")?).then_some(()),
        "copy" => {
            let value = object.pointer(text("from")?)?.clone();
            add(object, path, value)
        }
        "move" => {
            let value = remove(object, text("from")?)?;
            add(object, path, value)
        }
        _ => None,
    }
}

/// The value that holds the last name of a path, and that name.
fn holder<'v>(object: &'v mut Value, path: &str) -> Option<(&'v mut Value, String)> {
    let (above, name) = path.rsplit_once('/')?;
    Some((object.pointer_mut(above)?, name.replace("~1", "/").replace("~0", "~")))
}

fn add(object: &mut Value, path: &str, value: Value) -> Option<()> {
    let (holder, name) = holder(object, path)?;
    match holder {
        Value::Object(entries) => drop(entries.insert(name, value)),
        Value::Array(items) if name == "-" => items.push(value),
        Value::Array(items) => {
            let at: usize = name.parse().ok().filter(|at| *at <= items.len())?;
            items.insert(at, value);
        }
        _ => return None,
    }
    Some(())
}

fn remove(object: &mut Value, path: &str) -> Option<Value> {
    let (holder, name) = holder(object, path)?;
    match holder {
        Value::Object(entries) => entries.remove(&name),
        Value::Array(items) => {
            let at: usize = name.parse().ok().filter(|at| *at < items.len())?;
            Some(items.remove(at))
        }
        _ => None,
    }
}

/// The live object with the changes of a patch: what the patch does not name stays.
pub fn patched(live: &Value, patch: &Value) -> Value {
    merged(live, &Value::Null, patch)
}

/// The live object with the changes of a manifest; fields that were applied last and are not in it any more go.
pub fn merged(live: &Value, last: &Value, new: &Value) -> Value {
    let (Value::Object(live), Value::Object(new)) = (live, new) else { return new.clone() };
    let mut result = live.clone();
    if new.get(PATCH).is_some_and(|how| how == "replace") {
        let mut new = new.clone();
        new.remove(PATCH);
        return Value::Object(new);
    }
    for name in last.as_object().into_iter().flat_map(Map::keys) {
        if !new.contains_key(name) {
            result.remove(name);
        }
    }
    for (name, value) in new {
        let old = live.get(name).unwrap_or(&Value::Null);
        let last = last.get(name).unwrap_or(&Value::Null);
        let key = MERGE_KEYS.iter().find(|(list, _)| list == name).map(|(_, key)| *key);
        match (value, old, key) {
            (Value::Null, ..) => drop(result.remove(name)),
            (Value::Array(items), Value::Array(olds), Some(key)) => {
                result.insert(name.clone(), list(olds, last, items, key));
            }
            (Value::Object(_), Value::Object(_), _) => {
                drop(result.insert(name.clone(), merged(old, last, value)))
            }
            _ => drop(result.insert(name.clone(), value.clone())),
        }
    }
    Value::Object(result)
}

fn list(live: &[Value], last: &Value, new: &[Value], key: &str) -> Value {
    let lasts = last.as_array().map(Vec::as_slice).unwrap_or_default();
    fn find<'v>(list: &'v [Value], key: &str, item: &Value) -> Option<&'v Value> {
        list.iter().find(|other| other.get(key) == item.get(key))
    }
    let mut result: Vec<Value> = Vec::new();
    let says = |item: &Value, word: &str| item.get(PATCH).is_some_and(|how| how == word);
    let taken: Vec<&Value> = new.iter().filter(|item| says(item, "delete")).collect();
    let replaces = new.iter().any(|item| says(item, "replace") && item.get(key).is_none());
    let live = if replaces { &[] } else { live };
    for item in new.iter().filter(|item| item.get(PATCH).is_none() || item.get(key).is_some()) {
        if says(item, "delete") {
            continue;
        }
        let old = find(live, key, item);
        let last = find(lasts, key, item).unwrap_or(&Value::Null);
        let item = old.map_or_else(|| item.clone(), |old| merged(old, last, item));
        // Of two items with one key the later counts.
        match result.iter_mut().find(|other| other.get(key) == item.get(key)) {
            Some(other) => *other = item,
            None => result.push(item),
        }
    }
    for old in live {
        let gone = find(lasts, key, old).is_some() || taken.iter().any(|item| item.get(key) == old.get(key));
        if !gone && find(&result, key, old).is_none() {
            result.push(old.clone());
        }
    }
    Value::Array(result)
}

#[cfg(test)]
mod tests {
    use super::{Way, merged};
    use serde_json::json;

    #[test]
    fn what_others_set_stays_and_what_was_applied_before_goes() {
        let live = json!({ "a": 1, "b": { "c": 2, "d": 3 }, "others": true });
        let last = json!({ "a": 1, "b": { "c": 2 } });
        assert_eq!(
            merged(&live, &last, &json!({ "b": { "e": 4 } })),
            json!({ "b": { "d": 3, "e": 4 }, "others": true })
        );
    }

    #[test]
    fn a_patch_may_take_items_away_and_replace_parts() {
        let live = json!({ "containers": [{ "name": "a", "image": "x" }, { "name": "b" }], "c": { "d": 1 } });
        let patch = json!({ "containers": [{ "name": "b", "$patch": "delete" }], "c": { "$patch": "replace", "e": 2 } });
        let wanted = json!({ "containers": [{ "name": "a", "image": "x" }], "c": { "e": 2 } });
        assert_eq!(Way::Strategic.apply(&live, &patch), Some(wanted));
        let merge = json!({ "containers": [{ "name": "z" }], "c": null });
        assert_eq!(Way::Merge.apply(&live, &merge), Some(json!({ "containers": [{ "name": "z" }] })));
    }

    #[test]
    fn operations_go_one_after_the_other_or_not_at_all() {
        let live = json!({ "a/b": 1, "list": [1, 2] });
        let steps = json!([
            { "op": "test", "path": "/a~1b", "value": 1 },
            { "op": "add", "path": "/list/1", "value": 9 },
            { "op": "add", "path": "/list/-", "value": 3 },
            { "op": "remove", "path": "/list/0" },
            { "op": "replace", "path": "/a~1b", "value": 5 },
            { "op": "copy", "from": "/a~1b", "path": "/c" },
            { "op": "move", "from": "/c", "path": "/d" },
        ]);
        let wanted = json!({ "a/b": 5, "list": [9, 2, 3], "d": 5 });
        assert_eq!(Way::Json.apply(&live, &steps), Some(wanted));
        for wrong in [
            json!([{ "op": "remove", "path": "/none" }]),
            json!([{ "op": "replace", "path": "/none", "value": 1 }]),
            json!([{ "op": "test", "path": "/list/0", "value": 2 }]),
            json!([{ "op": "add", "path": "/list/7", "value": 2 }]),
            json!({}),
        ] {
            assert_eq!(Way::Json.apply(&live, &wrong), None, "{wrong}");
        }
    }

    #[test]
    fn items_with_a_key_are_merged_one_by_one() {
        let live = json!({ "containers": [{ "name": "a", "image": "x", "tty": true }, { "name": "b" }, { "name": "side" }] });
        let last = json!({ "containers": [{ "name": "a", "image": "x" }, { "name": "b" }] });
        let new = json!({ "containers": [{ "name": "a", "image": "y" }] });
        let wanted =
            json!({ "containers": [{ "name": "a", "image": "y", "tty": true }, { "name": "side" }] });
        assert_eq!(merged(&live, &last, &new), wanted);
    }
}
