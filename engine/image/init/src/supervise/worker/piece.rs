//! Limits how much of a process's messages or output is read at a time.

use crate::sys;
use std::os::fd::OwnedFd;

/// Maximum bytes to read at a time: a process with endless output must not keep init from serving other processes. The limit
/// equals the size of a pipe, so that the last output of a dead process is read as a whole.
pub const MOST_AT_ONCE: usize = 64 * 1024;

pub struct Piece {
    left: usize,
    buffer: [u8; 4096],
}

impl Piece {
    pub fn begin() -> Self {
        Self { left: MOST_AT_ONCE, buffer: [0; 4096] }
    }

    /// Returns the next bytes, or `None` if no bytes are available now. If the other side is closed, this end is closed as well.
    pub fn next(&mut self, end: &mut Option<OwnedFd>) -> Option<&[u8]> {
        let open = end.as_ref().filter(|_| self.left > 0)?;
        let size = sys::read(open, &mut self.buffer).ok()?;
        if size == 0 {
            *end = None;
            return None;
        }
        self.left = self.left.saturating_sub(size);
        Some(&self.buffer[..size])
    }
}
