//! An open question: its content, the drawn part, and the typed part of the answer.

use super::caller::Caller;
use super::page::Page;
use super::unseen::Unseen;
use crate::console::request::Question;
use crate::wire_capnp::Answer;

/// An approving answer, which counts after the terminal has reported that its window is unchanged.
pub struct Allowed {
    pub(super) answer: Answer,
    pub(super) signature: String,
    pub(super) words: &'static str,
}

pub struct Asked {
    pub caller: Caller,
    pub(super) question: Question,
    pub(super) letters: String,
    /// Letters that allow the call for the whole conversation, if the question offers this.
    pub(super) others: String,
    /// Deadline for the answer, which is set when the whole question, or its first page, is on the screen.
    pub deadline: Option<u64>,
    /// Typed lines of the signature.
    pub(super) pasted: Vec<String>,
    /// Pages for the present size of the screen; empty before the question is drawn.
    pub(super) pages: Vec<Page>,
    /// Index of the drawn page.
    pub(super) page: usize,
    /// Whether the whole question is on the screen.
    pub(super) is_shown: bool,
    /// Whether the first page was on the screen once. Text that was typed before the first page was shown belongs to the next prompt.
    pub(super) is_begun: bool,
    /// Whether an answer was mistyped; the next mistyped answer refuses the call.
    pub(super) is_mistyped: bool,
    pub(super) granted: Option<Allowed>,
    /// Line above the first page, such as the one that says that the window has another size.
    pub(super) note: Option<&'static str>,
    /// Number of the question's first piece in the pen's record of the drawn output.
    pub(super) recorded: Option<u64>,
    /// Passphrases that are typed instead of a signature.
    pub(super) unseen: Option<Unseen>,
}

impl Asked {
    pub fn new(caller: Caller, question: Question, letters: String, others: String) -> Self {
        let unseen = question.passphrase.as_ref().map(Unseen::new);
        let (pasted, pages) = (Vec::new(), Vec::new());
        Self {
            caller, question, letters, others, deadline: None, pasted, pages, page: 0, granted: None, note: None, unseen,
            recorded: None,
            is_shown: false, is_begun: false, is_mistyped: false,
        }
    }

    /// Resets the question to its state before it was drawn: typed text is dropped, and the time to answer begins again. An
    /// earlier mistyped answer still counts.
    pub fn restart(&mut self, note: Option<&'static str>) {
        self.deadline = None;
        self.pasted.clear();
        self.pages.clear();
        self.page = 0;
        self.is_shown = false;
        self.granted = None;
        self.note = note;
        self.unseen = self.question.passphrase.as_ref().map(Unseen::new);
    }
}
