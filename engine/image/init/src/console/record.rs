//! Keeps the last output as it was given to the pen, so that a window of another size can show it again.

use super::markdown::Markdown;
use std::collections::VecDeque;

/// Maximum number of pieces: the largest window has 400 rows. `MOST_PIECE_BYTES` limits one piece.
const MOST_PIECES: usize = 400;
const MOST_PIECE_BYTES: usize = 16 * 1024;
/// Maximum bytes of all pieces.
const MOST_BYTES: usize = 128 * 1024;

#[derive(Debug, Clone)]
pub enum Piece {
    /// A line or a table of a speaker, after the filter. `markdown` is the state before its first character, such as inside a block
    /// of code; `None` for text without markdown. `continues` states that earlier pieces contain the beginning of this text.
    Text { mark: String, text: String, markdown: Option<Markdown>, continues: bool },
    Line { mark: String, text: String },
    Judged { mark: String, text: String },
    Verbatim(String),
    Entered { prompt: String, line: String },
}

impl Piece {
    fn size(&self) -> usize {
        match self {
            Self::Text { mark, text, .. } | Self::Line { mark, text } | Self::Judged { mark, text } => mark.len() + text.len(),
            Self::Verbatim(row) => row.len(),
            Self::Entered { prompt, line } => prompt.len() + line.len(),
        }
    }
}

#[derive(Debug, Default)]
pub struct Record {
    pieces: VecDeque<Piece>,
    bytes: usize,
    /// Number of the first piece that is kept.
    first: u64,
}

impl Record {
    pub fn add(&mut self, piece: Piece) {
        self.bytes += piece.size();
        self.pieces.push_back(piece);
        while self.pieces.len() > 1 && (self.pieces.len() > MOST_PIECES || self.bytes > MOST_BYTES) {
            self.drop_first();
        }
    }

    /// Appends `more` to the last piece, if that is a text. The beginning of a very long line is dropped: no window shows both ends of the line.
    pub fn extend(&mut self, more: &str) {
        let Some(Piece::Text { text, .. }) = self.pieces.back_mut() else { return };
        let before = text.len();
        text.push_str(more);
        if text.len() > MOST_PIECE_BYTES {
            let from = text.len() - MOST_PIECE_BYTES / 2;
            let from = (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
            text.drain(..from);
        }
        self.bytes = self.bytes + text.len() - before;
        while self.pieces.len() > 1 && self.bytes > MOST_BYTES {
            self.drop_first();
        }
    }

    pub fn pieces(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter()
    }

    /// Returns the number that the next piece gets.
    pub fn next(&self) -> u64 {
        self.first + self.pieces.len() as u64
    }

    /// Drops the pieces from this number on.
    pub fn forget_from(&mut self, number: u64) {
        let kept = number.saturating_sub(self.first).min(self.pieces.len() as u64);
        for piece in self.pieces.drain(usize::try_from(kept).unwrap_or(usize::MAX)..) {
            self.bytes -= piece.size();
        }
    }

    pub fn clear(&mut self) {
        self.first = self.next();
        self.pieces.clear();
        self.bytes = 0;
    }

    fn drop_first(&mut self) {
        if let Some(piece) = self.pieces.pop_front() {
            self.bytes -= piece.size();
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(record: &Record) -> Vec<String> {
        let of = |piece: &Piece| match piece {
            Piece::Text { text, .. } | Piece::Line { text, .. } => text.clone(),
            other => panic!("{other:?}"),
        };
        record.pieces().map(of).collect()
    }

    fn line(text: &str) -> Piece {
        Piece::Line { mark: "* ".into(), text: text.into() }
    }

    #[test]
    fn old_pieces_are_dropped_and_the_other_pieces_keep_their_numbers() {
        let mut record = Record::default();
        (0..MOST_PIECES + 10).for_each(|number| record.add(line(&number.to_string())));
        assert_eq!((texts(&record)[0].as_str(), record.pieces().count(), record.next()), ("10", MOST_PIECES, 410));
        record.forget_from(408);
        assert_eq!((texts(&record).last().map(String::as_str), record.next()), (Some("407"), 408));
        record.forget_from(3);
        assert_eq!((record.pieces().count(), record.bytes), (0, 0));
    }

    #[test]
    fn property_the_bytes_of_the_record_are_bounded_and_the_end_of_a_long_text_is_kept() {
        let mut record = Record::default();
        for number in 0..200 {
            record.add(Piece::Text { mark: "agent> ".into(), text: String::new(), markdown: None, continues: false });
            for _ in 0..number % 7 {
                record.extend(&"é".repeat(5_000));
            }
            record.extend("end");
            record.add(line(&"x".repeat(9_000)));
            record.add(Piece::Text { mark: "agent> ".into(), text: "end".into(), markdown: None, continues: true });
            let all: usize = record.pieces().map(Piece::size).sum();
            assert!(all == record.bytes && all <= MOST_BYTES, "{all} {}", record.bytes);
            assert!(texts(&record).last().is_some_and(|text| text.ends_with("end") && text.len() <= MOST_PIECE_BYTES));
        }
    }
}
