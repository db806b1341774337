//! Restricts a process's access to files, by their paths, with a Landlock ruleset, which the kernel enforces. All rights of
//! Landlock 2 are removed, and granted again only for the listed paths. Landlock needs only three calls and two structs. A
//! crate for Landlock would be larger, and it ignores features that a kernel lacks, which must not happen here.

use crate::sys::{call, check};
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};

/// Version 2 is the first one whose rules allow moving a file between folders.
pub const LEAST_VERSION: i64 = 2;

pub const RUN: u64 = EXECUTE | READ_FILE;
pub const READ: u64 = READ_FILE;
pub const LIST: u64 = READ_DIR;
pub const WRITE: u64 = WRITE_FILE;
/// Rights to make, move and remove plain files and folders, but not devices, sockets, pipes or links.
pub const MAKE: u64 = REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER;

const EXECUTE: u64 = 1 << 0;
const WRITE_FILE: u64 = 1 << 1;
const READ_FILE: u64 = 1 << 2;
const READ_DIR: u64 = 1 << 3;
const REMOVE_DIR: u64 = 1 << 4;
const REMOVE_FILE: u64 = 1 << 5;
const MAKE_DIR: u64 = 1 << 7;
const MAKE_REG: u64 = 1 << 8;
const REFER: u64 = 1 << 13;
/// All rights of version 2. Rights without a constant in this file are never granted.
const ALL: u64 = (1 << 14) - 1;
/// Rights for a file that is not a folder.
const OF_FILES: u64 = EXECUTE | WRITE_FILE | READ_FILE;

const VERSION_ASKED: i64 = 1;
const PATH_BENEATH: i64 = 1;

#[derive(Debug)]
pub struct Place {
    pub path: &'static CStr,
    pub rights: u64,
}

#[repr(C)]
struct Ruleset {
    handled: u64,
}

#[repr(C, packed)]
struct Beneath {
    allowed: u64,
    parent: RawFd,
}

/// Returns the Landlock version of this kernel. Fails if the kernel has no Landlock, or Landlock is disabled.
pub fn version() -> io::Result<i64> {
    // SAFETY: without a struct and with this flag, the call only returns the version.
    unsafe { call(libc::SYS_landlock_create_ruleset, [0, 0, VERSION_ASKED, 0, 0]) }
}

/// Confines the calling thread, and all threads and processes that it starts, to these paths. The thread must have set `no_new_privs` before.
pub fn confine<'a>(places: impl Iterator<Item = (&'a CStr, u64)>) -> io::Result<()> {
    let attributes = Ruleset { handled: ALL };
    // SAFETY: the pointer is to a struct of the stated size; nothing else owns the new descriptor.
    let ruleset = unsafe {
        let size = size_of::<Ruleset>() as i64;
        OwnedFd::from_raw_fd(call(libc::SYS_landlock_create_ruleset, [&raw const attributes as i64, size, 0, 0, 0])? as RawFd)
    };
    for (path, rights) in places {
        allow(&ruleset, path, rights)?;
    }
    // SAFETY: the ruleset is open, and there are no flags.
    unsafe { call(libc::SYS_landlock_restrict_self, [ruleset.as_raw_fd().into(), 0, 0, 0, 0]) }.map(drop)
}

fn allow(ruleset: &OwnedFd, path: &CStr, rights: u64) -> io::Result<()> {
    // SAFETY: the pointer is to a C string; nothing else owns the new descriptor.
    let parent = unsafe { OwnedFd::from_raw_fd(check(libc::open(path.as_ptr(), libc::O_PATH | libc::O_CLOEXEC))?) };
    let rights = if is_folder(&parent)? { rights } else { rights & OF_FILES };
    let beneath = Beneath { allowed: rights, parent: parent.as_raw_fd() };
    // SAFETY: the pointer is to the struct that this kind of rule expects.
    unsafe {
        call(libc::SYS_landlock_add_rule, [ruleset.as_raw_fd().into(), PATH_BENEATH, &raw const beneath as i64, 0, 0])
    }
    .map(drop)
}

fn is_folder(descriptor: &OwnedFd) -> io::Result<bool> {
    // SAFETY: the call fills the zeroed struct.
    unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        check(libc::fstat(descriptor.as_raw_fd(), &mut status))?;
        Ok(status.st_mode & libc::S_IFMT == libc::S_IFDIR)
    }
}
