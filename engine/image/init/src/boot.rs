//! Runs the start of the machine, from the first process of init to a verified root. This module starts no service, and uses no data before it is
//! checked. Security depends on the order: modules, medium, signature, command line, digests, how the machine was started,
//! hash trees, root, data disk, rollback floor, lockdown.

mod announcements;
pub(crate) mod banner;
pub(crate) mod devices;
pub(crate) mod disk;
pub mod floor;
mod kept;
pub(crate) mod keys;
mod lockdown;
pub(crate) mod loops;
pub(crate) mod mapper;
pub mod medium;
mod modules;
pub mod mounts;
pub mod network;
mod nodes;
mod passphrase;
pub mod places;
pub mod room;
pub(crate) mod running;
mod screen;
mod sealed;
pub(crate) mod secure_boot;
pub(crate) mod tree;
pub mod verify;
pub mod verity;
mod weights;

use crate::digest;
use crate::manifest::{Manifest, TrustLevel};
use crate::refusal::{About as _, Checked, Refusal, refuse};
use crate::jail::NEVER_CHOSEN;
use std::collections::HashMap;
use floor::Floor;
use secure_boot::Start;
use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use verify::Verified;
use verity::Watch;

/// If the command line contains this word, init prints when it reached each stage, for measurements of the start.
const STAGES_PARAMETER: &str = "capos.stages";

/// A machine that is ready to start processes: all bytes that it uses are verified.
pub struct Machine {
    pub manifest: Manifest,
    /// Artefacts by name, in sealed memory.
    pub artefacts: HashMap<String, File>,
    /// Keys of processes by name, in sealed memory.
    pub keys: HashMap<String, File>,
    /// Devices of weights and of their prefilled states, by name; the kernel verifies every read from them.
    pub weights: HashMap<String, String>,
    pub has_disk: bool,
    /// The device of the audit partition, if there is a disk.
    pub partition: Option<String>,
    /// The rollback floor on the data disk; `None` without a disk.
    pub floor: Option<Floor>,
    /// Network card of the one process with a network; `None` if the page has no network or the machine has no card.
    pub card: Option<network::Card>,
    /// Whether control groups count and limit each process. Only a run on a host may lack control groups.
    pub is_counted: bool,
    /// The lowest `oom_score_adj` that a process may get: the kernel kills processes with a low score last.
    pub least_score: i64,
    /// Whether Landlock confines each process to the paths of its jail. Only a run on a host may lack Landlock.
    pub is_confined: bool,
    /// Properties of a machine that a run on a host does not have; empty on a machine.
    pub without: Vec<&'static str>,
}

/// Opens the console. This function runs first, because without a console init cannot print anything.
pub fn open_console() -> std::io::Result<()> {
    mounts::first()?;
    mounts::console()
}

/// Waits if the machine has a screen, because a person could not read the messages of a machine that powers off at once.
pub fn await_reader() {
    screen::await_reader();
}

/// Boots the machine, and returns it with the object that detects corrupt blocks of its medium.
pub fn boot() -> Checked<(Machine, Watch)> {
    let trust = fs::read("/trust.bin").about("trust.bin")?;
    let command_line = fs::read_to_string("/proc/cmdline").about("the command line")?;
    let stage = |name: &str| {
        if command_line.split_ascii_whitespace().any(|word| word == STAGES_PARAMETER) {
            crate::say::say(&format!("stage {name} after {} ms", crate::sys::now()));
        }
    };
    stage("init");
    room::prepare()?;
    modules::load("first")?;
    screen::prepare()?;
    // Without SHA instructions in the processor, loading `sha` would take a quarter of the start time of an emulated machine.
    if std::arch::is_x86_feature_detected!("sha") {
        modules::load("sha")?;
    }
    stage("modules");
    let medium = medium::find()?;
    let presented = verify::Presented { medium: &medium, trust: &trust, command_line: Some(&command_line) };
    let Verified { manifest, artefacts, treed, development } = verify::verify(&presented, &stage)?;
    let start = secure_boot::start().about("the firmware's variables")?;
    require_trust(&manifest, start)?;
    network::load(&manifest.network)?;
    if manifest.encrypted {
        modules::load("crypt")?;
    }
    mounts::leave_initrd().about("the first root")?;
    let mut weights = HashMap::new();
    let mut watch = Watch::begin().about("the kernel's announcements")?;
    for artefact in treed {
        let (name, path) = (artefact.name.clone(), artefact.path.clone());
        let mapped = watch.map(&medium.number(), artefact).about(&path)?;
        if name == manifest.root.name {
            // If the root cannot be mounted because a block of it is corrupt, the refusal names this block.
            mounts::root(&mapped.path).about(&path).map_err(|refusal| watch.spoiled_root(&manifest).unwrap_or(refusal))?;
        } else {
            // Every user may read this device, because only processes with a grant see it.
            fs::set_permissions(&mapped.path, Permissions::from_mode(0o444)).about(&path)?;
            weights.insert(name, mapped.path);
        }
    }
    stage("root");
    let partition = disk::prepare(&manifest, &medium)?;
    let has_disk = partition.is_some();
    let floor = if has_disk { Some(floor_on_disk(&manifest)?) } else { None };
    let keys = keys::prepare(&manifest, has_disk)?;
    lockdown::lock_down()?;
    stage("disk");
    let card = network::prepare(&manifest.network);
    let tables = manifest.artefact("tables").map(|blob| digest::hex(&blob.sha256[..8]));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let was_cut_off = has_disk && running::begin(&manifest.system_id).about("the data disk")?;
    banner::show(&banner::Facts { manifest: &manifest, start, without: &[], development, tables, floor: floor.as_ref(), was_cut_off, card: &card, now, memory: crate::sys::total_memory() });
    let card = card.unwrap_or_default();
    Ok((Machine { manifest, artefacts, keys, weights, has_disk, partition, floor, card, is_counted: true, is_confined: true, least_score: NEVER_CHOSEN, without: Vec::new() }, watch))
}

/// Refuses a start that is not sealed if the page requires a sealed one, even with a valid signature.
pub(crate) fn require_trust(manifest: &Manifest, start: Start) -> Checked<()> {
    match (manifest.trust, start) {
        (TrustLevel::Media, _) | (TrustLevel::Sealed, Start::Sealed) => Ok(()),
        (TrustLevel::Sealed, Start::Media { because }) => refuse("this machine", format!("the system asks to be sealed: {because}")),
    }
}

/// Returns the rollback floor on the data disk. If the image is refused, unmounts the disk cleanly, so no process of the image writes to it.
pub(crate) fn floor_on_disk(manifest: &Manifest) -> Checked<Floor> {
    floor::check(manifest).map_err(|refusal| match disk::release() {
        Ok(()) => refusal,
        Err(error) => Refusal { why: format!("{}; the data disk was not put in order: {error}", refusal.why), ..refusal },
    })
}

/// Flushes and unmounts the data disk. `is_clean` states that everything in progress has ended. Fails if the disk may need recovery at the
/// next start.
pub fn release(machine: &Machine, is_clean: bool) -> std::io::Result<()> {
    if !machine.has_disk {
        return Ok(());
    }
    let ended = if is_clean { running::end(&machine.manifest.system_id) } else { Ok(()) };
    disk::release().and(ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::tests::honest;

    #[test]
    fn a_system_that_requires_a_sealed_start_refuses_other_starts() {
        let mut manifest = honest();
        let media = Start::Media { because: "Secure Boot is off" };
        assert_eq!((require_trust(&manifest, media), require_trust(&manifest, Start::Sealed)), (Ok(()), Ok(())));
        manifest.trust = TrustLevel::Sealed;
        assert_eq!(require_trust(&manifest, Start::Sealed), Ok(()));
        let refused = require_trust(&manifest, media).unwrap_err().to_string();
        assert_eq!(refused, "refused: this machine — the system asks to be sealed: Secure Boot is off");
    }
}
