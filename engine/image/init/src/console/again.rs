//! Draws the last output again after the size of the window has changed.

use super::pen::Pen;
use super::record::Piece;
use super::screen::{CLEAR, NEVER_WRAPS, WRAPS};

impl Pen {
    /// Clears the window, and draws at most `most` of the record's last rows, for the window's present size.
    pub fn draw_again(&mut self, most: usize) {
        self.draw_table();
        if self.open.is_some() {
            self.end();
        }
        let mut other = Self::on(self.screen);
        self.record.pieces().for_each(|piece| other.repeat(piece));
        other.fresh();
        let text = String::from_utf8_lossy(&other.drawn).into_owned();
        let rows: Vec<&str> = text.split_terminator('\n').collect();
        self.empty(CLEAR);
        if self.screen.moves {
            self.raw(NEVER_WRAPS);
        }
        for row in &rows[rows.len().saturating_sub(most)..] {
            self.raw(row);
            self.raw("\n");
        }
        if self.screen.moves {
            self.raw(WRAPS);
        }
    }

    /// Returns the number that the next piece of drawn output gets in the record.
    pub fn recorded(&self) -> u64 {
        self.record.next()
    }

    /// Removes the pieces of the record from this number on, because they are drawn again.
    pub fn forget_from(&mut self, number: u64) {
        self.record.forget_from(number);
    }

    /// Deletes the record of the drawn output, which the next person must not see.
    pub fn forget_all(&mut self) {
        self.record.clear();
    }

    fn repeat(&mut self, piece: &Piece) {
        match piece {
            Piece::Text { mark, text, markdown, continues } => {
                self.fresh();
                self.speaker.clone_from(mark);
                self.markdown.clone_from(markdown);
                self.has_spoken = *continues;
                for line in text.split_inclusive('\n') {
                    if self.is_held_back(line) {
                        self.hold_back(line);
                    } else {
                        self.draw_table();
                        self.draw_piece(line);
                    }
                }
                self.draw_table();
            }
            Piece::Line { mark, text } => self.line(mark, text),
            Piece::Judged { mark, text } => self.judged(mark, text),
            Piece::Verbatim(row) => self.verbatim(row),
            Piece::Entered { prompt, line } => {
                self.fresh();
                self.flow_entered(prompt, line);
            }
        }
    }
}
