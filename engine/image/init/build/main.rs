//! Converts the committed compiled schemas (`engine/lib/wire/generated/schema.cgr`) to Rust readers, and the jail files
//! (`engine/image/jails/*.json`) to a table with finished filters of system calls. The build needs no Cap'n Proto compiler, and a machine
//! parses or compiles no jail at its start.

mod calls;
mod jails;
mod schemas;
mod words;

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=build");
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo names the crate's folder"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the output folder"));
    schemas::read(&here.join("../../lib/wire/generated/schema.cgr"), &out);
    jails::read(&here.join("../jails"), &out);
}
