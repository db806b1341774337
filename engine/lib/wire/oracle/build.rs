//! Converts the committed compiled schemas to Rust code, and lists the structs
//! that can be the root of a message. The build needs no Cap'n Proto compiler.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use capnp::schema_capnp::{code_generator_request, node};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the crate's folder"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the output folder"));
    let mut roots = String::from("roots! {\n");
    let mut modules = String::new();
    for compiled in ["../generated/schema.cgr", "../fixture/generated/schema.cgr"] {
        let bytes = read(&here.join(compiled));
        capnpc::codegen::CodeGenerationCommand::new()
            .output_directory(&out)
            .default_parent_module(vec!["schemas".into()])
            .run(bytes.as_slice())
            .expect("the compiled schemas are a CodeGeneratorRequest");
        describe(&bytes, &mut modules, &mut roots).expect("the request can be read");
    }
    roots.push_str("}\n");
    fs::write(out.join("modules.rs"), modules).expect("the output folder can be written");
    fs::write(out.join("roots.rs"), roots).expect("the output folder can be written");
}

fn read(compiled: &Path) -> Vec<u8> {
    println!("cargo:rerun-if-changed={}", compiled.display());
    fs::read(compiled).expect("the compiled schemas are checked in")
}

fn describe(mut bytes: &[u8], modules: &mut String, roots: &mut String) -> capnp::Result<()> {
    let message = capnp::serialize::read_message(&mut bytes, Default::default())?;
    let request: code_generator_request::Reader = message.get_root()?;
    for file in request.get_requested_files()? {
        let name = text(file.get_filename()?).trim_end_matches(".capnp").to_owned();
        writeln!(
            modules,
            "#[allow(warnings, clippy::all)] pub mod {name}_capnp {{ include!(concat!(env!(\"OUT_DIR\"), \"/{name}_capnp.rs\")); }}"
        )
        .expect("writing to a string");
        for node in request.get_nodes()? {
            let node::Which::Struct(_) = node.which()? else { continue };
            if node.get_scope_id() == file.get_id() {
                let title = &text(node.get_display_name()?)[node.get_display_name_prefix_length() as usize..];
                writeln!(roots, "    \"{name}\" \"{title}\" {name}_capnp {}", snake(title)).expect("writing to a string");
            }
        }
    }
    Ok(())
}

fn text(reader: capnp::text::Reader<'_>) -> &str {
    reader.to_str().expect("names are UTF-8")
}

/// Rust keywords that are also names of structs in lower case; the crate's generator appends an underscore to them.
const KEYWORDS: [&str; 8] = ["type", "struct", "enum", "trait", "match", "move", "box", "ref"];

/// Returns the name of a struct's module: `PolicyTables` becomes `policy_tables`.
fn snake(title: &str) -> String {
    let mut name = String::new();
    for letter in title.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}
