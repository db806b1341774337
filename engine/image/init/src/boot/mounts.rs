//! Mounts the kernel's own file systems, and the roots: the initrd's, init's own, and the verified one.

use super::places::{CGROUPS, DEVICES, DISK, JAIL, ROOT};
use crate::sys::{check, mount, text};
use libc::{MS_BIND, MS_MOVE, MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_PRIVATE, MS_RDONLY, MS_REC, MS_REMOUNT};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;

pub fn first() -> io::Result<()> {
    for folder in ["/proc", "/sys", "/dev"] {
        fs::create_dir_all(folder)?;
    }
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")?;
    mount("devtmpfs", "/dev", "devtmpfs", MS_NOSUID | MS_NOEXEC, "")
}

pub fn console() -> io::Result<()> {
    let console = File::options().read(true).write(true).open("/dev/console")?;
    for target in 0..=2 {
        // SAFETY: descriptors 0 to 2 are the console's from here on; nothing else owns them.
        check(unsafe { libc::dup2(console.as_raw_fd(), target) })?;
    }
    Ok(())
}

/// Leaves the initrd for another root, which only init uses. Otherwise a child could not pivot away from the initrd's root.
/// This also frees the memory of the initrd.
pub fn leave_initrd() -> io::Result<()> {
    for used in ["/trust.bin", "/init"] {
        fs::remove_file(used)?;
    }
    fs::remove_dir_all("/modules")?;
    fs::create_dir("/stage")?;
    mount("stage", "/stage", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0700,size=1m")?;
    for folder in [ROOT, JAIL, DEVICES, DISK] {
        fs::create_dir(format!("/stage{folder}"))?;
    }
    for folder in ["/proc", "/sys", "/dev"] {
        fs::create_dir(format!("/stage{folder}"))?;
        mount(folder, &format!("/stage{folder}"), "", MS_MOVE, "")?;
    }
    std::env::set_current_dir("/stage")?;
    mount(".", "/", "", MS_MOVE, "")?;
    // SAFETY: the pointer is to a C string.
    check(unsafe { libc::chroot(c".".as_ptr()) })?;
    std::env::set_current_dir("/")?;
    mount("", "/", "", MS_REC | MS_PRIVATE, "")?;
    devices()?;
    mount("cgroup", CGROUPS, "cgroup2", MS_NOSUID | MS_NODEV | MS_NOEXEC, "")
}

/// Mounts the devices that a jailed process finds in `/dev`: `null`, `zero` and `urandom`.
pub fn devices() -> io::Result<()> {
    mount("devices", DEVICES, "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=64k")?;
    for (name, minor) in [("null", 3), ("zero", 5), ("urandom", 9)] {
        let path = text(&format!("{DEVICES}/{name}"))?;
        // SAFETY: the pointer is to a C string; 1 is the number of the kernel's memory devices.
        unsafe {
            check(libc::mknod(path.as_ptr(), libc::S_IFCHR, libc::makedev(1, minor)))?;
            check(libc::chmod(path.as_ptr(), 0o666))?;
        }
    }
    mount("devices", DEVICES, "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NOEXEC, "")
}

pub fn root(device: &str) -> io::Result<()> {
    mount(device, ROOT, "erofs", MS_RDONLY | MS_NOSUID | MS_NODEV, "")
}
