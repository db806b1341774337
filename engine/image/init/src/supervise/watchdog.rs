//! The machine's own watchdog, if the kernel has one: a device that restarts the machine if nobody has written to it for its time. init
//! writes in its only loop, so a hanging init restarts the machine.

use crate::sys;
use std::fs::File;
use std::mem::ManuallyDrop;
use std::os::fd::AsRawFd as _;

/// The modules of an image provide at most the kernel's own and one of the machine's.
const DEVICES: [&str; 2] = ["/dev/watchdog0", "/dev/watchdog1"];
/// Milliseconds between two writes.
const PERIOD_MS: u64 = 10_000;
/// On a busy host, an emulated machine has waited for the processor for many seconds without hanging.
const TIMEOUT_SECONDS: libc::c_int = 120;
/// `_IOWR('W', 6, int)`; the kernel returns what the device supports.
const SET_TIMEOUT: libc::Ioctl = 0xc004_5706u32 as libc::Ioctl;

pub struct Watchdog {
    /// Never closed: a machine that cannot be switched off restarts, and the kernel would print a warning on the console.
    device: ManuallyDrop<File>,
    due: u64,
}

impl Watchdog {
    /// Returns the watchdogs that restart the machine from here on when init hangs. Empty without a device.
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

    /// Writes any byte but `V`, which would end the watch when the device is closed.
    pub fn turn(&mut self, now: u64) {
        if self.due <= now {
            // A device that accepts no ping restarts the machine after its timeout, as intended.
            let _ = sys::write(&*self.device, b"\0");
            self.due = now + PERIOD_MS;
        }
    }
}
