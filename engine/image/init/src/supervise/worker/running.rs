//! Represents a running process by its descriptor, and reports how it ends.

use crate::sys;
use std::fmt;
use std::os::fd::{AsRawFd as _, OwnedFd};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Exited(i32),
    Killed(i32),
}

impl fmt::Display for Fate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fate::Exited(status) => write!(formatter, "exit {status}"),
            Fate::Killed(signal) => write!(formatter, "signal {signal}"),
        }
    }
}

/// Pidfd of a child of init whose exit status init has not collected yet.
pub struct Running(OwnedFd);

impl Running {
    pub fn of(pidfd: OwnedFd) -> Self {
        Self(pidfd)
    }

    /// Returns the pidfd, which becomes readable when the process ends.
    pub fn descriptor(&self) -> &OwnedFd {
        &self.0
    }

    pub fn kill(&self) {
        // SAFETY: the child process was not reaped yet.
        let _ = unsafe { sys::call(libc::SYS_pidfd_send_signal, [self.0.as_raw_fd().into(), libc::SIGKILL.into(), 0, 0, 0]) };
    }

    /// Kills the process, and returns when its whole pid namespace has ended, so that its control group is empty.
    pub fn kill_and_reap(&self) {
        self.kill();
        let _ = self.fate_told(libc::WEXITED);
    }

    /// Returns how the process ended, or `None` if it still runs.
    pub fn fate(&self) -> Option<Fate> {
        self.fate_told(libc::WEXITED | libc::WNOHANG)
    }

    fn fate_told(&self, flags: libc::c_int) -> Option<Fate> {
        // SAFETY: the call fills the zeroed struct; si_pid stays 0 if no child has changed.
        unsafe {
            let mut told: libc::siginfo_t = std::mem::zeroed();
            sys::check(libc::waitid(libc::P_PIDFD, self.0.as_raw_fd() as libc::id_t, &mut told, flags)).ok()?;
            match (told.si_pid(), told.si_code) {
                (0, _) => None,
                (_, libc::CLD_EXITED) => Some(Fate::Exited(told.si_status())),
                _ => Some(Fate::Killed(told.si_status())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::FromRawFd as _;

    #[test]
    fn killing_a_process_also_reaps_it_before_init_continues() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        // SAFETY: all arguments are numbers; nothing else owns the new descriptor.
        let running = unsafe {
            let opened = sys::call(libc::SYS_pidfd_open, [child.id().into(), 0, 0, 0, 0]).unwrap();
            Running::of(OwnedFd::from_raw_fd(opened as i32))
        };
        assert_eq!(running.fate(), None);
        running.kill_and_reap();
        assert!(child.try_wait().is_err(), "somebody has to reap it yet");
    }
}
