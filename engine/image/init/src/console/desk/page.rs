//! Draws the rows of one page of a question.

use crate::console::pen::Pen;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// Text that a person judges, which is never truncated.
    Judged(String),
    /// The console's own text.
    Told(String),
    /// Text that is drawn unchanged.
    Verbatim(String),
}

/// A page and the prompt below it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Page {
    pub rows: Vec<Row>,
    pub prompt: String,
}

pub fn draw(pen: &mut Pen, mark: &str, row: &Row) {
    match row {
        Row::Judged(line) => pen.judged(mark, line),
        Row::Told(line) => pen.line(mark, line),
        Row::Verbatim(line) => pen.verbatim(line),
    }
}
