//! Modules of `capos-init`, `capos-console` and `capos-host`. All code that parses untrusted bytes is here and is tested without a machine; the system
//! calls are in `boot` and `supervise`.

pub mod boot;
// The modules of the build script are included here, so that `cargo test` also runs their tests.
#[cfg(test)]
#[allow(dead_code)]
#[path = "../build"]
mod build {
    mod calls;
    mod jails;
    mod tests;
    mod words;
}
#[cfg(test)]
mod chance;
pub mod channel;
pub mod console;
pub mod digest;
pub mod filter;
pub mod frame;
pub mod gpt;
pub mod host;
pub mod iso;
pub mod jail;
pub mod luks;
pub mod manifest;
pub mod names;
pub mod network;
pub mod parameters;
pub mod peer;
pub mod refusal;
pub mod say;
pub mod signs;
pub mod supervise;
pub mod sys;
pub mod trust;
pub mod unseen;
pub mod version;

// Readers and builders of every schema, as `capos_capnp`, `manifest_capnp`, …
include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
