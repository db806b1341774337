//! Reads the kernel's announcements about its devices: new devices, and blocks that fail verification.

use crate::sys;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

/// Size in bytes of the buffer for one announcement. Every announcement is shorter: one line, and variables of at most 2 KiB, which is the kernel's limit.
pub const MOST_BYTES: usize = 8192;

/// Returns a non-blocking socket on which announcements can be read.
pub fn listen() -> io::Result<OwnedFd> {
    let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: nothing else owns the new socket; the address is a complete struct of its family.
    unsafe {
        let socket = sys::check(libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_KOBJECT_UEVENT))?;
        let socket = OwnedFd::from_raw_fd(socket);
        let mut address: libc::sockaddr_nl = std::mem::zeroed();
        address.nl_family = libc::AF_NETLINK as u16;
        address.nl_groups = 1;
        let size = size_of::<libc::sockaddr_nl>() as libc::socklen_t;
        sys::check(libc::bind(socket.as_raw_fd(), (&raw const address).cast(), size))?;
        Ok(socket)
    }
}
