//! Makes the control group of a run, below the host's own groups. The groups of the run's processes are inside this group.

use crate::sys::text;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

const NEEDED: [&str; 3] = ["memory", "pids", "cpu"];

/// Returns the folder of the host's control groups of version 2. Fails if the host lacks a needed controller.
pub fn find() -> io::Result<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    let folder = mounts.lines().find_map(group_mount).ok_or_else(|| io::Error::other("no control groups of version 2 are mounted"))?;
    let found = fs::read_to_string(folder.join("cgroup.controllers"))?;
    let found: Vec<&str> = found.split_ascii_whitespace().collect();
    match NEEDED.iter().find(|name| !found.contains(name)) {
        None => Ok(folder),
        Some(name) => Err(io::Error::other(format!("{} has no controller '{name}'", folder.display()))),
    }
}

/// Returns the mount point in a line of `mountinfo`, if the line mounts control groups of version 2.
fn group_mount(line: &str) -> Option<PathBuf> {
    let (place, kind) = line.split_once(" - ")?;
    (kind.split(' ').next() == Some("cgroup2")).then(|| place.split(' ').nth(4).map(PathBuf::from)).flatten()
}

/// The control group of a run.
pub struct Group(PathBuf);

impl Group {
    /// Makes the group, with a limit of memory for the whole run; 0 means no limit. A group that a killed run left is removed first.
    pub fn make(run: u32, memory: u64) -> io::Result<Self> {
        let parent = find()?;
        let controllers: Vec<String> = NEEDED.iter().map(|name| format!("+{name}")).collect();
        fs::write(parent.join("cgroup.subtree_control"), controllers.join(" "))?;
        let group = Self(parent.join(format!("capos-host-{run}")));
        group.remove()?;
        fs::create_dir(&group.0)?;
        if memory > 0 {
            fs::write(group.0.join("memory.max"), memory.to_string())?;
        }
        Ok(group)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Removes the group and the groups inside. Succeeds if the group does not exist.
    pub fn remove(&self) -> io::Result<()> {
        let inner = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            inner => inner?,
        };
        for entry in inner {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                remove_empty(&entry.path())?;
            }
        }
        remove_empty(&self.0)
    }
}

/// Removes a control group without groups inside; the kernel removes its files.
fn remove_empty(path: &Path) -> io::Result<()> {
    let path = text(path.to_str().ok_or(io::ErrorKind::InvalidInput)?)?;
    // SAFETY: the pointer is to a C string.
    crate::sys::check(unsafe { libc::rmdir(path.as_ptr()) }).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_counts_only_if_it_has_control_groups_of_version_2() {
        let unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";
        assert_eq!(group_mount(unified), Some("/sys/fs/cgroup".into()));
        assert_eq!(group_mount("31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory"), None);
        assert_eq!(group_mount("odd"), None);
    }
}
