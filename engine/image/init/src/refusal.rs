//! Reason for which the machine does not start: one line on the console before the power-off.

use std::fmt;

/// A refusal: its object (an artefact, a device, the command line) and the reason, in words for the person at the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    pub what: String,
    pub why: String,
}

pub type Checked<T> = Result<T, Refusal>;

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "refused: {} — {}", self.what, self.why)
    }
}

pub fn refuse<T>(what: impl Into<String>, why: impl Into<String>) -> Checked<T> {
    Err(Refusal { what: what.into(), why: why.into() })
}

/// Adds the name of the object to an error that does not name it.
pub trait About<T> {
    fn about(self, what: &str) -> Checked<T>;
}

impl<T, E: fmt::Display> About<T> for Result<T, E> {
    fn about(self, what: &str) -> Checked<T> {
        self.map_err(|why| Refusal { what: what.into(), why: why.to_string() })
    }
}
