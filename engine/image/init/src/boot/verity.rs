//! Large artefacts are verified block by block at each read: dm-linear maps the file's extent, and dm-verity verifies
//! that device. A block that was verified once and dropped from memory is verified again when it is read again.
//!
//! A corrupt block never reaches a reader, because the read fails. The kernel could panic instead, but would not name the artefact.
//! So init watches for announcements: it stops the machine if the root is corrupt, and otherwise the processes with the artefact.

use super::announcements;
use super::mapper::{self, Access, Mapped, Target};
use crate::digest::hex;
use crate::iso::Extent;
use crate::manifest::{BLOCK, Blob, Manifest, Verity};
use crate::refusal::Refusal;
use crate::sys;
use std::io;
use std::os::fd::OwnedFd;

/// An artefact of the manifest, and its extent on the medium.
pub struct Treed {
    pub name: String,
    pub path: String,
    pub extent: Extent,
    pub verity: Verity,
}

impl Treed {
    /// Returns the artefact with its extent and hash tree; `None` if it has no tree, and so is verified as a whole.
    pub fn of(blob: &Blob, extent: Extent) -> Option<Self> {
        let verity = blob.verity.clone()?;
        Some(Self { name: blob.name.clone(), path: blob.path.clone(), extent, verity })
    }

    pub(crate) fn device(&self) -> String {
        format!("capos-{}", self.name)
    }

    pub(crate) fn raw_device(&self) -> String {
        format!("{}.raw", self.device())
    }
}

/// The devices with hash trees, and the kernel's announcements about them.
pub struct Watch {
    announcements: OwnedFd,
    watched: Vec<Treed>,
}

/// An artefact with a block that differs from the signed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoiled {
    /// Name of the artefact in the manifest.
    pub name: String,
    pub path: String,
    pub why: String,
}

impl Watch {
    /// Starts to listen for announcements. Must be called before the first device is made, so that no announcement is missed.
    pub fn begin() -> io::Result<Self> {
        Ok(Self { announcements: announcements::listen()?, watched: Vec::new() })
    }

    /// Maps an artefact of the medium `device_number`. Every read from the mapped device is verified.
    pub fn map(&mut self, device_number: &str, artefact: Treed) -> io::Result<Mapped> {
        let name = artefact.device();
        let raw = mapper::linear(&artefact.raw_device(), device_number, artefact.extent, Access::ReadOnly)?;
        let blocks = artefact.verity.blocks();
        let parameters = parameters(&raw.number, &artefact.verity);
        let target = Target { kind: "verity", sectors: blocks * (BLOCK / 512), parameters: &parameters };
        let mapped = mapper::map(&name, Access::ReadOnly, &target)?;
        self.watched.push(artefact);
        Ok(mapped)
    }

    pub fn descriptor(&self) -> &OwnedFd {
        &self.announcements
    }

    /// Returns artefacts found corrupt since the last call. An announcement only wakes init; the device's status decides.
    pub fn spoiled(&mut self) -> Vec<Spoiled> {
        let mut blocks = Vec::new();
        let mut is_announced = false;
        let mut buffer = [0u8; announcements::MOST_BYTES];
        loop {
            match sys::read(&self.announcements, &mut buffer) {
                Ok(size) => {
                    is_announced = true;
                    blocks.extend(announced_block(&buffer[..size]));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // Announcements were lost for lack of space, so at least one had arrived.
                Err(error) if error.raw_os_error() == Some(libc::ENOBUFS) => is_announced = true,
                Err(_) => break,
            }
        }
        if is_announced { self.take_spoiled(&blocks) } else { Vec::new() }
    }

    /// Returns the reason for which the machine cannot continue if the root is corrupt, otherwise `None`.
    pub fn spoiled_root(&mut self, manifest: &Manifest) -> Option<Refusal> {
        self.spoiled().into_iter().find(|spoiled| spoiled.name == manifest.root.name).map(Spoiled::refusal)
    }

    /// Returns the corrupt artefacts, each once: afterwards, a corrupt artefact is not watched any more.
    fn take_spoiled(&mut self, blocks: &[String]) -> Vec<Spoiled> {
        let (spoiled, sound) = std::mem::take(&mut self.watched)
            .into_iter()
            .partition(|artefact| !mapper::status(&artefact.device()).is_ok_and(|status| status.trim() == "V"));
        self.watched = sound;
        let spoiled: Vec<Treed> = spoiled;
        let block = blocks.first().map_or("a block", String::as_str);
        spoiled
            .into_iter()
            .map(|Treed { name, path, .. }| Spoiled { name, path, why: format!("{block} is not what the manifest says") })
            .collect()
    }
}

impl Spoiled {
    pub fn refusal(self) -> Refusal {
        Refusal { what: self.path, why: self.why }
    }
}

/// Returns the table of a device: hash type 1, data and tree on one device, no superblock. By default a corrupt block fails
/// the read and is announced. `check_at_most_once` is omitted, so that each read is verified.
fn parameters(device: &str, verity: &Verity) -> String {
    let blocks = verity.blocks();
    let salt = if verity.salt.is_empty() { "-".into() } else { hex(&verity.salt) };
    format!("1 {device} {device} {BLOCK} {BLOCK} {blocks} {blocks} sha256 {} {salt}", hex(&verity.root_hash))
}

/// Returns the block of a verification failure that the kernel announces as `DM_VERITY_ERR_BLOCK_NR=KIND,NUMBER`; `None` for other messages.
fn announced_block(message: &[u8]) -> Option<String> {
    let words = message.split(|&byte| byte == 0).filter_map(|word| std::str::from_utf8(word).ok());
    let (kind, number) = words.filter_map(|word| word.strip_prefix("DM_VERITY_ERR_BLOCK_NR=")).next()?.split_once(',')?;
    let number: u64 = number.parse().ok()?;
    Some(if kind == "0" { format!("its block {number}") } else { format!("block {number}, of its hash tree,") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_table_for_verity_contains_sizes_and_digest_and_salt_and_verifies_every_block() {
        let mut verity = Verity { content_bytes: 8193, salt: vec![0xab], root_hash: [7; 32] };
        let hash = "07".repeat(32);
        assert_eq!(parameters("254:0", &verity), format!("1 254:0 254:0 4096 4096 3 3 sha256 {hash} ab"));
        verity.salt.clear();
        assert!(parameters("254:0", &verity).ends_with(&format!("{hash} -")));
    }

    #[test]
    fn the_announcement_of_a_verification_failure_names_the_block() {
        let message = |value: &str| format!("change@/devices/virtual/block/dm-1\0ACTION=change\0DM_VERITY_ERR_BLOCK_NR={value}\0");
        assert_eq!(announced_block(message("0,17").as_bytes()).as_deref(), Some("its block 17"));
        assert_eq!(announced_block(message("1,3").as_bytes()).as_deref(), Some("block 3, of its hash tree,"));
        for odd in [&b"add@/devices/x\0ACTION=add\0"[..], message("0").as_bytes(), message("0,x").as_bytes(), b"", &[0xff; 64]] {
            assert_eq!(announced_block(odd), None);
        }
    }
}
