//! Finds the one medium that this system may start from. Two that look alike: stop, since either may be a trap.

use super::devices::{Device, disks};
use super::modules;
use crate::iso::has_volume_name;
use crate::refusal::{About as _, Checked, refuse};
use crate::sys;
use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};

const VOLUME: &str = "CAPOS";
/// An optical drive answers within a second or two, also when it is real.
const PATIENCE_MS: u64 = 15_000;

/// Looks among the devices of the first modules; only if there is none, loads the drivers of optical drives and waits
/// for the kernel to announce devices.
pub fn find() -> Checked<Device> {
    if let Some(found) = look()? {
        return Ok(found);
    }
    let announced = announcements().about("the kernel's announcements")?;
    modules::load("second")?;
    let deadline = sys::now() + PATIENCE_MS;
    loop {
        if let Some(found) = look()? {
            return Ok(found);
        }
        let now = sys::now();
        if now >= deadline {
            return refuse("the medium", format!("no device holds a volume named {VOLUME}"));
        }
        sys::poll(&mut [sys::watch(&announced, libc::POLLIN)], Some(deadline - now)).about("the kernel's announcements")?;
        while sys::read(&announced, &mut [0; 8192]).is_ok() {}
    }
}

fn look() -> Checked<Option<Device>> {
    let mut found = Vec::new();
    for name in disks().about("the list of devices")? {
        // A drive without a disc cannot be opened; it is no medium.
        if let Ok(device) = Device::open(&name) {
            if has_volume_name(&device, VOLUME) {
                found.push(device);
            }
        }
    }
    match found.len() {
        0 | 1 => Ok(found.pop()),
        _ => {
            let names: Vec<&str> = found.iter().map(|device| device.name.as_str()).collect();
            refuse("the medium", format!("more than one is named {VOLUME}: {}", names.join(", ")))
        }
    }
}

/// A socket on which the kernel announces devices as they come.
fn announcements() -> io::Result<OwnedFd> {
    let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: a new socket that is ours alone; the address is a whole struct of its family.
    unsafe {
        let socket = sys::check(libc::socket(libc::AF_NETLINK, kind, libc::NETLINK_KOBJECT_UEVENT))?;
        let socket = OwnedFd::from_raw_fd(socket);
        let mut address: libc::sockaddr_nl = std::mem::zeroed();
        address.nl_family = libc::AF_NETLINK as u16;
        address.nl_groups = 1;
        let size = size_of::<libc::sockaddr_nl>() as libc::socklen_t;
        let fd = std::os::fd::AsRawFd::as_raw_fd(&socket);
        sys::check(libc::bind(fd, (&raw const address).cast(), size))?;
        Ok(socket)
    }
}
