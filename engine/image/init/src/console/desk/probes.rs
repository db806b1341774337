//! State of the requests to the terminal for its size.

/// Size requests that were sent.
#[derive(Default)]
pub struct Probes {
    /// Number of requests without a response yet; a terminal answers in order.
    pub(super) awaited: u32,
    /// Deadline for the terminal's response.
    pub(super) due: Option<u64>,
    /// Time of the next request.
    pub(super) next: Option<u64>,
    /// Whether the terminal has reported its size once.
    pub(super) has_size: bool,
    /// Whether the output must be drawn again, because it was drawn for another size of the window.
    pub(super) is_stale: bool,
    /// Whether the person was told that questions are drawn for an unknown size.
    pub(super) told_unknown: bool,
}
