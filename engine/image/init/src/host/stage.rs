//! Gives a run its own mount namespace: its root contains only the files that init finds in the root of a machine.

use crate::boot::places::{CGROUPS, DEVICES, DISK, JAIL, ROOT};
use crate::sys::{check, mount, text, unmount};
use libc::{MNT_DETACH, MS_BIND, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_PRIVATE, MS_REC};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;

/// Mount point of the new root; only in this mount namespace is another file system mounted there.
const STAGE: &str = "/tmp";

/// Name, major and minor number of each device file, from `linux/miscdevice.h` and from the kernel's memory devices.
const DEVICE_FILES: [(&str, u32, u32); 3] = [("null", 1, 3), ("loop-control", 10, 237), ("mapper/control", 10, 236)];

/// Replaces the host's root. The calling process must already be in its own mount and pid namespaces. `terminal` becomes `/dev/console`;
/// without a control group, the resources of processes are not counted.
pub fn enter(terminal: &str, group: Option<&Path>) -> io::Result<()> {
    // If this program runs in a chroot, its root is not a mount, and the system calls below that need a mount would fail. Entering the
    // current mount namespace again moves the root to the root of that namespace.
    let view = File::open("/proc/self/ns/mnt")?;
    // SAFETY: the call has no pointers.
    check(unsafe { libc::setns(view.as_raw_fd(), libc::CLONE_NEWNS) })?;
    mount("", "/", "", MS_REC | MS_PRIVATE, "")?;
    mount("stage", STAGE, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0700,size=1m")?;
    for folder in [ROOT, JAIL, DEVICES, DISK, "/proc", "/sys", "/dev", "/dev/mapper"] {
        fs::create_dir(format!("{STAGE}{folder}"))?;
    }
    mount("proc", &format!("{STAGE}/proc"), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    mount("sysfs", &format!("{STAGE}/sys"), "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    if let Some(group) = group {
        mount(group.to_str().ok_or(io::ErrorKind::InvalidInput)?, &format!("{STAGE}{CGROUPS}"), "", MS_BIND, "")?;
    }
    for (name, major, minor) in DEVICE_FILES {
        let path = text(&format!("{STAGE}/dev/{name}"))?;
        // SAFETY: the pointer is to a C string.
        check(unsafe { libc::mknod(path.as_ptr(), libc::S_IFCHR | 0o600, libc::makedev(major, minor)) })?;
    }
    let console = format!("{STAGE}/dev/console");
    File::create(&console)?;
    mount(terminal, &console, "", MS_BIND, "")?;
    std::env::set_current_dir(STAGE)?;
    // SAFETY: the pointers are to two C strings. The old root is stacked over the new one and then detached.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) })?;
    unmount(".", MNT_DETACH)?;
    std::env::set_current_dir("/")
}
