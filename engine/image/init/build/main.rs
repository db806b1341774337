//! Turns the checked-in compiled schemas (`engine/lib/wire/generated/schema.cgr`) into Rust readers, and the jail files
//! (`engine/image/jails/*.json`) into a table with the filters of system calls ready made. Needs no Cap'n Proto compiler, and
//! leaves nothing of a jail to be read or compiled when a machine starts.

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
