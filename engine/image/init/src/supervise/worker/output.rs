//! Stores the output of a process while it runs. If the process dies, its last lines are shown.

use super::piece::Piece;
use crate::filter::filtered_line;
use crate::sys;
use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;

/// Bytes of a process's output that are stored, and shown if it dies.
const LAST_WORDS: usize = 4096;
/// Maximum number of a process's lines to show: more would displace other notices for the person.
const MOST_LAST_LINES: usize = 32;

#[derive(Default)]
pub struct Output {
    pipe: Option<OwnedFd>,
    printed: VecDeque<u8>,
}

impl Output {
    pub fn of(pipe: OwnedFd) -> io::Result<Self> {
        sys::never_block(&pipe)?;
        Ok(Self { pipe: Some(pipe), printed: VecDeque::new() })
    }

    /// Returns the pipe's descriptor, or `None` if the pipe is closed.
    pub fn descriptor(&self) -> Option<&OwnedFd> {
        self.pipe.as_ref()
    }

    pub fn take(&mut self) {
        let mut piece = Piece::begin();
        while let Some(bytes) = piece.next(&mut self.pipe) {
            self.printed.extend(bytes);
            let excess = self.printed.len().saturating_sub(LAST_WORDS);
            self.printed.drain(..excess);
        }
    }

    /// Closes the pipe. No more output is read; the last output is kept.
    pub fn close(&mut self) {
        self.pipe = None;
    }

    /// Returns the last printed lines, made safe for a screen.
    pub fn last_words(&self) -> Vec<String> {
        let bytes: Vec<u8> = self.printed.iter().copied().collect();
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(MOST_LAST_LINES)..];
        last.iter().map(|line| filtered_line(&String::from_utf8_lossy(line))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_output_is_bounded_and_contains_no_unsafe_characters() {
        let (reading, writing) = sys::pipe().unwrap();
        let mut output = Output::of(reading).unwrap();
        output.printed.extend(b"\x1b[2Jred\nblue\n");
        assert_eq!(output.last_words(), ["‹U+001B›[2Jred", "blue"]);
        sys::write(&writing, &[b'x'; 3 * LAST_WORDS]).unwrap();
        output.take();
        assert_eq!(output.printed.len(), LAST_WORDS);
        output.printed = b"x\n".repeat(LAST_WORDS / 2).into();
        assert_eq!(output.last_words().len(), MOST_LAST_LINES);
    }
}
