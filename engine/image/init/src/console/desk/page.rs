//! One page of a question, and how its rows are drawn.

use crate::console::pen::Pen;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A person judges it: nothing of it is cut.
    Judged(String),
    /// The console's own words.
    Told(String),
    /// As it stands.
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
