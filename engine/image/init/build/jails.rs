//! Compiles `engine/image/jails/*.json` to a table. A file describes a role or a base, and may extend a base, to whose permissions it
//! adds its own. The build fails if a permission has no reason.

use super::calls;
use super::words::{reasoned, word, words};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

type Files = HashMap<String, Value>;

pub fn read(folder: &Path, out: &Path) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let files = files_in(folder);
    let mut roles: Vec<&Value> = files.values().filter(|file| file.get("role").is_some()).collect();
    roles.sort_by_key(|file| word(file, "role"));
    let table: String = roles.iter().map(|role| row(&files, role)).collect();
    let page = calls::PROGRAM_PAGE;
    let generated = format!("pub const PROGRAM_PAGE: usize = {page};\n\npub const JAILS: &[Jail] = &[\n{table}];\n");
    fs::write(out.join("jails.rs"), generated).expect("the output folder can be written");
}

/// Returns the files by the name of what they describe, which is the file's name.
fn files_in(folder: &Path) -> Files {
    let paths = fs::read_dir(folder).expect("engine/image/jails is there").flatten().map(|entry| entry.path());
    let jsons = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    jsons
        .map(|path| {
            let text = fs::read(&path).expect("a jail file can be read");
            let file: Value = serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            let name = file.get("role").or(file.get("base")).and_then(Value::as_str).map(String::from);
            let name = name.unwrap_or_else(|| panic!("{path:?} names no role and no base"));
            assert_eq!(path.file_stem().and_then(|stem| stem.to_str()), Some(name.as_str()), "{path:?} is named otherwise");
            (name, file)
        })
        .collect()
}

fn row(files: &Files, role: &Value) -> String {
    let name = word(role, "role");
    let line = line_of(files, role);
    let all = |list: &'static str| -> Vec<&Value> { line.iter().flat_map(|file| entries(file, list)).collect() };
    let setting = |field: &str| reasoned(name, nearest(&line, field).unwrap_or_else(|| panic!("{name} lacks {field}")));
    let number = |field: &str, of: &str| setting(field)[of].as_u64().unwrap_or_else(|| panic!("{name}: {field} has no {of}"));
    let may = |field: &str| setting(field)["may"].as_bool().unwrap_or_else(|| panic!("{name}: {field} says neither true nor false"));
    let steps = calls::filter(name, &all("calls"));
    format!(
        "    Jail {{ role: {name:?}, open_files: {}, tasks: {}, cpu_weight: {}, memory_kept: {}, oom_score: {}, terminal: {}, \
         directory: {}, partition: {}, network: {}, weights: {}, key: {}, places: &[{}], filter: &[{}] }},\n",
        number("openFiles", "most"),
        number("tasks", "most"),
        number("cpuWeight", "is"),
        number("memoryKept", "mebibytes") << 20,
        oom_score(name, setting("oomScore")),
        may("terminal"),
        may("directory"),
        may("partition"),
        may("network"),
        may("weights"),
        may("key"),
        all("places").iter().map(|place| self::place(name, place)).collect::<String>(),
        steps.iter().map(|one| format!("({}, {}, {}, {}),", one.code, one.jt, one.jf, one.k)).collect::<Vec<_>>().concat(),
    )
}

/// Returns a score within the kernel's range, without the lowest number, which is reserved for init.
fn oom_score(name: &str, setting: &Value) -> i64 {
    let score = setting["is"].as_i64().unwrap_or_else(|| panic!("{name}: oomScore has no number"));
    assert!((-999..=1000).contains(&score), "{name}: an oomScore of {score}");
    score
}

/// Returns a file and all bases that it extends, the lowest base first.
fn line_of<'a>(files: &'a Files, file: &'a Value) -> Vec<&'a Value> {
    let mut line = match file.get("extends").and_then(Value::as_str) {
        Some(base) => line_of(files, files.get(base).unwrap_or_else(|| panic!("there is no jail {base}"))),
        None => Vec::new(),
    };
    line.push(file);
    line
}

fn entries<'a>(file: &'a Value, list: &str) -> &'a [Value] {
    file[list].as_array().unwrap_or_else(|| panic!("a jail file lacks {list}: {file}"))
}

/// Returns the role's own field, or that of the nearest base that has it.
fn nearest<'a>(line: &[&'a Value], field: &str) -> Option<&'a Value> {
    line.iter().rev().find_map(|file| file.get(field))
}

/// The kernel's names of the rights below a path are in `src/jail/landlock.rs`.
fn place(role: &str, place: &Value) -> String {
    let rights: Vec<String> = words(&reasoned(role, place)["may"])
        .map(|right| match right {
            "run" | "read" | "list" | "write" | "make" => format!("landlock::{}", right.to_uppercase()),
            other => panic!("{role}: no place may be used to {other}"),
        })
        .collect();
    format!("Place {{ path: c{:?}, rights: {} }},", word(place, "path"), rights.join(" | "))
}
