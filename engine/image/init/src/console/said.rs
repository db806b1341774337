//! Stores a line whose parts are marked as typed or pasted: pasted text may come from someone else.

use std::ops::Range;

/// Maximum number of separate parts; text after them counts as pasted.
pub const MOST_PIECES: usize = 64;

/// A text, and for each of its bytes whether the terminal marked it as pasted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
    text: String,
    is_pasted: Vec<bool>,
}

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub text: &'a str,
    pub is_pasted: bool,
}

impl Said {
    pub fn typed(text: &str) -> Self {
        Self { text: text.into(), is_pasted: vec![false; text.len()] }
    }

    pub fn pasted(text: &str) -> Self {
        Self { text: text.into(), is_pasted: vec![true; text.len()] }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn has_pasted(&self) -> bool {
        self.is_pasted.contains(&true)
    }

    pub fn clear(&mut self) {
        self.text.clear();
        self.is_pasted.clear();
    }

    /// Inserts another text between two characters.
    pub fn insert(&mut self, at: usize, said: &Self) {
        self.text.insert_str(at, &said.text);
        self.is_pasted.splice(at..at, said.is_pasted.iter().copied());
    }

    pub fn drain(&mut self, range: Range<usize>) -> Self {
        let is_pasted = self.is_pasted.drain(range.clone()).collect();
        Self { text: self.text.drain(range).collect(), is_pasted }
    }

    /// Returns a copy without blanks at its ends.
    pub fn trimmed(&self) -> Self {
        let begin = self.text.len() - self.text.trim_start().len();
        let text = self.text.trim();
        Self { text: text.into(), is_pasted: self.is_pasted[begin..begin + text.len()].to_vec() }
    }

    /// Returns the parts of the line in order.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        let mut pieces = Vec::new();
        let mut begin = 0;
        for part in self.is_pasted.chunk_by(PartialEq::eq) {
            if pieces.len() + 1 == MOST_PIECES && begin + part.len() < self.text.len() {
                pieces.push(Piece { text: &self.text[begin..], is_pasted: true });
                break;
            }
            pieces.push(Piece { text: &self.text[begin..begin + part.len()], is_pasted: part[0] });
            begin += part.len();
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(said: &Said) -> Vec<(&str, bool)> {
        said.pieces().into_iter().map(|Piece { text, is_pasted }| (text, is_pasted)).collect()
    }

    #[test]
    fn typed_and_pasted_parts_keep_their_marks_through_edits() {
        let mut said = Said::typed(" to ada  ");
        said.insert(4, &Said::pasted("évé, "));
        assert_eq!(shown(&said), [(" to ", false), ("évé, ", true), ("ada  ", false)]);
        assert_eq!(shown(&said.trimmed()), [("to ", false), ("évé, ", true), ("ada", false)]);
        let taken = said.drain(1..6);
        assert_eq!(shown(&taken), [("to ", false), ("é", true)]);
        said.insert(0, &taken);
        assert_eq!((said.text(), said.has_pasted()), ("to é vé, ada  ", true));
        assert!(!Said::typed("x").has_pasted() && Said::default().pieces().is_empty());
    }

    #[test]
    fn beyond_the_maximum_number_of_parts_the_rest_of_a_line_counts_as_pasted() {
        for count in [MOST_PIECES, MOST_PIECES + 1, 3 * MOST_PIECES] {
            let mut said = Said::default();
            for number in 0..count {
                let at = said.text().len();
                said.insert(at, &if number % 2 == 0 { Said::typed("a") } else { Said::pasted("b") });
            }
            let pieces = said.pieces();
            assert_eq!(pieces.len(), MOST_PIECES);
            assert_eq!(pieces.iter().map(|piece| piece.text).collect::<String>(), said.text());
            assert!(pieces.iter().all(|piece| piece.is_pasted || piece.text == "a"));
        }
    }
}
