//! Makes devices of extents of other devices, with the device mapper's requests, because Debian's kernels do not support the
//! parameter `dm-mod.create=`. Loop devices are not used: memory would contain every page of a file twice.

use super::nodes;
use crate::iso::Extent;
use crate::sys::check;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::sync::OnceLock;

/// C struct `dm_ioctl` has 312 bytes; its target specifications follow.
const HEADER: usize = 312;
const TARGET: usize = 40;
const BUFFER: usize = 4096;
/// Maximum bytes of a device's name: the kernel's `DM_NAME_LEN` without the terminating zero byte.
const MOST_NAME: usize = 127;

/// Numbers of the requests: `_IOWR(0xfd, number, struct dm_ioctl)`.
const CREATE: u64 = 3;
const REMOVE: u64 = 4;
const RESUME: u64 = 6;
const LOAD: u64 = 9;
const STATUS: u64 = 12;
const TARGET_VERSION: u64 = 17;

/// Flag: the device is read-only. `SECURE_DATA` makes the kernel wipe its buffer of the request, which may contain a key.
const READ_ONLY: u32 = 1 << 0;
const SECURE_DATA: u32 = 1 << 15;
/// Flag: the kernel removes the device when no process has it open any more.
const DEFERRED_REMOVE: u32 = 1 << 17;

/// Prefix of the names of all devices, which distinguishes several runs on one host. A machine sets no prefix.
static RUN: OnceLock<String> = OnceLock::new();

/// Sets the prefix of the names of all devices. Must be called once, before the first device is made.
pub fn begin_names(run: &str) {
    let _ = RUN.set(run.into());
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    ReadOnly,
    Writable,
}

/// The only target of a device: a range of sectors of 512 bytes.
pub struct Target<'t> {
    /// The value is `linear`, `verity` or `crypt`.
    pub kind: &'t str,
    pub sectors: u64,
    pub parameters: &'t str,
}

pub struct Mapped {
    /// Number in the form `major:minor`, as tables name devices.
    pub number: String,
    pub path: String,
    /// The open loop device, which the kernel removes when no process has it open; `None` for a device that stays.
    pub held: Option<File>,
}

impl Mapped {
    /// Keeps the device until this process ends, and returns its path.
    pub fn keep(self) -> String {
        std::mem::forget(self.held);
        self.path
    }

    /// Removes the device, which was made with this name. No process may use the device.
    pub fn remove(self, name: &str) -> io::Result<()> {
        if self.held.is_some() { Ok(()) } else { remove(name) }
    }
}

/// Returns an extent of a device as a separate device.
pub fn linear(name: &str, device_number: &str, extent: Extent, access: Access) -> io::Result<Mapped> {
    let parameters = format!("{device_number} {}", extent.offset / 512);
    map(name, access, &Target { kind: "linear", sectors: extent.size / 512, parameters: &parameters })
}

/// Makes the device `name`. The device's table is wiped from init's memory after use, because it may contain a key.
pub fn map(name: &str, access: Access, target: &Target<'_>) -> io::Result<Mapped> {
    let flags = if access == Access::ReadOnly { READ_ONLY } else { 0 };
    let mut load = table(name, flags, target)?;
    let control = control()?;
    let created = request(&control, CREATE, &mut empty(name, flags)?)?;
    let loaded = request(&control, LOAD, &mut load);
    wipe(&mut load);
    loaded?;
    request(&control, RESUME, &mut empty(name, flags)?)?;
    let (major, minor) = (libc::major(created), libc::minor(created));
    let path = format!("/dev/dm-{minor}");
    nodes::show(&path, created)?;
    Ok(Mapped { number: format!("{major}:{minor}"), path, held: None })
}

/// Removes a device that no process uses.
fn remove(name: &str) -> io::Result<()> {
    request(&control()?, REMOVE, &mut empty(name, 0)?).map(drop)
}

/// Removes a device when no process uses it any more.
pub fn remove_later(name: &str) -> io::Result<()> {
    request(&control()?, REMOVE, &mut empty(name, DEFERRED_REMOVE)?).map(drop)
}

/// Fails if the kernel has no devices of this kind, such as `verity`. The kernel may load the module for this kind.
pub fn require(kind: &str) -> io::Result<()> {
    let mut bytes = empty("", 0)?;
    place(&mut bytes[48..48 + MOST_NAME], kind)?;
    request(&control()?, TARGET_VERSION, &mut bytes).map(drop)
}

/// Returns the status that the one target of a device reports. Fails if the request fails or the status is malformed.
pub fn status(name: &str) -> io::Result<String> {
    let mut buffer = empty(name, 0)?;
    request(&control()?, STATUS, &mut buffer)?;
    let start = u32::from_ne_bytes([buffer[16], buffer[17], buffer[18], buffer[19]]) as usize + TARGET;
    let text = buffer.get(start..).and_then(|rest| rest.split(|&byte| byte == 0).next());
    let text = text.and_then(|bytes| std::str::from_utf8(bytes).ok());
    text.map(String::from).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
}

fn control() -> io::Result<File> {
    File::options().read(true).write(true).open("/dev/mapper/control")
}

fn empty(name: &str, flags: u32) -> io::Result<[u8; BUFFER]> {
    let mut bytes = [0u8; BUFFER];
    bytes[0..4].copy_from_slice(&4u32.to_ne_bytes()); // version 4.0.0
    bytes[12..16].copy_from_slice(&(BUFFER as u32).to_ne_bytes());
    bytes[16..20].copy_from_slice(&(HEADER as u32).to_ne_bytes());
    bytes[28..32].copy_from_slice(&flags.to_ne_bytes());
    if !name.is_empty() {
        let run = RUN.get().map_or("", String::as_str);
        place(&mut bytes[48..48 + MOST_NAME], &format!("{run}{name}"))?;
    }
    Ok(bytes)
}

fn table(name: &str, flags: u32, target: &Target<'_>) -> io::Result<[u8; BUFFER]> {
    let mut bytes = empty(name, flags | SECURE_DATA)?;
    bytes[20..24].copy_from_slice(&1u32.to_ne_bytes()); // one target
    bytes[HEADER + 8..HEADER + 16].copy_from_slice(&target.sectors.to_ne_bytes());
    place(&mut bytes[HEADER + 24..HEADER + TARGET - 1], target.kind)?;
    place(&mut bytes[HEADER + TARGET..BUFFER - 1], target.parameters)?;
    Ok(bytes)
}

/// Copies a text into a field of zeros, which must be longer than the text.
fn place(room: &mut [u8], text: &str) -> io::Result<()> {
    let room = room.get_mut(..text.len()).ok_or(io::ErrorKind::InvalidInput)?;
    room.copy_from_slice(text.as_bytes());
    Ok(())
}

fn wipe(bytes: &mut [u8; BUFFER]) {
    for byte in bytes {
        // SAFETY: `byte` is a valid reference. No code reads the zeros, so a plain write could be optimized away.
        unsafe { std::ptr::write_volatile(byte, 0) };
    }
}

/// Sends a request, and returns the device number from the response.
fn request(control: &File, number: u64, bytes: &mut [u8; BUFFER]) -> io::Result<u64> {
    let request = (3 << 30) | ((HEADER as u64) << 16) | (0xfd << 8) | number;
    // SAFETY: the buffer has the length that its header states.
    check(unsafe { libc::ioctl(control.as_raw_fd(), request, bytes.as_mut_ptr()) })?;
    Ok(u64::from_ne_bytes([bytes[40], bytes[41], bytes[42], bytes[43], bytes[44], bytes[45], bytes[46], bytes[47]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_table_contains_its_parameters_and_parameters_that_do_not_fit_are_refused() {
        let target = Target { kind: "linear", sectors: 8, parameters: "254:0 64" };
        let bytes = table("root", READ_ONLY, &target).unwrap();
        assert_eq!((&bytes[48..53], &bytes[HEADER + 24..HEADER + 31]), (&b"root\0"[..], &b"linear\0"[..]));
        assert_eq!(&bytes[HEADER + TARGET..HEADER + TARGET + 9], b"254:0 64\0");
        assert_eq!(bytes[28] & READ_ONLY as u8, 1);
        assert!(table(&"x".repeat(128), 0, &target).is_err());
        assert!(table("root", 0, &Target { kind: "more-than-fifteen", ..target }).is_err());
        assert!(table("root", 0, &Target { parameters: &"x".repeat(BUFFER), ..target }).is_err());
    }
}
