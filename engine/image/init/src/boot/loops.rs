//! Makes loop devices from extents of files, for a run on a host, where disks and the image are files.

use super::mapper::{Access, Mapped};
use super::nodes;
use crate::iso::Extent;
use crate::sys::check;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;

/// Requests of `linux/loop.h`.
const CTL_GET_FREE: libc::c_ulong = 0x4C82;
const CONFIGURE: libc::c_ulong = 0x4C0A;
const READ_ONLY: u32 = 1;
/// Flag: the kernel removes the device when no process has it open any more.
const AUTOCLEAR: u32 = 4;

/// Maximum attempts to take a free device; an attempt fails if another program of the host takes the device first.
const TRIES: usize = 64;

/// C struct `loop_config`, with its `loop_info64`.
#[repr(C)]
struct Configuration {
    file: u32,
    block_size: u32,
    device: u64,
    inode: u64,
    real_device: u64,
    offset: u64,
    size: u64,
    number: u32,
    no_encryption: [u32; 2],
    flags: u32,
    names: [u8; 160],
    unused: [u64; 10],
}

/// Returns an extent of a file as a device; a size of 0 means the rest of the file.
pub fn attach(file: &File, Extent { offset, size }: Extent, access: Access) -> io::Result<Mapped> {
    let (is_writable, flags) = match access {
        Access::ReadOnly => (false, AUTOCLEAR | READ_ONLY),
        Access::Writable => (true, AUTOCLEAR),
    };
    let configuration = Configuration {
        file: file.as_raw_fd() as u32,
        block_size: 0,
        device: 0,
        inode: 0,
        real_device: 0,
        offset,
        size,
        number: 0,
        no_encryption: [0; 2],
        flags,
        names: [0; 160],
        unused: [0; 10],
    };
    let control = File::options().read(true).write(true).open("/dev/loop-control")?;
    for _ in 0..TRIES {
        // SAFETY: the request has no argument.
        let free = check(unsafe { libc::ioctl(control.as_raw_fd(), CTL_GET_FREE) })?;
        let number = fs::read_to_string(format!("/sys/class/block/loop{free}/dev"))?.trim().to_owned();
        let path = format!("/dev/loop{free}");
        nodes::show(&path, nodes::parse_number(&number)?)?;
        let held = File::options().read(true).write(is_writable).open(&path)?;
        // SAFETY: the request reads this struct; the descriptor in it is open.
        match check(unsafe { libc::ioctl(held.as_raw_fd(), CONFIGURE, &configuration) }) {
            Ok(_) => return Ok(Mapped { number, path, held: Some(held) }),
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no loop device is free"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_struct_for_a_loop_device_has_the_size_and_offsets_that_the_kernel_expects() {
        assert_eq!(size_of::<Configuration>(), 304);
        assert_eq!(std::mem::offset_of!(Configuration, offset), 8 + 24);
        assert_eq!(std::mem::offset_of!(Configuration, flags), 8 + 52);
    }
}
