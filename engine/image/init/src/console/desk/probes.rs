//! State of the requests to the terminal for its size.

/// Questions about the size that were sent.
#[derive(Default)]
pub struct Probes {
    /// Those that have no answer yet; a terminal answers in order.
    pub(super) awaited: u32,
    /// When the terminal must have answered.
    pub(super) due: Option<u64>,
    /// When to ask again.
    pub(super) next: Option<u64>,
    /// The person was told that questions are drawn for a size that nobody knows.
    pub(super) told_unknown: bool,
}
