//! Texts that several modules of the console print.

pub const NOBODY_LISTENS: &str = "the agent does not listen; commands only";
/// Printed once, so that the person knows the missing features.
pub const PLAIN: &str =
    "this terminal does not say where its cursor is: a line is edited at its end, and Up, Down and Tab draw it anew";
