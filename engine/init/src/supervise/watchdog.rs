//! The machine's own watchdog, where the kernel has one: a device that restarts the machine when nobody has written to it
//! for its time. init writes in its one loop, so that an init that hangs is no machine that hangs.

use crate::sys;
use std::fs::File;
use std::os::fd::AsRawFd as _;

const DEVICE: &str = "/dev/watchdog0";
/// Between two writes. The machine is restarted after the time below; an init that is only slow writes in time.
const PERIOD_MS: u64 = 10_000;
const TIMEOUT_SECONDS: libc::c_int = 60;
/// `_IOWR('W', 6, int)`: the kernel writes back what the device can do.
const SET_TIMEOUT: libc::Ioctl = 0xc004_5706u32 as libc::Ioctl;

pub struct Watchdog {
    device: File,
    due: u64,
}

impl Watchdog {
    /// From here on the machine restarts when init hangs. None: there is no device.
    pub fn open() -> Option<Self> {
        let device = File::options().write(true).open(DEVICE).ok()?;
        let mut timeout = TIMEOUT_SECONDS;
        // SAFETY: the call reads and writes one int. A device with a time of its own keeps that.
        let _ = unsafe { libc::ioctl(device.as_raw_fd(), SET_TIMEOUT, &raw mut timeout) };
        crate::supervise::say(&format!("watchdog: the machine starts again when init hangs for {timeout} s"));
        Some(Self { device, due: 0 })
    }

    pub fn due(&self) -> u64 {
        self.due
    }

    /// Any byte but `V`, which would end the watch when the device is closed.
    pub fn turn(&mut self, now: u64) {
        if self.due <= now && sys::write(&self.device, b"\0").is_ok() {
            self.due = now + PERIOD_MS;
        }
    }
}
