//! Asks the person at the machine for a passphrase, before any service runs: no other process can read the terminal then.
//!
//! Input is not shown, and input from before the question is dropped. The wait is limited: an unattended machine
//! stops, and prints the reason.

use crate::luks::Secret;
use crate::refusal::{About as _, Checked, refuse};
use crate::sys;
use crate::unseen::{Line, Typed};
use std::io::{self, Write as _};
use std::os::fd::{AsRawFd, RawFd};

/// Maximum minutes from the question to the end of the typed line.
const MOST_MINUTES: u64 = 10;

/// init's own end of the console.
struct Terminal;

impl AsRawFd for Terminal {
    fn as_raw_fd(&self) -> RawFd {
        libc::STDIN_FILENO
    }
}

/// Prints the question and reads one line. Returns `None` if the line is longer than a passphrase may be.
pub fn ask(question: &str) -> Checked<Option<Secret>> {
    let mode = sys::mode_of(&Terminal).about("the console")?;
    sys::raw_mode(&Terminal).about("the console")?;
    sys::drop_unread(&Terminal);
    let _ = write!(io::stdout(), "{question}> ").and_then(|()| io::stdout().flush());
    let deadline = sys::now() + MOST_MINUTES * 60_000;
    let line = read(&mut |buffer| Ok(sys::read_before(&Terminal, buffer, deadline)?.unwrap_or(0)));
    let _ = writeln!(io::stdout());
    sys::set_mode(&Terminal, &mode).about("the console")?;
    line.map(Line::whole)
}

/// Reads a line with `more`, one byte at a time. `more` returns 0 if the console is closed, or no key was pressed in time.
fn read(more: &mut dyn FnMut(&mut [u8; 1]) -> io::Result<usize>) -> Checked<Line> {
    let mut line = Line::default();
    let mut byte = [0];
    loop {
        if more(&mut byte).about("the console")? == 0 {
            return refuse("the data disk", "nobody typed its passphrase");
        }
        match line.take(byte[0]) {
            Typed::More => {}
            Typed::Done => return Ok(line),
            Typed::Left => return refuse("the data disk", "its passphrase was not given"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(bytes: &[u8]) -> Checked<Line> {
        let mut left = bytes.iter();
        read(&mut |buffer| Ok(left.next().map_or(0, |&byte| {
            buffer[0] = byte;
            1
        })))
    }

    fn line(bytes: &[u8]) -> Vec<u8> {
        typed(bytes).unwrap().whole().unwrap().to_vec()
    }

    #[test]
    fn a_typed_line_leaves_out_deleted_characters() {
        assert_eq!(line(b"open it\rmore"), b"open it");
        assert_eq!(line(b"ab\x7f\x08\x08c\n"), b"c");
        assert_eq!(line("a\u{e9}\u{20ac}\x7f\x7fb\r".as_bytes()), b"ab");
        assert_eq!(line(b"wrong\x15right\r"), b"right");
        assert_eq!(line(b"a\x1b\x00\tb\r"), b"ab");
        assert_eq!(line(b"\r"), b"");
    }

    #[test]
    fn the_machine_stops_if_the_person_does_not_answer_or_the_console_is_closed() {
        assert!(typed(b"half\x03").err().unwrap().to_string().contains("was not given"));
        assert!(typed(b"\x04").err().unwrap().to_string().contains("was not given"));
        assert!(typed(b"half").err().unwrap().to_string().contains("nobody typed"));
    }
}
