//! Finds the one medium that this system may start from. Two that look alike: stop, since either may be a trap.

use super::announcements;
use super::devices::{Device, disks};
use super::modules;
use crate::iso::has_volume_name;
use crate::refusal::{About as _, Checked, refuse};
use crate::sys;

pub const VOLUME: &str = "CAPOS";
/// An optical drive answers within a second or two, also when it is real.
const PATIENCE_MS: u64 = 15_000;

/// Looks among the devices of the first modules; only if there is none, loads the drivers of optical drives and waits
/// for the kernel to announce devices.
pub fn find() -> Checked<Device> {
    if let Some(found) = look()? {
        return Ok(found);
    }
    let announced = announcements::listen().about("the kernel's announcements")?;
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
        while sys::read(&announced, &mut [0; announcements::MOST_BYTES]).is_ok() {}
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
