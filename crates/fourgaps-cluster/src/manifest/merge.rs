//! `kubectl apply`: what of a live object changes, given the manifest now and the one that was applied last.
//! Source: `apimachinery/pkg/util/strategicpatch`, with the merge keys of the API's types.

use serde_json::{Map, Value};

/// Lists whose items are told apart by a field; other lists are replaced as a whole.
const MERGE_KEYS: [(&str, &str); 7] = [
    ("containers", "name"),
    ("initContainers", "name"),
    ("env", "name"),
    ("volumes", "name"),
    ("volumeMounts", "mountPath"),
    ("ports", "containerPort"),
    ("imagePullSecrets", "name"),
];

/// The live object with the changes of a patch: what the patch does not name stays.
pub fn patched(live: &Value, patch: &Value) -> Value {
    merged(live, &Value::Null, patch)
}

/// The live object with the changes of a manifest; fields that were applied last and are not in it any more go.
pub fn merged(live: &Value, last: &Value, new: &Value) -> Value {
    let (Value::Object(live), Value::Object(new)) = (live, new) else { return new.clone() };
    let mut result = live.clone();
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
    for item in new {
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
        let gone = find(lasts, key, old).is_some();
        if !gone && find(&result, key, old).is_none() {
            result.push(old.clone());
        }
    }
    Value::Array(result)
}

#[cfg(test)]
mod tests {
    use super::merged;
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
    fn items_with_a_key_are_merged_one_by_one() {
        let live = json!({ "containers": [{ "name": "a", "image": "x", "tty": true }, { "name": "b" }, { "name": "side" }] });
        let last = json!({ "containers": [{ "name": "a", "image": "x" }, { "name": "b" }] });
        let new = json!({ "containers": [{ "name": "a", "image": "y" }] });
        let wanted =
            json!({ "containers": [{ "name": "a", "image": "y", "tty": true }, { "name": "side" }] });
        assert_eq!(merged(&live, &last, &new), wanted);
    }
}
