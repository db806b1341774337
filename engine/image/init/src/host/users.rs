//! Chooses the users of a run's processes. A machine has its own user ids. On a host, a run takes 65,536 user ids that no
//! person and no container has, and locks them against other runs.

use crate::sys::check;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::DirBuilderExt as _;

/// First user id of the first run, above the ranges that Debian and systemd give to people, services and containers.
const FIRST: u32 = 0x7800_0000;
const A_RUN: u32 = 1 << 16;
/// Maximum runs at the same time.
const MOST_RUNS: u32 = 16;

const LOCKS: &str = "/run/capos-host";

/// The users of one run, locked as long as this value exists in any process.
pub struct Users {
    /// Index of the run among all present runs on this host.
    pub run: u32,
    /// Number that is added to the user id of each process.
    pub first: u32,
    _lock: File,
}

/// Takes the first free range. Fails if sixteen runs are active.
pub fn take() -> io::Result<Users> {
    match DirBuilder::new().mode(0o700).create(LOCKS) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    for run in 0..MOST_RUNS {
        let lock = File::options().create(true).truncate(false).write(true).open(format!("{LOCKS}/{run}"))?;
        // SAFETY: the descriptor is open.
        match check(unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
            Ok(_) => return Ok(Users { run, first: FIRST + run * A_RUN, _lock: lock }),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other(format!("{MOST_RUNS} runs are active on this host")))
}

/// Fails if a file of the host gives a user id of runs to others; the error names the file.
pub fn require_free() -> io::Result<()> {
    for (path, field) in [("/etc/passwd", 2), ("/etc/group", 2)] {
        require_no_user(path, &read(path)?, field)?;
    }
    for path in ["/etc/subuid", "/etc/subgid"] {
        require_no_range(path, &read(path)?)?;
    }
    Ok(())
}

fn read(path: &str) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(error),
    }
}

const END: u64 = FIRST as u64 + (MOST_RUNS * A_RUN) as u64;

fn require_no_user(path: &str, text: &str, field: usize) -> io::Result<()> {
    let is_ours = |line: &&str| line.split(':').nth(field).and_then(|id| id.parse().ok()).is_some_and(|id| (u64::from(FIRST)..END).contains(&id));
    match text.lines().find(is_ours) {
        None => Ok(()),
        Some(line) => Err(taken(path, line)),
    }
}

/// Fails if a line `name:first:count` of the text gives user ids of runs to others.
fn require_no_range(path: &str, text: &str) -> io::Result<()> {
    let is_ours = |line: &&str| {
        let mut numbers = line.split(':').skip(1).map(|number| number.trim().parse::<u64>().unwrap_or(0));
        let (first, count) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        first < END && first.saturating_add(count) > u64::from(FIRST)
    };
    match text.lines().find(is_ours) {
        None => Ok(()),
        Some(line) => Err(taken(path, line)),
    }
}

fn taken(path: &str, line: &str) -> io::Error {
    io::Error::other(format!("{path} gives a user from {FIRST} on to others: {}", line.escape_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_ids_of_runs_do_not_overlap_those_of_people_and_containers() {
        assert!(require_no_user("p", "root:x:0:0:root:/root:/bin/sh\nann:x:1001:1001::/home/ann:/bin/sh\n", 2).is_ok());
        assert!(require_no_user("p", "odd:x:2013265920:1::/:/bin/sh", 2).is_err());
        assert!(require_no_range("s", "ann:100000:65536\n\nbroken\n").is_ok());
        assert!(require_no_range("s", "ann:100000:4294967295\n").is_err());
        assert!(require_no_range("s", &format!("ann:{}:1", END - 1)).is_err() && require_no_range("s", &format!("ann:{END}:9")).is_ok());
    }
}
