//! Known properties of the terminal. A serial line reports nothing by itself, so the console asks for the cursor's position. A terminal
//! that does not answer gets a plain stream of lines, without any redrawing.

use crate::filter::spell;
use crate::signs::{Sign, sign_of};
use unicode_width::UnicodeWidthChar as _;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    pub columns: usize,
    pub rows: usize,
    /// Whether the window is too small to show a question. If so, `columns` and `rows` have the minimum size instead.
    pub is_small: bool,
    /// Whether the terminal has reported the position of its cursor. If so, the console can move the cursor and redraw output.
    pub moves: bool,
    /// Whether colours and attributes are drawn.
    pub paints: bool,
    pub font: Font,
}

/// The program that draws the characters, and so decides their font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// The person's own terminal draws the characters, with a font that the console does not know.
    Terminal,
    /// The kernel draws the characters, on the machine's own screen.
    Kernel,
}

/// The number of columns that a terminal reports is limited to this range: a window of one column could not show a mark of the console.
const COLUMNS: std::ops::RangeInclusive<usize> = 40..=400;
const ROWS: std::ops::RangeInclusive<usize> = 10..=400;

/// Asks the terminal for the cursor's position.
pub const PROBE: &str = "\x1b[6n";
/// Asks for the position of the farthest corner, which is the size of the screen.
pub const SIZE_PROBE: &str = "\x1b7\x1b[999;999H\x1b[6n\x1b8";
/// Makes the terminal put pastes between brackets; `NO_BRACKETS` ends this.
pub const BRACKETS: &str = "\x1b[?2004h";
pub const NO_BRACKETS: &str = "\x1b[?2004l";
/// Makes the terminal wrap lines by itself; `NEVER_WRAPS` ends this.
pub const WRAPS: &str = "\x1b[?7h";
pub const NEVER_WRAPS: &str = "\x1b[?7l";
pub const CLEAR: &str = "\x1b[H\x1b[2J";

impl Default for Screen {
    fn default() -> Self {
        Self { columns: 80, rows: 25, is_small: false, moves: false, paints: false, font: Font::Terminal }
    }
}

impl Screen {
    /// Returns the screen of a window of this size; `COLUMNS` and `ROWS` bound the size.
    pub fn of_size(self, rows: u16, columns: u16) -> Self {
        let (rows, columns) = (usize::from(rows), usize::from(columns));
        let is_small = rows < *ROWS.start() || columns < *COLUMNS.start();
        let rows = rows.clamp(*ROWS.start(), *ROWS.end());
        Self { columns: columns.clamp(*COLUMNS.start(), *COLUMNS.end()), rows, is_small, moves: true, ..self }
    }

    /// Returns the screen of a terminal that no longer reports its size.
    pub fn of_unknown_size(self) -> Self {
        Self { font: self.font, ..Self::default() }
    }

    /// Returns a text with the size of the smallest window that can show a question.
    pub fn smallest() -> String {
        format!("{} columns and {} rows", COLUMNS.start(), ROWS.start())
    }

    /// Returns the text with escapes for characters that the font lacks. In a text that a person decides about (`is_judged`), characters
    /// that the font draws like others are escaped too.
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

    /// Returns how many columns a character fills. On a terminal that wraps lines by itself, every character beyond ASCII counts as two
    /// columns, so that no line wraps unexpectedly.
    pub fn width(self, character: char) -> usize {
        if self.moves { character.width().unwrap_or(1) } else { widest(character) }
    }
}

/// Returns whether a character fills two columns; scripts with such characters put no blanks between words.
pub fn is_wide(character: char) -> bool {
    character.width() == Some(2)
}

/// Returns the most columns that any terminal uses for the character: one for ASCII, two for any other character.
pub fn widest(character: char) -> usize {
    if character.is_ascii() { 1 } else { 2 }
}
