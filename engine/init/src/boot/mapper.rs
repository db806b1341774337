//! A linear map over one extent of a device, by the device mapper's own requests: `dm-mod.create=` is compiled out of
//! Debian's kernels. Not a loop device: that would keep every page twice.

use crate::iso::Extent;
use crate::sys::check;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;

/// `struct dm_ioctl` is 312 bytes; its target specifications follow.
const HEADER: usize = 312;
const TARGET: usize = 40;
const BUFFER: usize = 4096;
const READ_ONLY: u32 = 1;

/// Numbers of the requests: `_IOWR(0xfd, number, struct dm_ioctl)`.
const CREATE: u64 = 3;
const RESUME: u64 = 6;
const LOAD: u64 = 9;

/// Maps the extent read-only; returns the path of the new device.
pub fn map(name: &str, device_number: &str, extent: Extent) -> io::Result<String> {
    linear(name, device_number, extent, READ_ONLY)
}

/// The same for an extent that is written to.
pub fn map_writable(name: &str, device_number: &str, extent: Extent) -> io::Result<String> {
    linear(name, device_number, extent, 0)
}

fn linear(name: &str, device_number: &str, extent: Extent, flags: u32) -> io::Result<String> {
    let empty = |name: &str| empty(name, flags);
    let control = File::options().read(true).write(true).open("/dev/mapper/control")?;
    let created = request(&control, CREATE, &mut empty(name))?;
    let mut load = empty(name);
    load[20..24].copy_from_slice(&1u32.to_ne_bytes()); // one target
    load[HEADER + 8..HEADER + 16].copy_from_slice(&(extent.size / 512).to_ne_bytes());
    load[HEADER + 24..HEADER + 30].copy_from_slice(b"linear");
    let parameters = format!("{device_number} {}\0", extent.offset / 512);
    load[HEADER + TARGET..HEADER + TARGET + parameters.len()].copy_from_slice(parameters.as_bytes());
    request(&control, LOAD, &mut load)?;
    request(&control, RESUME, &mut empty(name))?;
    Ok(format!("/dev/dm-{}", libc::minor(created)))
}

fn empty(name: &str, flags: u32) -> [u8; BUFFER] {
    let mut bytes = [0u8; BUFFER];
    bytes[0..4].copy_from_slice(&4u32.to_ne_bytes()); // version 4.0.0
    bytes[12..16].copy_from_slice(&(BUFFER as u32).to_ne_bytes());
    bytes[16..20].copy_from_slice(&(HEADER as u32).to_ne_bytes());
    bytes[28..32].copy_from_slice(&flags.to_ne_bytes());
    bytes[48..48 + name.len()].copy_from_slice(name.as_bytes());
    bytes
}

/// Returns the number of the device that the answer names.
fn request(control: &File, number: u64, bytes: &mut [u8; BUFFER]) -> io::Result<u64> {
    let request = (3 << 30) | ((HEADER as u64) << 16) | (0xfd << 8) | number;
    // SAFETY: the buffer is as long as it says of itself.
    check(unsafe { libc::ioctl(control.as_raw_fd(), request, bytes.as_mut_ptr()) })?;
    Ok(u64::from_ne_bytes([bytes[40], bytes[41], bytes[42], bytes[43], bytes[44], bytes[45], bytes[46], bytes[47]]))
}
