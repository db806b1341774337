//! Creates the objects that init finds on its own machine: devices for the extents of an image, and an empty root.

use capos::iso::Extent;
use capos::sys::{check, mount, text, unmount};
use libc::{MNT_DETACH, MS_BIND, MS_PRIVATE, MS_REC};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::process::Command;

/// A loop device, which exists as long as a process has it open.
pub struct Device {
    pub file: File,
    pub number: libc::dev_t,
}

/// Returns an extent of the image as a read-only device.
pub fn attach(image: &str, Extent { offset, size }: Extent) -> io::Result<Device> {
    let place = [format!("--offset={offset}"), format!("--sizelimit={size}")];
    let said = Command::new("losetup").args(["--find", "--show", "--read-only"]).args(place).arg(image).output()?;
    let path = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    if !said.status.success() {
        return Err(io::Error::other(String::from_utf8_lossy(&said.stderr).into_owned()));
    }
    let opened = File::open(&path);
    // The loop device exists until `opened` is closed: `--detach` removes it only after its last user has closed it.
    Command::new("losetup").args(["--detach", &path]).status()?;
    let file = opened?;
    Ok(Device { number: file.metadata()?.rdev(), file })
}

/// Gives this program its own mount namespace, in which the root contains only these folders.
pub fn leave_root(folders: &[&str]) -> io::Result<()> {
    // The temporary folder serves as mount point; only in this mount namespace is another file system mounted there.
    let path = std::env::temp_dir().to_string_lossy().into_owned();
    // SAFETY: the call takes no pointers.
    check(unsafe { libc::unshare(libc::CLONE_NEWNS) })?;
    // The root of a program in a chroot is not a mount, so the kernel neither makes it private nor exchanges it. Entering the same
    // mount namespace again moves this process's root to the root of that namespace.
    let view = File::open("/proc/self/ns/mnt")?;
    // SAFETY: the call takes no pointers.
    check(unsafe { libc::setns(view.as_raw_fd(), libc::CLONE_NEWNS) })?;
    mount("", "/", "", MS_REC | MS_PRIVATE, "")?;
    mount("stage", &path, "tmpfs", 0, "mode=0700,size=1m")?;
    for folder in folders {
        fs::create_dir(format!("{path}{folder}"))?;
    }
    mount("/proc", &format!("{path}/proc"), "", MS_BIND | MS_REC, "")?;
    std::env::set_current_dir(&path)?;
    // SAFETY: the arguments are two C strings. The old root is stacked over the new one and then detached.
    check(unsafe { libc::syscall(libc::SYS_pivot_root, c".".as_ptr(), c".".as_ptr()) })?;
    unmount(".", MNT_DETACH)?;
    std::env::set_current_dir("/")
}

/// Creates a device that every process may read.
pub fn node(path: &str, number: libc::dev_t) -> io::Result<()> {
    let path = text(path)?;
    // SAFETY: the path is a C string.
    unsafe {
        check(libc::mknod(path.as_ptr(), libc::S_IFBLK, number))?;
        check(libc::chmod(path.as_ptr(), 0o444))
    }
    .map(drop)
}
