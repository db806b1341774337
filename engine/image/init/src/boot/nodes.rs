//! Makes device files.

use crate::sys::{check, text};
use std::io;

/// Makes a device file if there is none. On a machine the kernel makes these files, but not in the separate `/dev` of a run on a host.
pub fn show(path: &str, number: libc::dev_t) -> io::Result<()> {
    let path = text(path)?;
    // SAFETY: the pointer is to a C string.
    match check(unsafe { libc::mknod(path.as_ptr(), libc::S_IFBLK | 0o600, number) }) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// Parses `major:minor`.
pub fn parse_number(text: &str) -> io::Result<libc::dev_t> {
    let number = text.split_once(':').and_then(|(major, minor)| Some(libc::makedev(major.parse().ok()?, minor.parse().ok()?)));
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}
