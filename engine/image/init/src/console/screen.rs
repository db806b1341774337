//! Known properties of the terminal. A serial line tells nothing by itself, so the console asks where the cursor is. A terminal that
//! does not answer gets a plain stream of lines, in which nothing is ever drawn over.

use crate::filter::spell;
use crate::signs::{Sign, sign_of};
use unicode_width::UnicodeWidthChar as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub columns: usize,
    pub rows: usize,
    /// The window is smaller than the smallest that a question is drawn in; `columns` and `rows` are those of the smallest.
    pub is_small: bool,
    /// It answered: its cursor can be moved, and what was drawn can be drawn again.
    pub moves: bool,
    pub font: Font,
}

/// Renderer of the characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// A terminal of the person's, with whatever it has.
    Terminal,
    /// The kernel, on the machine's own screen.
    Kernel,
}

/// Bounds within which a terminal's report of its size is taken: a window of one column cannot hold a mark.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=400;
const ROWS: std::ops::RangeInclusive<usize> = 10..=400;

/// Asks the terminal where the cursor is.
pub const PROBE: &str = "\x1b[6n";
/// Asks for the position of the corner that is farthest away, which is the size of the screen.
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
        Self { columns: 80, rows: 25, is_small: false, moves: false, font: Font::Terminal }
    }
}

impl Screen {
    /// Returns the screen of a window of this size, within the bounds above.
    pub fn of_size(self, rows: u16, columns: u16) -> Self {
        let (rows, columns) = (usize::from(rows), usize::from(columns));
        let is_small = rows < *ROWS.start() || columns < *COLUMNS.start();
        let rows = rows.clamp(*ROWS.start(), *ROWS.end());
        Self { columns: columns.clamp(*COLUMNS.start(), *COLUMNS.end()), rows, is_small, moves: true, ..self }
    }

    /// Returns the screen of a terminal that no longer says how large it is.
    pub fn of_unknown_size(self) -> Self {
        Self { font: self.font, ..Self::default() }
    }

    /// Returns the size of the smallest window that a question is drawn in, as words.
    pub fn smallest() -> String {
        format!("{} columns and {} rows", COLUMNS.start(), ROWS.start())
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
