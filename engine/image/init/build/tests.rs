//! Tests jails that must stop the build: ambiguous ones, and those without a reason.

use super::calls::filter;
use super::jails;
use serde_json::{Value, json};
use std::panic::catch_unwind;

/// Returns the message with which one entry of a jail stops the build.
fn stops(entry: Value) -> String {
    let stopped = catch_unwind(|| filter("trial", &[&entry])).expect_err("it was taken");
    stopped.downcast::<String>().map(|words| *words).unwrap_or_default()
}

#[test]
fn an_entry_that_says_too_little_or_what_nobody_knows() {
    for (entry, words) in [
        (json!({ "names": ["read"] }), "no reason is given"),
        (json!({ "names": ["read"], "why": " " }), "no reason is given"),
        (json!({ "names": ["reed"], "why": "x" }), "reed"),
        (json!({ "names": "read", "why": "x" }), "names no call"),
        (json!({ "names": [], "why": "x" }), "names no call"),
        (json!({ "names": [7], "why": "x" }), "not a list of words"),
        (json!({ "names": ["read"], "when": "argument 1 is 0", "why": "x" }), "not a list of words"),
        (json!({ "names": ["read"], "when": ["argument 1 is"], "why": "x" }), "not whole"),
        (json!({ "names": ["read"], "when": ["argument"], "why": "x" }), "not whole"),
        (json!({ "names": ["read"], "when": ["argument one is 0"], "why": "x" }), "no number of an argument"),
        (json!({ "names": ["read"], "when": ["argument 6 is 0"], "why": "x" }), "trial"),
        (json!({ "names": ["read"], "when": ["argument 1 has 0"], "why": "x" }), "cannot demand has"),
        (json!({ "names": ["read"], "when": ["argument 1 is 0x10"], "why": "x" }), "0x10 is not known"),
    ] {
        let said = stops(entry.clone());
        assert!(said.contains(words), "{entry}: {said}");
    }
}

#[test]
fn a_way_without_conditions_is_every_way() {
    let narrow = json!({ "names": ["read"], "when": ["argument 0 is 0"], "why": "x" });
    let wide = json!({ "names": ["read"], "why": "x" });
    assert_eq!(filter("trial", &[&narrow, &wide]).len(), filter("trial", &[&wide]).len());
    assert!(filter("trial", &[&narrow]).len() > filter("trial", &[&wide]).len());
}

/// Returns the message with which a folder with these files stops the build.
fn folder_stops(files: &[(&str, Value)]) -> String {
    let folder = std::env::temp_dir().join(format!("capos-jails-{}-{}", std::process::id(), files.len()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, file) in files {
        std::fs::write(folder.join(name), file.to_string()).unwrap();
    }
    let stopped = catch_unwind(|| jails::read(&folder, &folder));
    std::fs::remove_dir_all(&folder).unwrap();
    stopped.expect_err("it was taken").downcast::<String>().map(|words| *words).unwrap_or_default()
}

#[test]
fn a_file_under_another_name_without_its_base_or_without_a_limit() {
    let role = |more: Value| {
        let mut file = json!({ "role": "x", "calls": [], "places": [] });
        file.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        file
    };
    assert!(folder_stops(&[("y.json", role(json!({})))]).contains("is named otherwise"));
    assert!(folder_stops(&[("x.json", role(json!({ "extends": "none" })))]).contains("there is no jail none"));
    assert!(folder_stops(&[("x.json", role(json!({})))]).contains("x lacks openFiles"));
    let silent = role(json!({ "openFiles": { "most": 1 } }));
    assert!(folder_stops(&[("x.json", silent)]).contains("no reason is given"));
}
