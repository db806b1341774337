//! Reads block devices as media, and finds the only device that meets a condition, such as to be blank.

use super::loops;
use super::mapper::{self, Access, Mapped};
use crate::iso::{Extent, Medium};
use crate::refusal::{About as _, Checked, refuse};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::FileExt as _;

pub struct Device {
    pub name: String,
    file: File,
    size: u64,
    /// The file on a host, if this is a loop device; `None` for a disk.
    backing: Option<File>,
}

/// Value of `_IOR(0x12, 114, size_t)`.
const BLKGETSIZE64: libc::c_ulong = 0x8008_1272;

impl Device {
    pub fn open(name: &str) -> io::Result<Self> {
        let file = File::open(format!("/dev/{name}"))?;
        let mut size = 0u64;
        // SAFETY: the request writes one 64-bit number.
        crate::sys::check(unsafe { libc::ioctl(file.as_raw_fd(), BLKGETSIZE64, &mut size) })?;
        Ok(Self { name: name.into(), file, size, backing: None })
    }

    /// Returns a whole file as a device, which exists as long as a process has it open.
    pub fn of_file(backing: File) -> io::Result<Self> {
        let attached = loops::attach(&backing, Extent { offset: 0, size: 0 }, Access::Writable)?;
        let device = Self::open(attached.path.trim_start_matches("/dev/"))?;
        Ok(Self { backing: Some(backing), ..device })
    }

    /// Returns an extent of the device as a separate device.
    pub fn part(&self, name: &str, extent: Extent) -> io::Result<Mapped> {
        match &self.backing {
            Some(file) => loops::attach(file, extent, Access::Writable),
            None => mapper::linear(name, &self.number(), extent, Access::Writable),
        }
    }

    /// Returns `major:minor`, as the device mapper names devices.
    pub fn number(&self) -> String {
        fs::read_to_string(format!("/sys/class/block/{}/dev", self.name)).unwrap_or_default().trim().into()
    }

    /// Returns whether the kernel reports the device as read-only.
    pub fn is_read_only(&self) -> bool {
        fs::read_to_string(format!("/sys/class/block/{}/ro", self.name)).is_ok_and(|text| text.trim() != "0")
    }
}

impl Medium for Device {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }
}

/// Returns the disk if exactly one matches, and `None` if no disk matches. Refuses if two disks match, because either may be a trap.
pub fn the_one(what: &str, is: &str, is_meant: impl Fn(&Device) -> bool) -> Checked<Option<Device>> {
    let mut found = all(is_meant)?;
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => {
            let names: Vec<&str> = found.iter().map(|device| device.name.as_str()).collect();
            refuse(what, format!("more than one {is}: {}", names.join(", ")))
        }
    }
}

/// Returns all matching whole disks, in order. A drive without a disc cannot be opened, and does not count as a disk.
pub fn all(is_meant: impl Fn(&Device) -> bool) -> Checked<Vec<Device>> {
    let names = disks().about("the list of devices")?;
    Ok(names.iter().filter_map(|name| Device::open(name).ok()).filter(is_meant).collect())
}

/// Returns the names of all whole disks, in order. Partitions are left out, because an ISO also appears as its own first partition.
fn disks() -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir("/sys/class/block")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_made_up = ["loop", "ram", "dm-", "zram"].iter().any(|prefix| name.starts_with(prefix));
        if !is_made_up && !entry.path().join("partition").exists() {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
