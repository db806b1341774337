//! The data disk: found by the label that the manifest names, mounted without programs, devices or set-user bits, and
//! each service's directory handed to its user. It is not verified: what lies there is data of services.

use super::DISK;
use super::devices::{Device, disks};
use crate::iso::Medium as _;
use crate::manifest::{Manifest, Process};
use crate::refusal::{About as _, Checked, refuse};
use crate::sys::{mount, unmount};
use libc::{MS_NOATIME, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY, MS_REMOUNT};
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, lchown};
use std::path::Path;

/// More than any service keeps; a disk that holds more is not walked to its end.
const MOST_ENTRIES: usize = 200_000;
const MOST_DEPTH: usize = 32;

/// Returns whether there is a data disk. A manifest that names none has none.
pub fn prepare(manifest: &Manifest, medium: &Device) -> Checked<bool> {
    if manifest.disk.is_empty() {
        return Ok(false);
    }
    let Some(device) = find(&manifest.disk, medium)? else { return Ok(false) };
    mount(&format!("/dev/{device}"), DISK, "ext4", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME, "errors=remount-ro")
        .about("the data disk")?;
    for process in &manifest.processes {
        if let Some(directory) = process.directory() {
            hand_over(directory, process).about("the data disk")?;
        }
    }
    Ok(true)
}

fn find(label: &str, medium: &Device) -> Checked<Option<String>> {
    let mut found = Vec::new();
    for name in disks().about("the list of devices")? {
        if name != medium.name && Device::open(&name).is_ok_and(|device| has_label(&device, label)) {
            found.push(name);
        }
    }
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => refuse("the data disk", format!("more than one is named {label}: {}", found.join(", "))),
    }
}

/// The superblock of ext4 begins at 1024; its mark is at 56 and its label at 120.
fn has_label(device: &Device, label: &str) -> bool {
    let mut block = [0u8; 1024];
    let end = 120 + label.len();
    device.read_at(1024, &mut block).is_ok()
        && block[56..58] == [0x53, 0xef]
        && &block[120..end] == label.as_bytes()
        && block[end..136].iter().all(|&byte| byte == 0)
}

/// Gives the directory to the service's user, its own entry last: a walk that was cut short is begun anew.
fn hand_over(directory: &str, process: &Process) -> io::Result<()> {
    let path = Path::new(DISK).join(directory);
    match fs::symlink_metadata(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&path)?,
        Err(error) => return Err(error),
        Ok(found) if !found.is_dir() => return Err(io::Error::other(format!("{directory} is not a directory"))),
        Ok(_) => {}
    }
    if fs::symlink_metadata(&path)?.uid() != process.uid {
        let mut left = MOST_ENTRIES;
        own(&path, process.uid, MOST_DEPTH, &mut left)?;
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o700))
}

/// No process runs yet, so nothing can change under this walk; links are owned and never followed.
fn own(path: &Path, uid: u32, depth: usize, left: &mut usize) -> io::Result<()> {
    if depth == 0 || *left == 0 {
        return Err(io::Error::other("too many files, or too deep"));
    }
    *left -= 1;
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            own(&entry?.path(), uid, depth - 1, left)?;
        }
    }
    lchown(path, Some(uid), Some(uid))
}

/// Making it read-only writes everything and marks it clean, whoever still holds it; only then is it let go.
pub fn release() -> io::Result<()> {
    // SAFETY: no arguments.
    unsafe { libc::sync() };
    mount("", DISK, "", MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    unmount(DISK, 0)
}
