//! Decodes bytes of a terminal's keyboard: the keys of a VT100 and the usual shortcuts of a shell. Unknown sequences are dropped as a
//! whole, so that no part of one ever counts as text.

/// Maximum bytes of a sequence's parameters; no key has as many. A longer sequence is dropped as a whole.
const MOST_PARAMETERS: usize = 16;

/// Action of a person, or response of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    Text(char),
    /// A character that the terminal marks as pasted; it may be a newline.
    Pasted(char),
    Enter,
    Left,
    Right,
    WordLeft,
    WordRight,
    Home,
    End,
    Up,
    Down,
    Backspace,
    Delete,
    KillWord,
    KillWordRight,
    KillRight,
    KillAll,
    Yank,
    Tab,
    /// Ctrl-R: searches the history.
    Search,
    /// Ctrl-G: ends the search without its result.
    Abandon,
    /// Alt-Enter: continues the line in another row.
    NewRow,
    Refresh,
    Interrupt,
    /// Ctrl-D: deletes the character under the cursor, and ends an empty line.
    Close,
    /// Position of the cursor: row and column, from 1.
    Report(u16, u16),
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Plain,
    Escape,
    /// The last bytes were `ESC [`, and these parameters.
    Sequence(Vec<u8>),
    /// The last bytes were `ESC O`, which begins a function key.
    Function,
}

/// Decoder of the keyboard's bytes, with the received part of a sequence.
#[derive(Debug, Default)]
pub struct Keyboard {
    state: State,
    /// Bytes of an incomplete character.
    partial: Vec<u8>,
    after_return: bool,
    /// Whether a paste is open: no byte before its end is a key.
    pasting: bool,
}

impl Keyboard {
    /// Drops the received part of a key: it was typed before a question, and must not answer this question.
    pub fn forget(&mut self) {
        *self = Self { after_return: self.after_return, ..Self::default() };
    }

    /// Returns whether a paste has begun and not ended.
    pub fn is_pasting(&self) -> bool {
        self.pasting
    }

    pub fn feed(&mut self, byte: u8) -> Option<Stroke> {
        let after_return = std::mem::replace(&mut self.after_return, byte == b'\r');
        match std::mem::take(&mut self.state) {
            State::Escape if byte == b'\r' && !self.pasting => Some(Stroke::NewRow),
            // A control character ends an unfinished sequence, so that Ctrl-C always works.
            _ if byte < 0x20 || byte == 0x7f => self.control(byte, after_return),
            State::Plain => self.text(byte),
            State::Escape => self.behind_escape(byte),
            State::Sequence(parameters) => self.in_sequence(parameters, byte),
            State::Function => function(byte),
        }
    }

    fn control(&mut self, byte: u8, after_return: bool) -> Option<Stroke> {
        self.partial.clear();
        match byte {
            0x1b => self.state = State::Escape,
            0x03 => {
                self.pasting = false;
                return Some(Stroke::Interrupt);
            }
            b'\n' if after_return => {} // the second half of one line end
            b'\r' | b'\n' if self.pasting => return Some(Stroke::Pasted('\n')),
            b'\t' if self.pasting => return Some(Stroke::Pasted(' ')),
            _ if self.pasting => {}
            _ => return key(byte),
        }
        None
    }

    fn behind_escape(&mut self, byte: u8) -> Option<Stroke> {
        match byte {
            b'[' => self.state = State::Sequence(Vec::new()),
            b'O' => self.state = State::Function,
            _ if self.pasting => {}
            b'b' => return Some(Stroke::WordLeft),
            b'f' => return Some(Stroke::WordRight),
            b'd' => return Some(Stroke::KillWordRight),
            _ => {}
        }
        None
    }

    fn in_sequence(&mut self, mut parameters: Vec<u8>, byte: u8) -> Option<Stroke> {
        match byte {
            0x40..=0x7e => return self.sequence(&parameters, byte),
            0x20..=0x3f => {
                if parameters.len() <= MOST_PARAMETERS {
                    parameters.push(byte);
                }
                self.state = State::Sequence(parameters);
            }
            _ => {}
        }
        None
    }

    fn sequence(&mut self, parameters: &[u8], last: u8) -> Option<Stroke> {
        if parameters.len() > MOST_PARAMETERS {
            return None;
        }
        match (parameters, last) {
            (b"200", b'~') => self.pasting = true,
            (b"201", b'~') => self.pasting = false,
            (_, b'R') => return report(parameters),
            _ if self.pasting => {}
            (b"1;5" | b"1;3", b'C') => return Some(Stroke::WordRight),
            (b"1;5" | b"1;3", b'D') => return Some(Stroke::WordLeft),
            (b"1" | b"7", b'~') => return Some(Stroke::Home),
            (b"4" | b"8", b'~') => return Some(Stroke::End),
            (b"3", b'~') => return Some(Stroke::Delete),
            (b"", last) => return function(last),
            _ => {}
        }
        None
    }

    fn text(&mut self, byte: u8) -> Option<Stroke> {
        self.partial.push(byte);
        let character = match std::str::from_utf8(&self.partial) {
            Ok(text) => text.chars().next(),
            Err(error) if error.error_len().is_none() => return None,
            Err(_) => Some(char::REPLACEMENT_CHARACTER),
        };
        self.partial.clear();
        character.map(if self.pasting { Stroke::Pasted } else { Stroke::Text })
    }
}

fn key(byte: u8) -> Option<Stroke> {
    Some(match byte {
        b'\r' | b'\n' => Stroke::Enter,
        b'\t' => Stroke::Tab,
        0x01 => Stroke::Home,
        0x02 => Stroke::Left,
        0x04 => Stroke::Close,
        0x05 => Stroke::End,
        0x06 => Stroke::Right,
        0x07 => Stroke::Abandon,
        0x08 | 0x7f => Stroke::Backspace,
        0x0b => Stroke::KillRight,
        0x0c => Stroke::Refresh,
        0x0e => Stroke::Down,
        0x10 => Stroke::Up,
        0x12 => Stroke::Search,
        0x15 => Stroke::KillAll,
        0x17 => Stroke::KillWord,
        0x19 => Stroke::Yank,
        _ => return None,
    })
}

fn function(last: u8) -> Option<Stroke> {
    Some(match last {
        b'A' => Stroke::Up,
        b'B' => Stroke::Down,
        b'C' => Stroke::Right,
        b'D' => Stroke::Left,
        b'H' => Stroke::Home,
        b'F' => Stroke::End,
        _ => return None,
    })
}

fn report(parameters: &[u8]) -> Option<Stroke> {
    let (row, column) = std::str::from_utf8(parameters).ok()?.split_once(';')?;
    Some(Stroke::Report(row.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn strokes(bytes: &[u8]) -> Vec<Stroke> {
        let mut keyboard = Keyboard::default();
        bytes.iter().filter_map(|&byte| keyboard.feed(byte)).collect()
    }

    fn text(strokes: &[Stroke]) -> String {
        strokes.iter().filter_map(|stroke| if let Stroke::Text(character) | Stroke::Pasted(character) = stroke { Some(*character) } else { None }).collect()
    }

    #[test]
    fn a_line_ends_with_return_or_newline_or_both() {
        let ends = |bytes: &[u8]| strokes(bytes).iter().filter(|stroke| **stroke == Stroke::Enter).count();
        assert_eq!((ends(b"a\r"), ends(b"a\n"), ends(b"a\r\nb\n"), ends(b"\r\r\n\n")), (1, 1, 2, 3));
    }

    #[test]
    fn each_key_sequence_and_shell_shortcut_is_decoded_to_its_action() {
        for (sequence, stroke) in [
            ("\x1b[A", Stroke::Up),
            ("\x1bOB", Stroke::Down),
            ("\x1b[C", Stroke::Right),
            ("\x02", Stroke::Left),
            ("\x1b[1~", Stroke::Home),
            ("\x1bOF", Stroke::End),
            ("\x1b[3~", Stroke::Delete),
            ("\x1b[1;5C", Stroke::WordRight),
            ("\x1bb", Stroke::WordLeft),
            ("\x17", Stroke::KillWord),
            ("\x1b[12;80R", Stroke::Report(12, 80)),
            ("\x12", Stroke::Search),
            ("\x07", Stroke::Abandon),
            ("\x1b\r", Stroke::NewRow),
        ] {
            assert_eq!(strokes(sequence.as_bytes()), [stroke], "{sequence:?}");
        }
    }

    #[test]
    fn an_unknown_sequence_is_dropped_completely() {
        assert_eq!(text(&strokes(b"a\x1b[15~\x1b[1;2P\x1bOP\x1bxb")), "ab");
        assert_eq!(text(&strokes(b"a\x1b[999999999999999999999;1Rb")), "ab");
        assert_eq!(strokes(b"\x1b[99999;1R\x1b[;R\x1b[R"), []);
    }

    #[test]
    fn a_paste_never_submits_a_line() {
        let pasted = strokes(b"\x1b[200~rm -rf /\r\n\ty\x04\x1b[A\x15\x1bd\r\x1b[201~\x1b[A");
        assert_eq!(text(&pasted), "rm -rf /\n y\n");
        assert_eq!(pasted.iter().filter(|stroke| !matches!(stroke, Stroke::Pasted(_))).copied().collect::<Vec<_>>(), [Stroke::Up]);
    }

    #[test]
    fn bracketed_pastes_are_distinguished_from_typed_text() {
        let mixed = strokes("a\x1b[200~ü\x1b[201~b".as_bytes());
        assert_eq!(mixed, [Stroke::Text('a'), Stroke::Pasted('ü'), Stroke::Text('b')]);
        assert_eq!(strokes(b"\x1b[200~a\x03b").split_off(1), [Stroke::Interrupt, Stroke::Text('b')]);
    }

    #[test]
    fn control_c_is_recognized_even_within_another_sequence() {
        for before in ["", "\x1b", "\x1b[", "\x1b[1;", "\x1bO", "\x1b[200~abc", "\u{e9}"] {
            let mut bytes = before.as_bytes().to_vec();
            bytes.extend(b"\x03\r");
            assert_eq!(strokes(&bytes).split_off(strokes(&bytes).len() - 2), [Stroke::Interrupt, Stroke::Enter], "{before:?}");
        }
        assert_eq!(strokes(&[0xc3, 0x03]), [Stroke::Interrupt]);
    }

    #[test]
    fn invalid_bytes_become_one_replacement_character() {
        assert_eq!(text(&strokes(b"a\xffb")), "a\u{fffd}b");
        assert_eq!(text(&strokes("ü世🙂".as_bytes())), "ü世🙂");
    }

    #[test]
    fn property_no_bytes_are_decoded_to_a_control_character_as_text_and_an_endless_sequence_takes_bounded_memory() {
        for seed in 0..300 {
            let mut chance = Chance::new(seed);
            let mut keyboard = Keyboard::default();
            for _ in 0..400 {
                let byte = *chance.pick(&[0x1b, b'[', b'O', b';', b'2', b'0', b'~', b'R', b'A', 0xc3, 0xa9, 0xff, b'\r', 0x9b, b'x']);
                match keyboard.feed(byte) {
                    Some(Stroke::Text(character)) => assert!(!character.is_ascii_control()),
                    Some(Stroke::Pasted(character)) => assert!(!character.is_ascii_control() || character == '\n'),
                    _ => assert!(keyboard.partial.len() < 4),
                }
                if let State::Sequence(parameters) = &keyboard.state {
                    assert!(parameters.len() <= MOST_PARAMETERS + 1);
                }
            }
        }
    }
}
