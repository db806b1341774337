//! Reads words of a jail file. A missing or misplaced word stops the build.

use serde_json::Value;

pub fn reasoned<'a>(role: &str, entry: &'a Value) -> &'a Value {
    let why = entry["why"].as_str().unwrap_or_default();
    assert!(!why.trim().is_empty(), "{role}: no reason is given for {entry}");
    entry
}

pub fn word<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_else(|| panic!("{field} is no word in {entry}"))
}

pub fn words(list: &Value) -> impl Iterator<Item = &str> {
    assert!(list.is_null() || list.is_array(), "not a list of words: {list}");
    list.as_array().into_iter().flatten().map(move |word| word.as_str().unwrap_or_else(|| panic!("not a list of words: {list}")))
}
