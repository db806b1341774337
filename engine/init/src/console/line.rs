//! A line as a person types it: echo, backspace, Ctrl-U, Ctrl-C, Ctrl-D. Nothing else of a terminal's keyboard has a
//! meaning; arrow keys and their like are swallowed.

use super::filter::filtered;

/// More than anyone types; a paste beyond it is cut.
const MOST_BYTES: usize = 4096;
const BACKSPACE: &str = "\u{8} \u{8}";

/// What one typed byte did.
#[derive(Debug, PartialEq, Eq)]
pub enum Key {
    /// Draw this; the line goes on.
    Echo(String),
    Line(String),
    Interrupt,
    /// Ctrl-D on an empty line.
    End,
}

#[derive(Default)]
enum Escape {
    #[default]
    None,
    Started,
    Sequence,
}

#[derive(Default)]
pub struct LineEditor {
    line: String,
    /// Bytes of a character that is not whole yet.
    partial: Vec<u8>,
    escape: Escape,
    after_return: bool,
}

impl LineEditor {
    pub fn clear(&mut self) {
        *self = Self { after_return: self.after_return, ..Self::default() };
    }

    pub fn is_empty(&self) -> bool {
        self.line.is_empty() && self.partial.is_empty()
    }

    /// What has been typed so far, as it is drawn.
    pub fn drawn(&self) -> String {
        filtered(&self.line)
    }

    pub fn key(&mut self, byte: u8) -> Key {
        let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
        if self.swallows(byte) {
            return Key::Echo(String::new());
        }
        match byte {
            b'\n' if after_return => Key::Echo(String::new()), // the second half of one line end
            b'\r' | b'\n' => Key::Line(std::mem::take(&mut self.line)),
            0x03 => Key::Interrupt,
            0x04 if self.line.is_empty() => Key::End,
            0x15 => Key::Echo(self.erase(usize::MAX)),
            0x08 | 0x7f => Key::Echo(self.erase(1)),
            b'\t' => self.add(b' '),
            0x00..=0x1f => Key::Echo(String::new()),
            _ => self.add(byte),
        }
    }

    /// Escape sequences: `ESC [ … letter`, `ESC O letter` and `ESC letter`.
    fn swallows(&mut self, byte: u8) -> bool {
        let (next, swallowed) = match (&self.escape, byte) {
            (_, 0x1b) => (Escape::Started, true),
            (Escape::Started, b'[' | b'O') => (Escape::Sequence, true),
            (Escape::Started, 0x20..=0x7e) => (Escape::None, true),
            (Escape::Sequence, 0x40..=0x7e) => (Escape::None, true),
            (Escape::Sequence, 0x20..=0x3f) => (Escape::Sequence, true),
            _ => (Escape::None, false),
        };
        self.escape = next;
        swallowed
    }

    fn add(&mut self, byte: u8) -> Key {
        self.partial.push(byte);
        let whole = match std::str::from_utf8(&self.partial) {
            Ok(text) => text.to_owned(),
            Err(error) if error.error_len().is_none() => return Key::Echo(String::new()),
            Err(_) => char::REPLACEMENT_CHARACTER.to_string(),
        };
        self.partial.clear();
        if self.line.len() + whole.len() > MOST_BYTES {
            return Key::Echo(String::new());
        }
        self.line.push_str(&whole);
        Key::Echo(filtered(&whole))
    }

    fn erase(&mut self, most: usize) -> String {
        self.partial.clear();
        let mut echo = String::new();
        for _ in 0..most {
            let Some(gone) = self.line.pop() else { break };
            echo.push_str(&BACKSPACE.repeat(filtered(&gone.to_string()).chars().count()));
        }
        echo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(bytes: &[u8]) -> Vec<Key> {
        let mut editor = LineEditor::default();
        bytes.iter().map(|&byte| editor.key(byte)).filter(|key| *key != Key::Echo(String::new())).collect()
    }

    fn line(bytes: &[u8]) -> String {
        match typed(bytes).pop() {
            Some(Key::Line(line)) => line,
            other => panic!("no line: {other:?}"),
        }
    }

    #[test]
    fn a_line_ends_with_return_or_newline_or_both() {
        assert_eq!(line(b"hello\r"), "hello");
        assert_eq!(line(b"hello\n"), "hello");
        assert_eq!(typed(b"a\r\nb\n").into_iter().filter(|key| matches!(key, Key::Line(_))).count(), 2);
        assert_eq!(typed(b"\r\r\n\n").len(), 3);
    }

    #[test]
    fn backspace_takes_a_whole_character() {
        assert_eq!(line("aü\u{7f}b\r".as_bytes()), "ab");
        assert_eq!(line("世\u{8}x\r".as_bytes()), "x");
        assert_eq!(line(b"\x7f\x7fx\r"), "x");
    }

    #[test]
    fn control_u_takes_the_line() {
        assert_eq!(line(b"gone\x15kept\r"), "kept");
    }

    #[test]
    fn control_c_and_control_d() {
        assert_eq!(typed(b"ab\x03").pop(), Some(Key::Interrupt));
        assert_eq!(typed(b"\x04"), [Key::End]);
        assert_eq!(line(b"ab\x04\r"), "ab");
    }

    #[test]
    fn escape_sequences_are_swallowed() {
        assert_eq!(line(b"a\x1b[A\x1b[1;5Cb\x1bOP\x1bxc\r"), "abc");
    }

    #[test]
    fn bytes_that_are_no_text_do_not_reach_the_screen() {
        assert_eq!(line(b"a\xffb\r"), "a\u{fffd}b");
        assert_eq!(line("x\u{202e}y\r".as_bytes()), "x\u{202e}y");
        assert!(typed("\u{202e}".as_bytes()).contains(&Key::Echo("‹U+202E›".into())));
    }

    #[test]
    fn a_paste_beyond_the_limit_is_cut() {
        let paste = [vec![b'x'; MOST_BYTES + 10], vec![b'\r']].concat();
        assert_eq!(line(&paste).len(), MOST_BYTES);
    }
}
