//! The machine's own watchdog, if the kernel has one: a device that restarts the machine if init has not written to it for
//! two minutes. init writes in its only loop, so a hanging init restarts the machine.

use crate::sys;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::AsRawFd as _;

/// The modules of an image provide at most two watchdogs: the kernel's own and one of the machine.
const DEVICES: [&str; 2] = ["/dev/watchdog0", "/dev/watchdog1"];
/// Milliseconds between two writes.
const PERIOD_MS: u64 = 10_000;
/// The timeout is long, because an emulated machine on a busy host may wait many seconds for the processor without hanging.
const TIMEOUT_SECONDS: libc::c_int = 120;
/// `_IOWR('W', 6, int)`; the kernel returns the timeout that the device has afterwards.
const SET_TIMEOUT: libc::Ioctl = 0xc004_5706u32 as libc::Ioctl;

pub struct Watchdog {
    /// The file is never closed, because the kernel would print a warning. The watchdog stays active, and so restarts a machine that fails to switch off.
    device: ManuallyDrop<File>,
    due: u64,
}

impl Watchdog {
    /// Returns the watchdogs, which restart the machine from now on if init hangs; none if the machine has no such device.
    pub fn all() -> Vec<Self> {
        DEVICES.iter().filter_map(|device| Self::open(device)).collect()
    }

    fn open(device: &str) -> Option<Self> {
        let device = File::options().write(true).open(device).ok()?;
        let mut timeout = TIMEOUT_SECONDS;
        // SAFETY: the call reads and writes one int. A device with a fixed timeout keeps that timeout.
        let _ = unsafe { libc::ioctl(device.as_raw_fd(), SET_TIMEOUT, &raw mut timeout) };
        crate::say::say(&format!("watchdog: the machine starts again when init hangs for {timeout} s"));
        Some(Self { device: ManuallyDrop::new(device), due: 0 })
    }

    pub fn due(&self) -> u64 {
        self.due
    }

    /// Writes a byte if a write is due. The byte is not `V`, which would end the watch when the device is closed.
    pub fn turn(&mut self, now: u64) {
        if self.due <= now {
            // A device that accepts no ping restarts the machine after its timeout, as intended.
            let _ = sys::write(&*self.device, b"\0");
            self.due = now + PERIOD_MS;
        }
    }
}
