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

use crate::digest;
use crate::iso::Iso;
use crate::manifest::{MOST_BYTES, Manifest};
use crate::parameters;
use crate::refusal::{About as _, Checked, refuse};
use crate::trust::{Purpose, Trust};
use std::collections::HashMap;
use std::fs::{self, File};

const MOST_SIGNATURE_BYTES: u64 = 4096;
/// With this word on its command line a system says when it reached each stage, for those who measure the start.
const STAGES_PARAMETER: &str = "capos.stages";
const MANIFEST: &str = "/capos/manifest.bin";
const SIGNATURE: &str = "/capos/manifest.bin.sig";

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
    let trust = Trust::read(&fs::read("/trust.bin").about("trust.bin")?).about("trust.bin")?;
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
    let iso = Iso::open(&medium).about("the medium")?;

    let signature = iso.read(SIGNATURE, MOST_SIGNATURE_BYTES).about(SIGNATURE)?;
    let raw = iso.read(MANIFEST, MOST_BYTES).about(MANIFEST)?;
    let signed = trust.check(Purpose::Image, &raw, &signature).about(MANIFEST)?;
    let manifest = Manifest::read(&raw).about(MANIFEST)?;
    if manifest.system_id != signed.system_id || manifest.version != signed.version {
        return refuse(MANIFEST, "it is signed as another system or version");
    }
    parameters::check(&command_line, &manifest.kernel_parameters).about("the command line")?;

    stage("signature");
    let artefacts = sealed::artefacts(&iso, &manifest)?;
    let root = sealed::root(&iso, &medium, &manifest.root)?;
    stage("digests");
    mounts::leave_initrd().about("the first root")?;
    mapper::map("root", &medium.number(), root)
        .and_then(|device| mounts::root(&device))
        .about("the root file system")?;
    stage("root");
    let has_disk = disk::prepare(&manifest, &medium)?;
    lockdown::lock_down()?;
    stage("disk");
    let tables = manifest.artefact("tables").map(|blob| digest::hex(&blob.sha256[..8]));
    banner::show(&banner::Facts { manifest: &manifest, development: trust.development, tables, has_disk });
    Ok(Machine { manifest, artefacts, has_disk })
}

/// Puts the data disk in order and lets go of it. `Err`: it may need recovery at the next start.
pub fn release(machine: &Machine) -> std::io::Result<()> {
    if machine.has_disk { disk::release() } else { Ok(()) }
}
