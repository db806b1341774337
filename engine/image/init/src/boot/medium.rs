//! Finds the only medium from which this system may start. The start stops if two media match, because either may be a trap.

use super::announcements;
use super::devices::{Device, the_one};
use super::modules;
use crate::iso::has_volume_name;
use crate::refusal::{About as _, Checked, refuse};
use crate::sys;
use std::fs;

pub const VOLUME: &str = "CAPOS";
/// Maximum wait for a medium; even a real optical drive responds within a second or two.
const PATIENCE_MS: u64 = 15_000;

/// Only the initrd of an image for PCs contains this driver. The kernel for virtual machines has no driver for optical drives.
const DRIVER_OF_PCS: &str = "/modules/usb-storage.ko";

/// Searches the devices whose drivers are already loaded. If the medium is not among them, loads the
/// drivers of other media (`/modules/second`), and searches again at each announcement of a device.
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
            return refuse("the medium", nothing_found(fs::exists(DRIVER_OF_PCS).unwrap_or(false)));
        }
        sys::poll(&mut [sys::watch(&announced, libc::POLLIN)], Some(deadline - now)).about("the kernel's announcements")?;
        while sys::read(&announced, &mut [0; announcements::MOST_BYTES]).is_ok() {}
    }
}

/// Returns the reason for which no medium was found, with a hint for a person who uses an image for virtual machines on a PC.
fn nothing_found(is_for_pcs: bool) -> String {
    let hint = if is_for_pcs { "" } else { "; this image is for virtual machines, with virtio, SCSI, IDE or NVMe disks" };
    format!("no device holds a volume named {VOLUME}{hint}")
}

fn look() -> Checked<Option<Device>> {
    the_one("the medium", &format!("is named {VOLUME}"), |device| has_volume_name(device, VOLUME))
}

#[cfg(test)]
mod tests {
    use super::nothing_found;

    #[test]
    fn if_an_image_for_virtual_machines_finds_no_medium_the_refusal_names_this_kind_of_image() {
        assert_eq!(nothing_found(true), "no device holds a volume named CAPOS");
        assert!(nothing_found(false).contains("this image is for virtual machines"));
    }
}
