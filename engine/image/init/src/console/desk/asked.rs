//! A question as it stands: what was asked, what of it was drawn, and what was typed for it so far.

use super::caller::Caller;
use super::page::Page;
use super::unseen::Unseen;
use crate::console::request::Question;
use crate::wire_capnp::Answer;

/// An answer that allows, which counts once the terminal has said that its window is still as it was.
pub struct Allowed {
    pub(super) answer: Answer,
    pub(super) signature: String,
    pub(super) words: &'static str,
}

pub struct Asked {
    pub caller: Caller,
    pub(super) question: Question,
    pub(super) letters: String,
    /// Those that allow it for the conversation, where that is offered.
    pub(super) others: String,
    /// Set once the question stands on the screen whole, or its first page.
    pub deadline: Option<u64>,
    /// Lines of the signature so far.
    pub(super) pasted: Vec<String>,
    /// As they are drawn on the screen as it is known; empty before the question is drawn.
    pub(super) pages: Vec<Page>,
    /// The page that is drawn.
    pub(super) page: usize,
    /// It stands on the screen whole.
    pub(super) is_shown: bool,
    pub(super) granted: Option<Allowed>,
    /// Line above the first page.
    pub(super) note: Option<&'static str>,
    /// Passphrases that are typed in the place of a signature.
    pub(super) unseen: Option<Unseen>,
}

impl Asked {
    pub fn new(caller: Caller, question: Question, letters: String, others: String) -> Self {
        let unseen = question.passphrase.as_ref().map(Unseen::new);
        let (pasted, pages) = (Vec::new(), Vec::new());
        Self {
            caller, question, letters, others, deadline: None, pasted, pages, page: 0, is_shown: false, granted: None, note: None, unseen,
        }
    }

    /// As it was before it was drawn: what was typed for it is forgotten, and its time has not begun.
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
