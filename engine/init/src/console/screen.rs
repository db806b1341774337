//! What is known of the terminal. A serial line tells nothing by itself: the console asks where the cursor is, and who does
//! not answer gets a plain stream of lines, in which nothing is ever drawn over.

use super::filter::spell;
use crate::signs::{Sign, sign_of};
use unicode_width::UnicodeWidthChar as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub columns: usize,
    /// It answered: its cursor can be moved, and what was drawn can be drawn again.
    pub moves: bool,
    pub font: Font,
}

/// Who draws the characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// A terminal of the person's, with whatever it has.
    Terminal,
    /// The kernel, on the machine's own screen.
    Kernel,
}

/// What a terminal says of itself is taken within these bounds: a window of one column cannot hold a mark.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=400;

/// Where is the cursor?
pub const PROBE: &str = "\x1b[6n";
/// The same for the corner that is farthest away: how large is the screen?
pub const SIZE_PROBE: &str = "\x1b7\x1b[999;999H\x1b[6n\x1b8";
/// Pastes come between brackets.
pub const BRACKETS: &str = "\x1b[?2004h";
pub const NO_BRACKETS: &str = "\x1b[?2004l";
/// The terminal goes on in the next line by itself, or not.
pub const WRAPS: &str = "\x1b[?7h";
pub const NEVER_WRAPS: &str = "\x1b[?7l";
pub const CLEAR: &str = "\x1b[H\x1b[2J";

impl Default for Screen {
    fn default() -> Self {
        Self { columns: 80, moves: false, font: Font::Terminal }
    }
}

impl Screen {
    /// Once it has told its width.
    pub fn of_width(self, columns: u16) -> Self {
        Self { columns: usize::from(columns).clamp(*COLUMNS.start(), *COLUMNS.end()), moves: true, ..self }
    }

    /// The text with the characters spelled out that the font lacks; where a person is to judge, also those that it draws as
    /// another.
    pub fn fitting(self, text: &str, is_judged: bool) -> String {
        let mut fitting = String::with_capacity(text.len());
        for character in text.chars() {
            if self.font == Font::Terminal || matches!(character, '\n' | '\t') {
                fitting.push(character);
                continue;
            }
            match sign_of(character) {
                Sign::Alike if is_judged => spell(&mut fitting, character),
                Sign::None => spell(&mut fitting, character),
                Sign::Own | Sign::Alike => fitting.push(character),
            }
        }
        fitting
    }

    /// Columns that a character fills. A terminal that wraps by itself must never do it where we do not expect it: there
    /// whatever is not ASCII counts as two.
    pub fn width(self, character: char) -> usize {
        if self.moves { character.width().unwrap_or(1) } else { widest(character) }
    }
}

/// Signs that fill two columns stand in scripts that put no blanks between words.
pub fn is_wide(character: char) -> bool {
    character.width() == Some(2)
}

/// On any terminal: beyond ASCII a character may be two wide.
pub fn widest(character: char) -> usize {
    if character.is_ascii() { 1 } else { 2 }
}
