//! Opens an encrypted data disk. The disk's only partition is LUKS2, and contains a disk like a plain one, with its own
//! partition table. So one passphrase covers files and audit, and everything else works as on a plain disk.

use super::settings::THE_DISK;
use crate::boot::devices::Device;
use crate::boot::mapper::{self, Access, Mapped, Target};
use crate::boot::passphrase::ask;
use crate::gpt::{Kind, Table};
use crate::iso::Extent;
use crate::luks::{Locked, Opened, Secret};
use crate::refusal::{About as _, Checked, refuse};
use crate::say::say;
use std::io;

const TRIES: usize = 3;
/// Minimum characters of a new passphrase. A thief of the disk can buy any number of computers to guess the passphrase; argon2id makes eight characters costly to guess.
const LEAST_CHARACTERS: usize = 8;

/// Asks for the passphrase, at most three times, and returns the disk inside the encrypted partition.
pub fn open(device: &Device, name: &str) -> Checked<Device> {
    let table = Table::read(device).map_err(|why| format!("{}: {why}", device.name)).about(THE_DISK)?;
    let Some(found) = table.named(name).filter(|partition| partition.kind == Some(Kind::Encrypted)) else {
        return refuse(THE_DISK, format!("{}: the partition {name} is not encrypted, and the system asks for it", device.name));
    };
    let partition = partition(device, found.extent).about(THE_DISK)?;
    let locked = Locked::read(&partition).about(THE_DISK)?;
    for left in (0..TRIES).rev() {
        let passphrase = ask(&format!("passphrase of {name}"))?;
        let opened = passphrase.map(|passphrase| locked.open(&partition, &passphrase)).transpose().about(THE_DISK)?;
        if let Some(opened) = opened.flatten() {
            return map(&partition, &opened).about(THE_DISK);
        }
        if left > 0 {
            say(&format!("that is not its passphrase; {left} {} left", if left == 1 { "try is" } else { "tries are" }));
        }
    }
    refuse(THE_DISK, "its passphrase was wrong three times")
}

/// Asks for the passphrase of a new disk, until both entries are equal.
pub fn new_passphrase(name: &str) -> Checked<Secret> {
    for _ in 0..TRIES {
        let Some(first) = ask(&format!("new passphrase of {name}"))? else {
            say("that is longer than 512 bytes");
            continue;
        };
        // A character of UTF-8 may have several bytes; only its first byte is counted, so that the limit is one of characters.
        if first.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() < LEAST_CHARACTERS {
            say(&format!("that is shorter than {LEAST_CHARACTERS} characters"));
            continue;
        }
        match ask("once more")? {
            Some(second) if second == first => return Ok(first),
            _ => say("these are not alike"),
        }
    }
    refuse("the new data disk", "no passphrase was typed twice alike")
}

/// Returns the encrypted partition as its own device.
pub fn partition(device: &Device, extent: Extent) -> io::Result<Device> {
    device_of(&mapper::linear("locked", &device.number(), extent, Access::Writable)?)
}

/// Returns the disk inside an opened partition.
pub fn map(partition: &Device, opened: &Opened) -> io::Result<Device> {
    let parameters = opened.parameters(&partition.number());
    let target = Target { kind: "crypt", sectors: opened.extent.size / 512, parameters: &parameters };
    device_of(&mapper::map("unlocked", Access::Writable, &target)?)
}

fn device_of(mapped: &Mapped) -> io::Result<Device> {
    Device::open(mapped.path.trim_start_matches("/dev/"))
}
