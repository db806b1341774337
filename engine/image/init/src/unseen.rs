//! Stores a line that a person types without an echo. The buffer has its whole capacity from the beginning, because growing would leave
//! copies behind, and it is zeroed when it is dropped.

use crate::luks::{MOST_PASSPHRASE, Secret};

const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;
const BACKSPACE: u8 = 8;
const CTRL_U: u8 = 21;
const DELETE: u8 = 127;

/// Effect of a byte on the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    More,
    Done,
    /// The person cancels the input.
    Left,
}

pub struct Line {
    bytes: Secret,
    is_too_long: bool,
}

impl Default for Line {
    fn default() -> Self {
        Self { bytes: Secret::new(Vec::with_capacity(MOST_PASSPHRASE)), is_too_long: false }
    }
}

impl Line {
    pub fn take(&mut self, byte: u8) -> Typed {
        match byte {
            b'\r' | b'\n' => return Typed::Done,
            CTRL_C | CTRL_D => return Typed::Left,
            CTRL_U => {
                self.bytes.clear();
                self.is_too_long = false;
            }
            BACKSPACE | DELETE => self.drop_last(),
            // A control byte is ignored: it may come from an arrow key, and a passphrase with it could not be typed elsewhere.
            0..0x20 => {}
            _ if self.bytes.len() == MOST_PASSPHRASE => self.is_too_long = true,
            _ => self.bytes.push(byte),
        }
        Typed::More
    }

    /// Returns the line, or `None` if it was longer than a passphrase may be.
    pub fn whole(self) -> Option<Secret> {
        if self.is_too_long { None } else { Some(self.bytes) }
    }

    /// Removes a character: its continuation bytes, and its first byte.
    fn drop_last(&mut self) {
        while self.bytes.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(bytes: &[u8]) -> Line {
        let mut line = Line::default();
        assert!(bytes.iter().all(|&byte| line.take(byte) == Typed::More));
        line
    }

    #[test]
    fn a_line_that_is_too_long_is_invalid_and_its_buffer_never_grows() {
        let most = typed(&[b'x'; MOST_PASSPHRASE]).whole().unwrap();
        assert_eq!(most.len(), MOST_PASSPHRASE);
        let over = typed(&[b'x'; MOST_PASSPHRASE + 9]);
        assert_eq!(over.bytes.capacity(), most.capacity());
        assert!(over.whole().is_none());
        let again = typed(&[&[b'x'; MOST_PASSPHRASE + 9][..], b"\x15short"].concat());
        assert_eq!(**again.whole().unwrap(), *b"short");
    }
}
