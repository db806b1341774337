//! Limits the data of each process on the data disk, by the file system's own quotas. Each directory is a project, to which
//! all files in it belong. A write beyond the project's limit fails in the kernel, even if another process makes it.
//!
//! The file system on a disk of an older image has no projects. Init sets its feature bit for projects. At each start,
//! init makes the quota file of such a file system again, and counts its files by a walk. A file system that cannot have
//! projects is refused, because services could store data without a limit in it.

use super::settings::{FILE_SYSTEM_OPTIONS, FLAGS};
use crate::boot::kept;
use crate::sys::{check, mount, text, unmount};
use sha2::{Digest as _, Sha256};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

/// Bytes of one block of the file system. Files are counted in whole blocks; an empty file counts as one block.
pub const BLOCK: u64 = 4096;
/// A project's limit of files and directories is its limit of blocks plus this number.
const MORE_INODES: u64 = 64;

const OPTIONS: &str = "errors=remount-ro,prjquota";

/// From `linux/quota.h`: the quotas of projects, the third kind after users and groups, and the requests for quotas.
const PROJECTS: libc::c_int = 2;
const Q_QUOTAON: libc::c_int = 0x80_0002;
const Q_SETQUOTA: libc::c_int = 0x80_0008;
const FORMAT: u32 = 4; // QFMT_VFS_V1
const BLOCK_LIMITS: u32 = 1;
const SPACE: u32 = 2;
const INODE_LIMITS: u32 = 4;
const INODES: u32 = 8;

/// From `linux/fs.h`.
const FS_IOC_SETFLAGS: libc::c_ulong = 0x4008_6602;
const FS_IOC_FSGETXATTR: libc::c_ulong = 0x801c_581f;
const FS_IOC_FSSETXATTR: libc::c_ulong = 0x401c_5820;
const INHERITED: u32 = 0x200;

/// An empty quota file of projects, as `quotacheck` makes one: a header, an unused grace period of a week, and a tree without leaves.
const EMPTY_COUNT: [u32; 8] = [0xd9c0_3f14, 1, 604_800, 604_800, 0, 2, 0, 0];
const EMPTY_COUNT_BYTES: usize = 2048;
const FOLDER: [&str; 2] = [".capos", "quota"];
const COUNT: &str = "projects";

/// Bytes and inodes that a directory uses.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Used {
    pub bytes: u64,
    pub inodes: u64,
}

/// The mounted file system of the data disk.
pub struct Quotas {
    device: String,
    /// Whether existing files must be counted, because the file system does not count by itself.
    pub is_counted: bool,
}

impl Quotas {
    /// Mounts the file system of `device` at `at`, with projects.
    pub fn mount(device: &str, at: &str) -> io::Result<Self> {
        let features = ready(device, at)?;
        mount(device, at, "ext4", FLAGS, OPTIONS)?;
        let quotas = Self { device: device.into(), is_counted: features & superblock::QUOTA == 0 };
        if quotas.is_counted {
            quotas.begin_count(Path::new(at))?;
        }
        Ok(quotas)
    }

    /// Writes an empty quota file. First clears the immutable flag, which the kernel sets on the file while it counts.
    fn begin_count(&self, disk: &Path) -> io::Result<()> {
        let folder = kept::make_folders(disk, &FOLDER)?;
        let path = folder.join(COUNT);
        if let Some(old) = opened(&path)? {
            let none: libc::c_long = 0;
            // SAFETY: the request reads one number of that size.
            check(unsafe { libc::ioctl(old.as_raw_fd(), FS_IOC_SETFLAGS, &none) })?;
        }
        let mut bytes: Vec<u8> = EMPTY_COUNT.iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.resize(EMPTY_COUNT_BYTES, 0);
        kept::write(&folder, COUNT, &bytes)?;
        let path = text(path.to_str().ok_or(io::ErrorKind::InvalidInput)?)?;
        // SAFETY: the path is a C string that outlives the call.
        unsafe { self.request(Q_QUOTAON, FORMAT, path.as_ptr().cast()) }
    }

    /// Sets a project's limit; `None` means no limit. `used` is needed if the file system does not count by itself.
    pub fn limit(&self, project: u32, bytes: Option<u64>, used: Used) -> io::Result<()> {
        let blocks = bytes.map_or(0, |bytes| bytes.div_ceil(BLOCK));
        let valid = BLOCK_LIMITS | INODE_LIMITS | if self.is_counted { SPACE | INODES } else { 0 };
        let quota = Quota {
            block_limit: blocks * BLOCK / 1024,
            space: used.bytes,
            inode_limit: if blocks == 0 { 0 } else { blocks + MORE_INODES },
            inodes: used.inodes,
            valid,
            ..Quota::default()
        };
        // SAFETY: the pointer is to a whole struct that outlives the call.
        unsafe { self.request(Q_SETQUOTA, project, (&raw const quota).cast()) }
    }

    /// # Safety
    /// `argument` must be what the request expects.
    unsafe fn request(&self, request: libc::c_int, id: u32, argument: *const libc::c_void) -> io::Result<()> {
        let device = text(&self.device)?;
        let command = (request << 8) | PROJECTS;
        let arguments = [command.into(), device.as_ptr() as libc::c_long, id.into(), argument as libc::c_long, 0];
        // SAFETY: the device's name is a C string that outlives the call; the caller guarantees that `argument` is valid.
        unsafe { crate::sys::call(libc::SYS_quotactl, arguments) }.map(drop)
    }
}

/// C struct `if_dqblk`.
#[repr(C)]
#[derive(Default)]
struct Quota {
    block_limit: u64,
    soft_block_limit: u64,
    space: u64,
    inode_limit: u64,
    soft_inode_limit: u64,
    inodes: u64,
    block_time: u64,
    inode_time: u64,
    valid: u32,
}

/// C struct `fsxattr`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    flags: u32,
    extent_size: u32,
    extents: u32,
    project: u32,
    copied_extent_size: u32,
    rest: [u8; 8],
}

/// Returns the number of the project of each directory, in order. Each number is derived from the directory's name, so
/// it does not depend on the other directories. If two names have the same number, the second name gets the next number.
pub fn projects<'n>(directories: impl Iterator<Item = &'n str>) -> Vec<u32> {
    let mut taken = HashSet::new();
    let of_name = |name: &str| {
        let digest = Sha256::digest(name.as_bytes());
        u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]])
    };
    directories
        .map(|name| {
            let mut project = of_name(name);
            // A file with the project number 0 belongs to no project, and the largest number is invalid.
            while project == 0 || project == u32::MAX || !taken.insert(project) {
                project = project.wrapping_add(1);
            }
            project
        })
        .collect()
}

/// Returns the project that a directory passes to new entries; 0 means none.
pub fn project_of(directory: &Path) -> io::Result<u32> {
    let Attributes { flags, project, .. } = attributes(&open(directory)?)?;
    Ok(if flags & INHERITED == 0 { 0 } else { project })
}

/// Makes a file or a directory belong to a project. Other entries, such as links, get no project: a process cannot fill space with them.
pub fn give(path: &Path, project: u32) -> io::Result<()> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if !kind.is_dir() && !kind.is_file() {
        return Ok(());
    }
    let file = open(path)?;
    let found = attributes(&file)?;
    let flags = if kind.is_dir() { found.flags | INHERITED } else { found.flags };
    if (found.project, found.flags) == (project, flags) {
        return Ok(());
    }
    let wanted = Attributes { project, flags, ..found };
    // SAFETY: the request reads a struct of that size.
    check(unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FSSETXATTR, &wanted) }).map(drop)
}

fn attributes(file: &File) -> io::Result<Attributes> {
    let mut found = Attributes::default();
    // SAFETY: the request fills a struct of that size.
    check(unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FSGETXATTR, &mut found) })?;
    Ok(found)
}

/// Opens a file or directory, but follows no link, and does not wait for the writer of a pipe.
fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC).open(path)
}

fn opened(path: &Path) -> io::Result<Option<File>> {
    match open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// Returns the bytes and the one inode of a file or directory. Fails if the metadata cannot be read.
pub fn used_by(path: &Path) -> io::Result<Used> {
    Ok(Used { bytes: fs::symlink_metadata(path)?.blocks() * 512, inodes: 1 })
}

/// Enables projects on the file system, and returns its features.
fn ready(device: &str, at: &str) -> io::Result<u32> {
    let found = superblock::read(device)?;
    let features = superblock::features(&found)?;
    if features & superblock::PROJECT != 0 {
        return Ok(features);
    }
    // A mount lets the kernel replay the journal before init changes the superblock: a later replay would overwrite the change.
    mount(device, at, "ext4", FLAGS, FILE_SYSTEM_OPTIONS)?;
    unmount(at, 0)?;
    let file = OpenOptions::new().read(true).write(true).open(device)?;
    let changed = superblock::with_projects(&superblock::read(device)?)?;
    file.write_all_at(&changed, superblock::AT)?;
    file.sync_all()?;
    superblock::features(&changed)
}

/// Reads a few fields of the superblock, and changes the features and the checksum.
mod superblock {
    use std::fs::File;
    use std::io;
    use std::os::unix::fs::FileExt as _;

    pub const AT: u64 = 1024;
    pub const BYTES: usize = 1024;
    pub type Superblock = [u8; BYTES];

    /// Read-only-compatible features.
    pub const QUOTA: u32 = 0x100;
    const CHECKSUMS: u32 = 0x400;
    pub const PROJECT: u32 = 0x2000;

    const MAGIC_AT: usize = 0x38;
    const INODE_BYTES_AT: usize = 0x58;
    const FEATURES_AT: usize = 0x64;
    const CHECKSUM_AT: usize = 0x3fc;
    const MAGIC: [u8; 2] = [0x53, 0xef];
    /// Minimum bytes of an inode: smaller inodes have no space for a project.
    const LEAST_INODE: u16 = 256;

    pub fn read(device: &str) -> io::Result<Superblock> {
        let mut bytes = [0; BYTES];
        File::open(device)?.read_exact_at(&mut bytes, AT)?;
        Ok(bytes)
    }

    pub fn features(bytes: &Superblock) -> io::Result<u32> {
        match bytes[MAGIC_AT..MAGIC_AT + 2] == MAGIC {
            true => Ok(number(bytes, FEATURES_AT)),
            false => Err(io::Error::other("its files lie in no ext4")),
        }
    }

    /// Returns the superblock with the project feature, and an updated checksum if it has one.
    pub fn with_projects(bytes: &Superblock) -> io::Result<Superblock> {
        let features = features(bytes)? | PROJECT;
        if u16::from_le_bytes([bytes[INODE_BYTES_AT], bytes[INODE_BYTES_AT + 1]]) < LEAST_INODE {
            return Err(io::Error::other("its file system has no room to say whose a file is, so nobody could be held to a limit"));
        }
        let mut changed = *bytes;
        changed[FEATURES_AT..FEATURES_AT + 4].copy_from_slice(&features.to_le_bytes());
        if features & CHECKSUMS != 0 {
            let sum = checksum(&changed[..CHECKSUM_AT]);
            changed[CHECKSUM_AT..].copy_from_slice(&sum.to_le_bytes());
        }
        Ok(changed)
    }

    fn number(bytes: &Superblock, at: usize) -> u32 {
        u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
    }

    /// Returns the CRC-32C without the last inversion, as in ext4.
    pub fn checksum(bytes: &[u8]) -> u32 {
        const POLYNOMIAL: u32 = 0x82f6_3b78;
        bytes.iter().fold(u32::MAX, |sum, &byte| {
            (0..8).fold(sum ^ u32::from(byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ POLYNOMIAL } else { sum >> 1 })
        })
    }
}

#[cfg(test)]
mod tests;
