//! From the kernel's first process to a verified root: nothing here starts a service, and nothing is used before it is
//! checked. The order is the security property: modules, medium, signature, command line, digests, root, data disk,
//! lockdown.

mod banner;
mod devices;
mod disk;
mod lockdown;
mod mapper;
mod medium;
mod modules;
mod mounts;
mod sealed;
mod verify;

use crate::digest;
use crate::manifest::Manifest;
use crate::refusal::{About as _, Checked};
use std::collections::HashMap;
use std::fs::{self, File};
use verify::Verified;

/// With this word on its command line a system says when it reached each stage, for those who measure the start.
const STAGES_PARAMETER: &str = "capos.stages";

/// Where things lie in init's own root, which no other process sees.
pub const ROOT: &str = "/root";
pub const JAIL: &str = "/jail";
pub const DEVICES: &str = "/devices";
pub const DISK: &str = "/disk";
pub const CGROUPS: &str = "/sys/fs/cgroup";

/// A machine whose every byte in use is verified, ready to start processes.
pub struct Machine {
    pub manifest: Manifest,
    /// Artefacts by name, each a sealed descriptor.
    pub artefacts: HashMap<String, File>,
    pub has_disk: bool,
}

/// The first act: without it there is no way to say anything.
pub fn open_console() -> std::io::Result<()> {
    mounts::first()?;
    mounts::console()
}

pub fn boot() -> Checked<Machine> {
    let trust = fs::read("/trust.bin").about("trust.bin")?;
    let command_line = fs::read_to_string("/proc/cmdline").about("the command line")?;
    let stage = |name: &str| {
        if command_line.split_ascii_whitespace().any(|word| word == STAGES_PARAMETER) {
            crate::supervise::say(&format!("stage {name} after {} ms", crate::sys::now()));
        }
    };
    stage("init");
    modules::load("first")?;
    stage("modules");
    let medium = medium::find()?;
    let direct = medium.directly().about("the medium")?;
    let Verified { manifest, artefacts, root, development } =
        verify::verify(&verify::Presented { medium: &medium, direct: &direct, trust: &trust, command_line: &command_line }, &stage)?;
    mounts::leave_initrd().about("the first root")?;
    mapper::map("root", &medium.number(), root)
        .and_then(|device| mounts::root(&device))
        .about("the root file system")?;
    stage("root");
    let has_disk = disk::prepare(&manifest, &medium)?;
    lockdown::lock_down()?;
    stage("disk");
    let tables = manifest.artefact("tables").map(|blob| digest::hex(&blob.sha256[..8]));
    banner::show(&banner::Facts { manifest: &manifest, development, tables, has_disk });
    Ok(Machine { manifest, artefacts, has_disk })
}

/// Puts the data disk in order and lets go of it. `Err`: it may need recovery at the next start.
pub fn release(machine: &Machine) -> std::io::Result<()> {
    if machine.has_disk { disk::release() } else { Ok(()) }
}
