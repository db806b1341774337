//! Holds back rows of a model's text that may be a table, until its columns are known.

use super::pen::{GOES_ON, Pen};
use super::record::Piece;
use super::table::{MOST_BYTES, MOST_ROWS, is_delimiter, layout};

impl Pen {
    /// Returns whether a piece of the present text may belong to a table: its line begins with `|`, and is not in a block of code.
    pub(super) fn is_held_back(&self, piece: &str) -> bool {
        let is_markdown = self.markdown.as_ref().is_some_and(|markdown| !markdown.is_block());
        let continues_row = !self.table.is_empty() && !self.table.ends_with('\n');
        is_markdown && self.open.is_none() && (continues_row || piece.starts_with('|'))
    }

    pub(super) fn hold_back(&mut self, piece: &str) {
        self.table.push_str(piece);
        let mut rows = self.table.lines().skip(1);
        let is_other = piece.ends_with('\n') && rows.next().is_some_and(|second| !is_delimiter(second));
        if is_other || self.table.lines().count() > MOST_ROWS || self.table.len() > MOST_BYTES {
            self.draw_table();
        }
    }

    /// Draws the rows that are held back. A table that fits is drawn in columns; all other rows are drawn as they were written.
    pub(super) fn draw_table(&mut self) {
        let held = std::mem::take(&mut self.table);
        if held.is_empty() {
            return;
        }
        self.end_row();
        // The two blanks at the beginning of each row take columns from the table.
        let room = self.room().saturating_sub(GOES_ON.len());
        let Some(rows) = layout(&self.screen.fitting(&held, false), room, |character| self.screen.width(character)) else {
            return held.split_inclusive('\n').for_each(|piece| self.draw_piece(piece));
        };
        self.record.add(Piece::Text {
            mark: self.speaker.clone(),
            text: held,
            markdown: self.markdown.clone(),
            continues: self.has_spoken,
        });
        if !self.has_spoken {
            self.begin_text();
            self.end();
        }
        for row in rows {
            self.begin_text();
            self.flow(&row);
            self.end();
        }
    }
}
