//! A call that a person's line started and that has no response yet.

use super::caller::Line;

/// A call on a held connection. It has no timeout, because a person may be answering a question meanwhile, and a gate may still be
/// starting.
pub struct Errand {
    pub line: Line,
    pub call_id: u64,
    pub kind: ErrandKind,
    /// Time at which it was sent, in milliseconds.
    pub since: u64,
    /// Whether the person was told that it waits.
    pub is_told: bool,
}

pub enum ErrandKind {
    /// The loop gets this line after the turn has begun.
    Turn(String),
    Command(Typed),
    /// Tab was pressed in this line, with that many bytes before the cursor.
    Completion { line: String, before: usize },
    /// `/help`, about one command or about all.
    Help(String),
    Stop(String),
    Restart(String),
    /// Init reports what the person should know; no line of the person started this.
    Notices,
    /// Init reports how far the start of the machine is.
    Progress,
    /// A session that is entered from another one is locked, if its page requires a login.
    Lock,
    /// The gate reports the status of its session; no line of the person started this.
    Standing,
    /// The person waits no longer, so the response is not shown. Until the response arrives, the gate counts the call as waiting.
    GivenUp,
}

/// A command as it was typed.
pub struct Typed {
    pub line: String,
    /// Others were waiting at the same time, so the response names its command.
    pub has_others: bool,
}
