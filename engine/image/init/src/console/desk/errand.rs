//! A call that a person's line started and that has no response yet.

use super::caller::Line;

/// A call on a connection that the console has to another process. Such a call has no timeout, because a person may be
/// answering a question meanwhile, and a gate may still be starting.
pub struct Errand {
    pub line: Line,
    pub call_id: u64,
    pub kind: ErrandKind,
    /// Time at which the call was sent, in milliseconds.
    pub since: u64,
    /// Whether the person was told that the call waits.
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
    /// Requests init's notices for the person; the console makes this call by itself.
    Notices,
    /// Asks init how far the start of the machine is.
    Progress,
    /// Locks a session that the person enters from another one, so that a login is needed again if the page requires one.
    Lock,
    /// Requests the status of a session from its gate; the console makes this call by itself.
    Standing,
    /// The person no longer waits for the response, so it is not shown. Until the response arrives, the gate counts the call as waiting.
    GivenUp,
}

/// A command as it was typed.
pub struct Typed {
    pub line: String,
    /// Whether other commands were waiting at the same time; then the response names its command.
    pub has_others: bool,
}
