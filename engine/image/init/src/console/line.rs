//! Edits a line without a screen; `window` draws it.

use super::keyboard::Stroke;
use super::said::Said;
use crate::filter::is_mark;

/// Maximum bytes of a line. A person does not type more; a longer paste is truncated.
pub const MOST_BYTES: usize = 4096;

/// Effect of one key on the line.
#[derive(Debug, PartialEq, Eq)]
pub enum Edit {
    Nothing,
    /// This text was added at the end of the line, at the cursor.
    Appended(char),
    /// This text was removed from the end of the line, at the cursor.
    Taken(String),
    /// Any other change of the line, the cursor or both.
    Changed,
    Line(Said),
    /// Ctrl-D on an empty line.
    End,
}

#[derive(Default)]
pub struct LineEditor {
    line: Said,
    /// Offset in bytes, between two characters.
    cursor: usize,
    killed: Said,
}

impl LineEditor {
    /// Clears the line. Killed text is retained, and can be yanked into the next line.
    pub fn clear(&mut self) {
        self.line.clear();
        self.cursor = 0;
    }

    /// Clears the line and the killed text, because the line may answer a question.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    pub fn is_empty(&self) -> bool {
        self.line().is_empty()
    }

    pub fn line(&self) -> &str {
        self.line.text()
    }

    /// Returns the line with its pasted parts marked.
    pub fn said(&self) -> &Said {
        &self.line
    }

    /// Returns the text before the cursor.
    pub fn before(&self) -> &str {
        &self.line()[..self.cursor]
    }

    pub fn is_at_end(&self) -> bool {
        self.cursor == self.line().len()
    }

    /// Replaces the line; the cursor goes to its end.
    pub fn replace(&mut self, line: &Said) {
        self.line.clone_from(line);
        self.cursor = self.line().len();
    }

    pub fn apply(&mut self, stroke: Stroke) -> Edit {
        match stroke {
            Stroke::Text(character) => self.add(character, Said::typed),
            Stroke::Pasted(character) => self.add(character, Said::pasted),
            Stroke::Enter => {
                self.cursor = 0;
                Edit::Line(std::mem::take(&mut self.line))
            }
            Stroke::Close if self.is_empty() => Edit::End,
            Stroke::Left => self.go(self.left_of(self.cursor)),
            Stroke::Right => self.go(self.right_of(self.cursor)),
            Stroke::WordLeft => self.go(self.word_left()),
            Stroke::WordRight => self.go(self.word_right()),
            Stroke::Home => self.go(0),
            Stroke::End => self.go(self.line().len()),
            Stroke::Backspace => self.take(self.left_of(self.cursor), self.cursor, false),
            Stroke::Delete | Stroke::Close => self.take(self.cursor, self.right_of(self.cursor), false),
            Stroke::KillWord => self.take(self.word_left(), self.cursor, true),
            Stroke::KillWordRight => self.take(self.cursor, self.word_right(), true),
            Stroke::KillRight => self.take(self.cursor, self.line().len(), true),
            Stroke::KillAll => self.take(0, self.line().len(), true),
            Stroke::Yank => self.insert_said(&self.killed.clone()),
            Stroke::NewRow => self.add('\n', Said::typed),
            Stroke::Up | Stroke::Down | Stroke::Tab | Stroke::Search | Stroke::Abandon => Edit::Nothing,
            Stroke::Refresh | Stroke::Interrupt | Stroke::Report(..) => Edit::Nothing,
        }
    }

    /// Replaces a backslash at the end of the line by a new row, in which the line continues. Returns `false` without a backslash.
    pub fn continue_row(&mut self) -> bool {
        let Some(length) = self.line().strip_suffix('\\').map(str::len) else { return false };
        self.line.drain(length..length + 1);
        self.cursor = length;
        self.insert_said(&Said::typed("\n"));
        true
    }

    /// Puts the cursor at this offset, which must be between two characters.
    pub fn place_cursor(&mut self, at: usize) {
        self.cursor = at;
    }

    /// Inserts a text at the cursor, like typed text.
    pub fn insert(&mut self, text: &str) -> Edit {
        self.insert_said(&Said::typed(text))
    }

    fn insert_said(&mut self, said: &Said) -> Edit {
        let more = said.text().len();
        if more == 0 || self.line().len() + more > MOST_BYTES {
            return Edit::Nothing;
        }
        self.line.insert(self.cursor, said);
        self.cursor += more;
        Edit::Changed
    }

    fn add(&mut self, character: char, make: fn(&str) -> Said) -> Edit {
        let was_at_end = self.is_at_end();
        match self.insert_said(&make(character.encode_utf8(&mut [0; 4]))) {
            // A combining mark may change the drawing of the letter before it.
            Edit::Changed if was_at_end && !is_mark(character) => Edit::Appended(character),
            edit => edit,
        }
    }

    fn go(&mut self, to: usize) -> Edit {
        if std::mem::replace(&mut self.cursor, to) == to { Edit::Nothing } else { Edit::Changed }
    }

    fn take(&mut self, from: usize, to: usize, is_kept: bool) -> Edit {
        if from == to {
            return Edit::Nothing;
        }
        let was_at_end = self.is_at_end() && to == self.line().len();
        let taken = self.line.drain(from..to);
        self.cursor = from;
        if is_kept {
            self.killed.clone_from(&taken);
        }
        if was_at_end { Edit::Taken(taken.text().to_owned()) } else { Edit::Changed }
    }

    /// Returns the offset to the left of `at`; the cursor moves over a letter and its combining marks in one step.
    fn left_of(&self, at: usize) -> usize {
        let mut characters = self.line()[..at].char_indices().rev();
        characters.find(|(_, character)| !is_mark(*character)).map_or(0, |(index, _)| index)
    }

    fn right_of(&self, at: usize) -> usize {
        let mut characters = self.line()[at..].char_indices().skip(1);
        characters.find(|(_, character)| !is_mark(*character)).map_or(self.line().len(), |(index, _)| at + index)
    }

    fn word_left(&self) -> usize {
        let before = self.line()[..self.cursor].trim_end_matches(char::is_whitespace);
        before.rfind(char::is_whitespace).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8))
    }

    fn word_right(&self) -> usize {
        let after = &self.line()[self.cursor..];
        let word = after.trim_start_matches(char::is_whitespace);
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        self.cursor + (after.len() - word.len()) + end
    }
}

#[cfg(test)]
mod tests;
