//! An open search in the history.

use crate::console::history::History;
use crate::console::said::Said;

/// Maximum bytes of the text that is searched for.
pub const MOST_BYTES: usize = 256;

pub struct Search {
    pub(super) text: String,
    /// Number of newer matches that the person has skipped.
    pub(super) passed: usize,
}

impl Search {
    /// Returns the line that the search has found.
    pub(super) fn found(&self, history: Option<&History>) -> Option<Said> {
        history.and_then(|history| history.matching(&self.text).nth(self.passed).cloned())
    }
}
