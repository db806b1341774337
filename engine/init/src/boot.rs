//! From the kernel's first process to a verified root: nothing here starts a service, and nothing is used before it is
//! checked. The order is the security property: modules, medium, signature, command line, digests, hash trees, root, data
//! disk, lockdown.

mod announcements;
mod banner;
mod devices;
mod disk;
mod lockdown;
mod mapper;
pub mod medium;
mod modules;
mod mounts;
mod sealed;
pub mod verify;
pub mod verity;

use crate::digest;
use crate::manifest::Manifest;
use crate::refusal::{About as _, Checked};
use std::collections::HashMap;
use std::fs::{self, File};
use verify::Verified;
use verity::Watch;

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
    /// Artefacts by name: in sealed memory, or a device that the kernel checks at each read.
    pub artefacts: HashMap<String, File>,
    pub has_disk: bool,
    /// The device of the audit's partition, where there is a disk.
    pub partition: Option<String>,
}

/// The first act: without it there is no way to say anything.
pub fn open_console() -> std::io::Result<()> {
    mounts::first()?;
    mounts::console()
}

/// The machine, and the watch over what it reads from the medium.
pub fn boot() -> Checked<(Machine, Watch)> {
    let trust = fs::read("/trust.bin").about("trust.bin")?;
    let command_line = fs::read_to_string("/proc/cmdline").about("the command line")?;
    let stage = |name: &str| {
        if command_line.split_ascii_whitespace().any(|word| word == STAGES_PARAMETER) {
            crate::supervise::say(&format!("stage {name} after {} ms", crate::sys::now()));
        }
    };
    stage("init");
    modules::load("first")?;
    // Without the instructions the module's other forms are loaded, which cost an emulated machine a quarter of its start.
    if std::arch::is_x86_feature_detected!("sha") {
        modules::load("sha")?;
    }
    stage("modules");
    let medium = medium::find()?;
    let presented = verify::Presented { medium: &medium, trust: &trust, command_line: &command_line };
    let Verified { manifest, mut artefacts, treed, development } = verify::verify(&presented, &stage)?;
    mounts::leave_initrd().about("the first root")?;
    let mut watch = Watch::begin().about("the kernel's announcements")?;
    for artefact in treed {
        let (name, path) = (artefact.name.clone(), artefact.path.clone());
        let mapped = watch.map(&medium.number(), artefact).about(&path)?;
        if name == manifest.root.name {
            // What cannot be mounted may be spoiled, and then it is told which block.
            mounts::root(&mapped.path).about(&path).map_err(|refusal| watch.spoiled_root(&manifest).unwrap_or(refusal))?;
        } else {
            artefacts.insert(name, File::open(&mapped.path).about(&path)?);
        }
    }
    stage("root");
    let partition = disk::prepare(&manifest, &medium)?;
    let has_disk = partition.is_some();
    lockdown::lock_down()?;
    stage("disk");
    let tables = manifest.artefact("tables").map(|blob| digest::hex(&blob.sha256[..8]));
    banner::show(&banner::Facts { manifest: &manifest, development, tables, has_disk });
    Ok((Machine { manifest, artefacts, has_disk, partition }, watch))
}

/// Puts the data disk in order and lets go of it. `Err`: it may need recovery at the next start.
pub fn release(machine: &Machine) -> std::io::Result<()> {
    if machine.has_disk { disk::release() } else { Ok(()) }
}
