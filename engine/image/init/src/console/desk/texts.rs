//! Texts that several modules of the console print.

pub const NOBODY_LISTENS: &str = "the agent does not listen; commands only";
/// Says which keys work differently on a terminal that does not report the position of its cursor.
pub const PLAIN: &str =
    "this terminal does not say where its cursor is: a line is edited at its end, and Up, Down and Tab draw it anew";
