//! Mounts the data disk, which is found by the name of its partition in the manifest. The mount allows no programs, devices
//! or set-user bits, and each service's directory belongs to its user. The content of its partitions is not verified,
//! because it is data of services. This module parses the disk's partition table itself, without the kernel's parser.

mod create;
mod locked;
mod quota;
mod settings;

use super::devices::{self, Device, the_one};
use super::places::DISK;
use crate::gpt::{self, Kind, Table};
use crate::manifest::{Manifest, Process};
use crate::refusal::{About as _, Checked, refuse};
use crate::say::say;
use crate::sys::{mount, unmount};
use libc::{MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY, MS_REMOUNT};
use quota::{Quotas, Used};
use settings::{AUDIT, THE_DISK};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, lchown};
use std::path::Path;

/// Names of all devices that the device mapper makes for a data disk.
pub const DEVICE_NAMES: [&str; 5] = ["files", "audit", "new", "unlocked", "locked"];

/// Maximum entries in one service's directory and the folders inside; if a walk at the start finds more, the start fails.
const MOST_ENTRIES: usize = 200_000;
const MOST_DEPTH: usize = 32;

/// Finds and mounts the data disk, and returns the device of its audit partition. Returns `None` if the manifest names no disk, or the
/// machine has none.
pub fn prepare(manifest: &Manifest, medium: &Device) -> Checked<Option<String>> {
    if manifest.disk.is_empty() {
        return Ok(None);
    }
    let found = match find(&manifest.disk, medium)? {
        None if manifest.create => make(manifest, medium)?,
        Some(device) if manifest.encrypted => Some(locked::open(&device, &manifest.disk)?),
        found => found,
    };
    found.map(|device| mount_parts(manifest, &device)).transpose()
}

/// Mounts a file of the host as the data disk, or makes the disk in a blank file. Returns the device of its audit partition.
pub fn prepare_file(manifest: &Manifest, path: &str, file: fs::File) -> Checked<String> {
    let name = &manifest.disk;
    if name.is_empty() {
        return refuse(THE_DISK, "the page has none");
    }
    let device = Device::of_file(file).about(path)?;
    if gpt::claims(&device, name) && !create::is_marked(&device) {
        let device = if manifest.encrypted { locked::open(&device, name)? } else { device };
        return mount_parts(manifest, &device);
    }
    let smallest = smallest(manifest);
    match manifest.create && create::is_free(&device, smallest) {
        true => mount_parts(manifest, &make_on(manifest, device)?),
        false if create::is_too_small(&device, smallest) => refuse(THE_DISK, format!("{path}: {} MiB are the least", smallest >> 20)),
        false => refuse(THE_DISK, format!("{path} has no partition {name}")),
    }
}

/// Mounts the partition of the files, and returns the device of the audit partition.
fn mount_parts(manifest: &Manifest, device: &Device) -> Checked<String> {
    let table = Table::read(device).map_err(|why| format!("{}: {why}", device.name)).about(THE_DISK)?;
    let part = |name: &str, kind, what: &str| match table.named(name).filter(|partition| partition.kind == Some(kind)) {
        Some(partition) => Ok(partition.extent),
        None => refuse(THE_DISK, format!("{}: there is no partition {name} with {what}", device.name)),
    };
    let files = part(&manifest.disk, Kind::Files, "a file system")?;
    let audit = part(AUDIT, Kind::Audit, "an audit")?;
    let part = |name, extent| device.part(name, extent).about(THE_DISK);
    let (mapped, audit) = (part("files", files)?, part("audit", audit)?);
    let quotas = Quotas::mount(&mapped.path, DISK).map_err(explain_mount).about(THE_DISK)?;
    if quotas.is_counted {
        say(&format!("{} is of an older image: what lies on it is counted at each start", manifest.disk));
    }
    let owners: Vec<(&Process, &str)> =
        manifest.processes.iter().filter_map(|process| Some((process, process.directory()?))).collect();
    let projects = quota::projects(owners.iter().map(|(_, directory)| *directory));
    for (&(process, directory), project) in owners.iter().zip(projects) {
        hand_over(directory, process, project, &quotas).about(&format!("{THE_DISK}: {directory}"))?;
    }
    Ok(audit.keep())
}

/// Returns the only disk with a partition of this name, or `None` if no disk has one. A damaged disk is not skipped, because the
/// machine would then continue without its data disk. A disk whose creation was interrupted does not count.
fn find(name: &str, medium: &Device) -> Checked<Option<Device>> {
    other_one(medium, &format!("has a partition {name}"), |device| gpt::claims(device, name) && !create::is_marked(device))
}

/// Makes a data disk from the only blank disk. Returns the new disk, or the inner disk if the disk is encrypted; `None` without a blank disk.
fn make(manifest: &Manifest, medium: &Device) -> Checked<Option<Device>> {
    let name = &manifest.disk;
    let smallest = smallest(manifest);
    let blank = "is blank, and which is meant to hold the data is not known";
    let found = other_one(medium, blank, |device| !device.is_read_only() && create::is_free(device, smallest))?;
    let Some(device) = found else {
        let least = smallest >> 20;
        for small in devices::all(|device| device.name != medium.name && create::is_too_small(device, smallest))? {
            say(&format!("{} is blank, and too small for the data disk {name}: {least} MiB are the least", small.name));
        }
        return Ok(None);
    };
    make_on(manifest, device).map(Some)
}

fn smallest(manifest: &Manifest) -> u64 {
    if manifest.encrypted { gpt::SMALLEST_LOCKED } else { gpt::SMALLEST_DISK }
}

/// Makes the data disk on a blank device. Returns the new disk, or the inner disk if the disk is encrypted.
fn make_on(manifest: &Manifest, device: Device) -> Checked<Device> {
    let name = &manifest.disk;
    say(&format!("{} is blank: making it the data disk {name}", device.name));
    let about = |error| format!("{}: {error}", device.name);
    if manifest.encrypted {
        let passphrase = locked::new_passphrase(name)?;
        return create::create_locked(&device, name, &passphrase).map_err(about).about("the new data disk");
    }
    create::create(&device, name).map_err(about).about("the new data disk")?;
    Ok(device)
}

/// Adds a hint to the error of a mount, because a kernel that is not from an image may lack quotas.
fn explain_mount(error: io::Error) -> String {
    match error.raw_os_error() {
        Some(libc::EINVAL) => format!("this kernel cannot mount it; it needs ext4 with quotas (CONFIG_QFMT_V2): {error}"),
        _ => error.to_string(),
    }
}

/// Returns the only matching disk besides the medium, which is never a data disk; `None` if no disk matches.
fn other_one(medium: &Device, is: &str, is_meant: impl Fn(&Device) -> bool) -> Checked<Option<Device>> {
    the_one(THE_DISK, is, |device| device.name != medium.name && is_meant(device))
}

/// Gives the directory and its content to the service's user and project. The directory itself is changed last: after an
/// interrupted walk it still has the old owner, so the walk starts again. Then sets the project's limit from the manifest.
fn hand_over(directory: &str, process: &Process, project: u32, quotas: &Quotas) -> io::Result<()> {
    let path = Path::new(DISK).join(directory);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&path)?,
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Err(io::Error::other(format!("{directory} is not a directory"))),
        Ok(_) => {}
    }
    let mut walk = Walk { uid: process.uid, project, left: MOST_ENTRIES, used: Used::default() };
    if quotas.is_counted || fs::symlink_metadata(&path)?.uid() != process.uid || quota::project_of(&path)? != project {
        walk.own(&path, MOST_DEPTH)?;
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
    quotas.limit(project, process.state_max, walk.used)
}

/// Walks a directory. No process runs yet, so nothing changes during the walk. The walk changes the owner of links, but never follows them.
struct Walk {
    uid: u32,
    project: u32,
    left: usize,
    used: Used,
}

impl Walk {
    fn own(&mut self, path: &Path, depth: usize) -> io::Result<()> {
        if depth == 0 || self.left == 0 {
            return Err(io::Error::other("too many files, or too deep"));
        }
        self.left -= 1;
        if fs::symlink_metadata(path)?.is_dir() {
            for entry in fs::read_dir(path)? {
                self.own(&entry?.path(), depth - 1)?;
            }
        }
        let used = quota::used_by(path)?;
        self.used = Used { bytes: self.used.bytes + used.bytes, inodes: self.used.inodes + used.inodes };
        quota::give(path, self.project)?;
        lchown(path, Some(self.uid), Some(self.uid))
    }
}

/// Makes the mount read-only, then unmounts it. The first step writes all data and marks the disk clean, even if a process still uses the disk.
pub fn release() -> io::Result<()> {
    // SAFETY: the call has no arguments.
    unsafe { libc::sync() };
    mount("", DISK, "", MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    unmount(DISK, 0)
}
