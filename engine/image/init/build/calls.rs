//! Compiles system calls by name and condition to a filter that the kernel runs. `seccompiler` writes the program and knows the numbers
//! of the calls. A call that is not listed returns ENOSYS, and one of another architecture ends the process.

use super::words::{reasoned, words};
use seccompiler::{BpfProgram, TargetArch, compile_from_json};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Address at which init's child maps the path of its program before it calls exec. It lies below the lowest address that the
/// kernel lets anyone but root map, so that no program can map another path there.
pub const PROGRAM_PAGE: u64 = 0x1000;

/// Words of conditions, with the kernel's numbers.
const NUMBERS: &[(&str, u64)] = &[
    ("0", 0),
    ("ADDONS_DESCRIPTOR", 60), // above all that Node.js opens; `engine/processes/model/local/descriptor.ts` makes it the first free one
    ("AF_INET", libc::AF_INET as u64),
    ("ARCH_SET_FS", 0x1002),
    ("BYTES_OF_AN_INTERNET_ADDRESS", size_of::<libc::sockaddr_in>() as u64),
    ("CLONE_CHILD_CLEARTID", libc::CLONE_CHILD_CLEARTID as u64),
    ("CLONE_FILES", libc::CLONE_FILES as u64),
    ("CLONE_FS", libc::CLONE_FS as u64),
    ("CLONE_PARENT_SETTID", libc::CLONE_PARENT_SETTID as u64),
    ("CLONE_SETTLS", libc::CLONE_SETTLS as u64),
    ("CLONE_SIGHAND", libc::CLONE_SIGHAND as u64),
    ("CLONE_SYSVSEM", libc::CLONE_SYSVSEM as u64),
    ("CLONE_THREAD", libc::CLONE_THREAD as u64),
    ("CLONE_VM", libc::CLONE_VM as u64),
    ("FIONBIO", libc::FIONBIO),
    ("FORMS_DESCRIPTOR", 61), // the addon reserves the number before it
    ("F_GETFL", libc::F_GETFL as u64),
    ("F_SETFD", libc::F_SETFD as u64),
    ("F_SETFL", libc::F_SETFL as u64),
    ("IPPROTO_TCP", libc::IPPROTO_TCP as u64),
    ("LOADERS_DESCRIPTOR", 3), // `supervise/plan.rs` leaves it free
    ("MAP_ANONYMOUS", libc::MAP_ANONYMOUS as u64),
    ("MAP_SHARED", libc::MAP_SHARED as u64),
    ("OWN_PROCESS", 1), // the first process of its namespace
    ("O_APPEND", libc::O_APPEND as u64),
    ("O_CREAT", libc::O_CREAT as u64),
    ("O_DIRECT", libc::O_DIRECT as u64),
    ("O_NOTIFICATION_PIPE", libc::O_EXCL as u64), // the meaning of that bit for pipe2
    ("O_RDWR", libc::O_RDWR as u64),
    ("O_TRUNC", libc::O_TRUNC as u64),
    ("O_WRONLY", libc::O_WRONLY as u64),
    ("PROGRAM_PAGE", PROGRAM_PAGE),
    ("PROT_EXEC", libc::PROT_EXEC as u64),
    ("PROT_WRITE", libc::PROT_WRITE as u64),
    ("PR_SET_NAME", libc::PR_SET_NAME as u64),
    ("SOCK_CLOEXEC", libc::SOCK_CLOEXEC as u64),
    ("SOCK_DGRAM", libc::SOCK_DGRAM as u64),
    ("SOCK_NONBLOCK", libc::SOCK_NONBLOCK as u64),
    ("SOCK_STREAM", libc::SOCK_STREAM as u64),
    ("TCFLSH", libc::TCFLSH),
    ("TCGETS", libc::TCGETS),
    ("TCP_NODELAY", libc::TCP_NODELAY as u64),
    ("TCSETS", libc::TCSETS),
];

/// Returns the filter. Each entry for a call is one way in which it is allowed; an entry without conditions allows all ways.
pub fn filter(role: &str, entries: &[&Value]) -> BpfProgram {
    let mut ways: BTreeMap<&str, Vec<Vec<Value>>> = BTreeMap::new();
    for entry in entries {
        let conditions: Vec<Value> = words(&reasoned(role, entry)["when"]).map(|text| condition(role, text)).collect();
        assert!(entry["names"].as_array().is_some_and(|names| !names.is_empty()), "{role}: an entry names no call: {entry}");
        for name in words(&entry["names"]) {
            ways.entry(name).or_default().push(conditions.clone());
        }
    }
    let rules: Vec<Value> = ways.iter().flat_map(|(name, ways)| rules_of(name, ways)).collect();
    let described = json!({ role: { "mismatch_action": { "errno": libc::ENOSYS }, "match_action": "allow", "filter": rules } });
    let mut compiled = compile_from_json(described.to_string().as_bytes(), TargetArch::x86_64)
        .unwrap_or_else(|error| panic!("{role}: {error}"));
    compiled.remove(role).expect("a filter for the one role")
}

fn rules_of(name: &str, ways: &[Vec<Value>]) -> Vec<Value> {
    match ways.iter().any(Vec::is_empty) {
        true => vec![json!({ "syscall": name })],
        false => ways.iter().map(|conditions| json!({ "syscall": name, "args": conditions })).collect(),
    }
}

/// With `argument 1 is NAME NAME`, it must equal all of them together; with `lacks`, none of their bits may be set.
fn condition(role: &str, text: &str) -> Value {
    let mut parts = text.split(' ');
    let mut next = || parts.next().unwrap_or_else(|| panic!("{role}: a condition is not whole: {text}"));
    assert_eq!(next(), "argument", "{role}: {text}");
    let index: u8 = next().parse().unwrap_or_else(|_| panic!("{role}: no number of an argument: {text}"));
    let demand = next().to_owned();
    let numbers: Vec<u64> = parts.map(|name| number(role, name)).collect();
    assert!(!numbers.is_empty(), "{role}: a condition is not whole: {text}");
    let together = numbers.iter().fold(0, |all, one| all | one);
    let whole = |operator: Value, value: u64| json!({ "index": index, "type": "qword", "op": operator, "val": value });
    match demand.as_str() {
        "is" => whole(json!("eq"), together),
        "lacks" => whole(json!({ "masked_eq": together }), 0),
        other => panic!("{role}: a condition cannot demand {other}"),
    }
}

fn number(role: &str, name: &str) -> u64 {
    NUMBERS.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{role}: {name} is not known")).1
}
