//! Behaviour of the console, as a function of events. The screen is in one of three states: no prompt, a prompt, or a question.
//! A question takes precedence over everything, and nothing else is drawn while it is open.

mod activity;
mod asked;
mod caller;
mod callers;
mod completion;
mod drawing;
mod errand;
mod errands;
mod kept;
mod keys;
mod page;
mod paging;
mod probes;
mod questions;
mod search;
mod searching;
mod size;
mod standing;
mod state;
mod texts;
mod unseen;
mod unseen_keys;

pub use caller::Line;
pub use state::{Desk, Effect, HeldLines};

use super::keyboard::Keyboard;
use super::line::LineEditor;
use super::pen::{Pen, Voice};
use super::screen::{Font, Screen};
use crate::frame;
use crate::wire_capnp::Answer;
use caller::Caller;
use probes::Probes;
use state::{Listener, Session, Showing, Words};
use std::collections::{BTreeMap, VecDeque};

impl Desk {
    /// `letters` returns three new random letters each time.
    pub fn new(held: HeldLines, font: Font, letters: impl FnMut() -> String + 'static) -> Self {
        let mut desk = Self {
            pen: Pen::on(Screen { font, ..Screen::default() }),
            keyboard: Keyboard::default(),
            editor: LineEditor::default(),
            showing: Showing::Nothing,
            search: None,
            ahead: VecDeque::new(),
            kept: VecDeque::new(),
            is_old_paste: false,
            dropping: None,
            commanding: false,
            sessions: held.sessions.into_iter().map(|(name, line)| Session::new(name, line)).collect(),
            current: 0,
            supervisor: held.supervisor,
            callers: BTreeMap::new(),
            interrupts: Vec::new(),
            asked: VecDeque::new(),
            held: VecDeque::new(),
            words: VecDeque::new(),
            errands: Vec::new(),
            last_errand: 0,
            last_notice: 0,
            widget: None,
            activity: None,
            progress: None,
            running: BTreeMap::new(),
            now: 0,
            has_colours: true,
            told_plain: false,
            probes: Probes::default(),
            leaving: false,
            effects: Vec::new(),
            letters: Box::new(letters),
        };
        desk.await_notices();
        desk
    }

    /// Returns the bytes to write to the terminal; `wrote` receives the number of written bytes.
    pub fn drawn(&self) -> &[u8] {
        self.pen.drawn()
    }

    /// Sets the time in milliseconds; called before each event.
    pub fn at(&mut self, now: u64) {
        self.now = now;
    }

    pub fn wrote(&mut self, size: usize, now: u64) {
        self.pen.wrote(size);
        if self.pen.drawn().is_empty() {
            self.question_written(now);
        }
        self.settle();
    }

    pub fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Returns the time in milliseconds on the caller's clock at which `tick` must be called; `None` if there is no deadline.
    pub fn deadline(&self) -> Option<u64> {
        let question = self.asked.front().and_then(|asked| asked.deadline);
        [question, self.size_deadline(), self.lock_deadline(), self.activity_deadline()].into_iter().flatten().min()
    }

    pub fn tick(&mut self, now: u64) {
        while self.asked.front().and_then(|asked| asked.deadline).is_some_and(|deadline| deadline <= now) {
            self.answer_question(Answer::TimedOut, "", "refused: nobody answered in time");
        }
        self.watch_size(now);
        self.give_up_locks(now);
        self.settle();
        self.draw_activity(now);
    }

    /// Updates the screen according to what is waiting.
    fn settle(&mut self) {
        while !self.leaving && self.step() {}
        self.await_notices();
        self.ask_standing();
    }

    /// Makes one change of the screen. Returns `false` if no change is needed, or the terminal is busy.
    fn step(&mut self) -> bool {
        if !self.asked.is_empty() {
            if self.showing != Showing::Question {
                self.draw_question();
            }
            return false;
        }
        if self.pen.has_room() && (self.draw_words() || self.draw_held()) {
            return true;
        }
        match (self.showing, self.listener()) {
            // While messages wait for a busy terminal, the agent's prompt waits too: it must not come between two of them. The command
            // prompt does not wait for the terminal.
            (Showing::Nothing, Some(Listener::Agent)) if !self.words.is_empty() => return false,
            (Showing::Nothing, Some(listener)) => self.draw_prompt(listener),
            (Showing::Prompt(shown), listener) if listener != Some(shown) => self.undraw_prompt(),
            (Showing::Prompt(_), _) => match self.ahead.pop_front() {
                Some(stroke) => self.key(stroke),
                None => return false,
            },
            (Showing::Nothing | Showing::Question, _) => return false,
        }
        true
    }

    fn listener(&mut self) -> Option<Listener> {
        let session = self.sessions.get(self.current);
        let is_open = |session: &Session| (session.reader.is_some() || session.is_commanded) && !self.is_asked(session);
        if session.is_some_and(is_open) {
            self.commanding = false; // the text typed for the commands continues at the agent's prompt
            return Some(Listener::Agent);
        }
        self.commanding.then_some(Listener::Commands)
    }

    fn draw_words(&mut self) -> bool {
        let Some(Words { mark, text }) = self.words.pop_front() else { return false };
        self.undraw_prompt();
        self.pen.line(&mark, &text);
        true
    }

    /// Queues a line of the console until no question is open.
    fn tell(&mut self, text: &str) {
        self.words.push_back(Words { mark: Voice::Console.mark(None), text: text.to_owned() });
    }

    /// Draws a line of the console at once, unlike `tell`, for text about the question itself.
    fn say(&mut self, text: &str) {
        self.pen.line(&Voice::Console.mark(None), text);
    }

    fn reply(&mut self, caller: Caller, body: &[u8]) {
        self.effects.push(Effect::Send(caller.line, frame::answer(caller.call_id, body)));
    }
}

#[cfg(test)]
mod tests;
