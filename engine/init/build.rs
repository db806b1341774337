//! Turns the checked-in compiled schemas (`engine/wire/generated/schema.cgr`) into Rust readers and the jail files
//! (`engine/jails/*.json`) into a table. Needs no Cap'n Proto compiler.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the crate's folder"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the output folder"));
    read_schemas(&here.join("../wire/generated/schema.cgr"), &out);
    read_jails(&here.join("../jails"), &out);
}

fn read_schemas(compiled: &Path, out: &Path) {
    println!("cargo:rerun-if-changed={}", compiled.display());
    let bytes = fs::read(compiled).expect("engine/wire/generated/schema.cgr is checked in");
    let generated = out.join("generated");
    let _ = fs::remove_dir_all(&generated); // a schema that went away must not linger
    capnpc::codegen::CodeGenerationCommand::new()
        .output_directory(&generated)
        .run(bytes.as_slice())
        .expect("the compiled schemas are a CodeGeneratorRequest");
    // The compiled schemas carry the paths that they were compiled under; the crate includes them by bare name.
    let mut files = Vec::new();
    collect(&generated, &mut files);
    files.sort();
    let mut modules = String::new();
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a schema has a plain name");
        fs::copy(&file, out.join(format!("{name}.rs"))).expect("the output folder can be written");
        writeln!(modules, "#[allow(warnings, clippy::all)] pub mod {name} {{ include!(concat!(env!(\"OUT_DIR\"), \"/{name}.rs\")); }}")
            .expect("writing to a string");
    }
    fs::write(out.join("schemas.rs"), modules).expect("the output folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the generated folder can be read").flatten() {
        match entry.path() {
            path if path.is_dir() => collect(&path, files),
            path => files.push(path),
        }
    }
}

fn read_jails(folder: &Path, out: &Path) {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(folder).expect("engine/jails is there").flatten().map(|e| e.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let mut table = String::from("pub const JAILS: &[Jail] = &[\n");
    for path in files {
        let jail: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).expect("a jail file can be read")).expect("a jail file is JSON");
        let number = |name: &str| jail[name]["most"].as_u64().unwrap_or_else(|| panic!("{path:?} lacks {name}.most"));
        let may = |name: &str| jail[name]["may"].as_bool().unwrap_or_else(|| panic!("{path:?} lacks {name}.may"));
        writeln!(
            table,
            "    Jail {{ role: {:?}, open_files: {}, tasks: {}, terminal: {}, directory: {} }},",
            jail["role"].as_str().expect("a jail names its role"),
            number("openFiles"),
            number("tasks"),
            may("terminal"),
            may("directory"),
        )
        .expect("writing to a string");
    }
    table.push_str("];\n");
    fs::write(out.join("jails.rs"), table).expect("the output folder can be written");
}
