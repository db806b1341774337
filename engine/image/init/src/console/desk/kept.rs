//! Keeps text that was typed before a question. Such text never answers the question, and is not dropped: the next prompt
//! shows the text again, and sends it only if the person presses Enter.

use super::keys::{drop_half_line, is_full, moves};
use super::state::{Desk, Effect, Showing};
use crate::console::keyboard::Stroke;
use crate::console::said::{Piece, Said};

/// Line above a prompt that shows text from before a question. Scripts recognize this line.
pub const KEPT: &str = "typed before the question: Enter sends it, Ctrl-U drops it";
const TOO_MUCH: &str = "more was typed before the question than can wait: the rest is dropped";
/// Text from before a question for a passphrase may be the passphrase, which is never shown.
const NEVER_SHOWN: &str = "what was typed before the passphrase was asked for is dropped";

impl Desk {
    /// Keeps all input from before the question, which is drawn now. Before a question for a passphrase, input typed without a prompt is
    /// dropped, because it may be the passphrase, and the person is told.
    pub(super) fn keep_typed(&mut self) {
        let draft = strokes(self.editor.said());
        self.editor.forget();
        self.commanding = false;
        self.forget_probes();
        if !draft.is_empty() {
            let behind = std::mem::take(&mut self.kept);
            draft.into_iter().for_each(|stroke| self.keep(stroke));
            self.keep_line(behind);
        }
        let ahead = std::mem::take(&mut self.ahead);
        if self.asked.front().is_some_and(|asked| asked.unseen.is_some()) {
            self.keyboard.forget();
            self.effects.push(Effect::DropTyped);
            if !ahead.is_empty() {
                self.tell(NEVER_SHOWN);
            }
            return;
        }
        ahead.into_iter().for_each(|stroke| self.keep(stroke));
        self.effects.push(Effect::TakeTyped);
    }

    /// Takes input that the terminal had received before the question was drawn.
    pub fn typed_before(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.keyboard.feed(byte) {
                Some(Stroke::Interrupt) => self.stroke(Stroke::Interrupt),
                Some(Stroke::Report(..)) | None => {} // a response to a request that was forgotten with the prompt
                Some(stroke) => self.keep(stroke),
            }
        }
        self.is_old_paste = self.keyboard.is_pasting();
        self.settle();
    }

    /// Returns whether a key is older than the open question: the question is not whole on the screen yet, or the key is part of a paste
    /// that began earlier.
    pub(super) fn is_before_question(&mut self, stroke: Stroke) -> bool {
        self.is_old_paste &= self.showing == Showing::Question && matches!(stroke, Stroke::Pasted(_));
        let is_hidden = |desk: &Self| desk.asked.front().is_some_and(|asked| !asked.is_begun && asked.unseen.is_none());
        self.is_old_paste || (self.is_unseen_question() && is_hidden(self))
    }

    pub(super) fn keep(&mut self, stroke: Stroke) {
        let is_empty_line = stroke == Stroke::Enter && self.kept.back().is_none_or(|last| *last == Stroke::Enter);
        if is_empty_line || self.words.iter().any(|words| words.text == TOO_MUCH) {
            return;
        }
        if !is_full(&self.kept) {
            return self.kept.push_back(stroke);
        }
        if self.kept.back() != Some(&Stroke::Enter) {
            drop_half_line(&mut self.kept);
        }
        self.tell(TOO_MUCH);
    }

    /// Keeps these keys as a line of their own, behind the lines that are already kept.
    fn keep_line(&mut self, strokes: impl IntoIterator<Item = Stroke>) {
        let mut strokes = strokes.into_iter().peekable();
        if strokes.peek().is_some() {
            self.keep(Stroke::Enter);
        }
        strokes.for_each(|stroke| self.keep(stroke));
    }

    /// Puts the next kept line into the empty editor. Returns `false` if no line is kept. Later input waits behind the kept
    /// line, because it must not continue that line.
    pub(super) fn take_kept(&mut self) -> bool {
        if !self.editor.is_empty() || self.kept.is_empty() {
            return false;
        }
        let ahead = std::mem::take(&mut self.ahead);
        self.keep_line(ahead);
        while let Some(stroke) = self.kept.pop_front() {
            if stroke == Stroke::Enter {
                if !self.editor.line().trim().is_empty() {
                    break;
                }
                self.editor.clear();
            } else if self.pen.screen().moves || !moves(stroke) {
                self.editor.apply(stroke);
            }
        }
        !self.editor.is_empty()
    }
}

/// Returns the keys that type this text.
fn strokes(said: &Said) -> Vec<Stroke> {
    let of = |Piece { text, is_pasted }: Piece<'_>| {
        let make = if is_pasted { Stroke::Pasted } else { Stroke::Text };
        text.chars().map(make).collect::<Vec<_>>()
    };
    said.pieces().into_iter().flat_map(of).collect()
}
