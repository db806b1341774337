//! A call that a person's line started and that has no answer yet.

use super::caller::Line;

/// A call on a held connection. It is waited for until it is answered or interrupted: a person may be answering a
/// question meanwhile, and a gate may still be starting.
pub struct Errand {
    pub line: Line,
    pub call_id: u64,
    pub kind: ErrandKind,
}

pub enum ErrandKind {
    /// The loop gets this line once the turn has begun.
    Turn(String),
    Command(Typed),
    /// Tab was pressed in this line, with so many bytes before the cursor.
    Completion { line: String, before: usize },
    /// About one command, or all.
    Help(String),
    Stop(String),
    Restart(String),
    /// Init tells what the person is to know: no errand of the person's.
    Notices,
    /// A session that is entered from another one is locked, if its page asks for a login.
    Lock,
    /// The person waits no longer, and the answer is not shown. Until it comes, the gate counts the call.
    GivenUp,
}

/// A command as it was typed.
pub struct Typed {
    pub line: String,
    /// Others waited for their answers beside it: the answer says to which it is.
    pub has_others: bool,
}
