//! Writes the compiled schemas as Rust readers and builders, one module each.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Schemas whose messages these programs read or write, and `policy_capnp`, which `wire_capnp` refers to. The compiled schemas hold more:
/// each further module takes seconds to compile.
const USED: [&str; 5] = ["audit_capnp", "capos_capnp", "manifest_capnp", "policy_capnp", "wire_capnp"];

pub fn read(compiled: &Path, out: &Path) {
    println!("cargo:rerun-if-changed={}", compiled.display());
    let bytes = fs::read(compiled).expect("engine/lib/wire/generated/schema.cgr is checked in");
    let generated = out.join("generated");
    let _ = fs::remove_dir_all(&generated); // a removed schema must not leave its module behind
    capnpc::codegen::CodeGenerationCommand::new()
        .output_directory(&generated)
        .run(bytes.as_slice())
        .expect("the compiled schemas are a CodeGeneratorRequest");
    // The compiled schemas contain the paths of their compilation; the crate includes them by bare name.
    let mut files = Vec::new();
    collect(&generated, &mut files);
    let mut modules = String::new();
    for name in USED {
        let file = files.iter().find(|file| file.file_stem().is_some_and(|stem| stem == name)).expect("each used schema is compiled");
        fs::copy(file, out.join(format!("{name}.rs"))).expect("the output folder can be written");
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
