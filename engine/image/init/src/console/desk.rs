//! What the console does, as a function of what happened. Three things may stand on the screen: nothing to type at, a
//! prompt, or a question; a question comes before everything, and nothing else is drawn while it stands.

mod callers;
mod completion;
mod drawing;
mod errands;
mod keys;
mod paging;
mod questions;
mod size;
mod unseen;

use super::history::History;
use super::keyboard::{Keyboard, Stroke};
use super::line::LineEditor;
use super::pen::{Pen, Voice};
use super::request::{self, Request};
use super::screen::{Font, Screen};
use crate::frame;
use crate::wire_capnp::Answer;
use callers::{Caller, Granted};
use errands::Errand;
use questions::Asked;
use size::Probes;
use std::collections::{BTreeMap, VecDeque};

/// Which connection; numbers are given by the one who holds the descriptors.
pub type Line = usize;

/// The mark of init's lines.
const INIT: &str = "capos: ";

/// What is to be done outside, in order; drawing is taken by `Desk::drawn`.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    Send(Line, Vec<u8>),
    CutOff(Line, String),
    /// Throw away what the terminal holds unread.
    DropTyped,
    /// Send what is to be sent, then end.
    Leave,
}

/// The connections that this process holds.
#[derive(Debug, Default)]
pub struct HeldLines {
    /// `Session` of each session, by name; the first is the one that the machine is for.
    pub sessions: Vec<(String, Line)>,
    pub supervisor: Option<Line>,
}

struct Session {
    name: String,
    line: Line,
    has_loop: bool,
    /// There was one before, or is.
    had_loop: bool,
    /// The person went there all the same: for its commands.
    is_commanded: bool,
    is_over: bool,
    /// Whoever was logged in left, and nobody has begun a turn since.
    is_locked: bool,
    /// The person entered it, and its gate has not answered yet that it is locked: there is no prompt until then.
    held_until: Option<u64>,
    /// It is to be locked as soon as its gate takes another call, and before anything else is asked of it.
    is_lock_due: bool,
    /// The last call that was sent to its gate is a lock.
    is_lock_last: bool,
    reader: Option<Caller>,
    /// The person pressed Ctrl-C since a line was read last.
    interrupted: bool,
    /// What the person entered in it.
    history: History,
}

impl Session {
    fn new(name: String, line: Line) -> Self {
        let history = History::default();
        let (reader, is_locked) = (None, false);
        let (has_loop, had_loop, is_commanded) = (false, false, false);
        let (held_until, is_lock_due, is_lock_last) = (None, false, false);
        let (is_over, interrupted) = (false, false);
        Self {
            name, line, has_loop, had_loop, is_commanded, is_over, is_locked, held_until, is_lock_due, is_lock_last, reader,
            interrupted, history,
        }
    }

    /// Its gate has begun a turn, as it does for nobody while it is locked. Who reads its line.
    fn begins(&mut self) -> Option<Caller> {
        self.is_locked = false;
        self.reader.take()
    }

    /// Notes a Ctrl-C. Whether there was one before, and still nobody reads.
    fn interrupted_in_vain(&mut self) -> bool {
        self.reader.is_none() && std::mem::replace(&mut self.interrupted, true)
    }
}

/// For whom a typed line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Listener {
    Agent,
    /// Nobody reads, but commands are heeded.
    Commands,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Showing {
    Nothing,
    Prompt(Listener),
    Question,
}

/// A line of the console's own or of init's, with the mark that it bears.
struct Words {
    mark: String,
    text: String,
}

pub struct Desk {
    pen: Pen,
    keyboard: Keyboard,
    editor: LineEditor,
    showing: Showing,
    /// What was typed while there was nothing to type at.
    ahead: VecDeque<Stroke>,
    /// Too much was typed: when something was dropped last.
    dropping: Option<u64>,
    /// The person wants to get to the commands, whoever reads.
    commanding: bool,
    sessions: Vec<Session>,
    /// Whose line the person types to.
    current: usize,
    supervisor: Option<Line>,
    callers: BTreeMap<Line, Granted>,
    interrupts: Vec<Caller>,
    asked: VecDeque<Asked>,
    /// Drawing that waits until the question is answered and the terminal has room.
    held: VecDeque<(Caller, Request)>,
    /// Lines that wait as well, and come first.
    words: VecDeque<Words>,
    /// What held connections were asked and have not answered.
    errands: Vec<Errand>,
    last_errand: u64,
    /// The last line of init's that was drawn.
    last_notice: u64,
    widget: Option<String>,
    /// Since when a call of this caller's runs.
    running: BTreeMap<Line, u64>,
    /// Milliseconds on the caller's clock.
    now: u64,
    /// The person was told that this terminal's cursor does not move.
    told_plain: bool,
    probes: Probes,
    leaving: bool,
    effects: Vec<Effect>,
    letters: Box<dyn FnMut() -> String>,
}

impl Desk {
    /// `letters` gives three new random letters each time.
    pub fn new(held: HeldLines, font: Font, letters: impl FnMut() -> String + 'static) -> Self {
        let mut desk = Self {
            pen: Pen::on(Screen { font, ..Screen::default() }),
            keyboard: Keyboard::default(),
            editor: LineEditor::default(),
            showing: Showing::Nothing,
            ahead: VecDeque::new(),
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
            running: BTreeMap::new(),
            now: 0,
            told_plain: false,
            probes: Probes::default(),
            leaving: false,
            effects: Vec::new(),
            letters: Box::new(letters),
        };
        desk.await_notices();
        desk
    }

    /// What is to be written to the terminal; `wrote` tells how much of it was.
    pub fn drawn(&self) -> &[u8] {
        self.pen.drawn()
    }

    /// What the clock says, before each thing that happens.
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

    /// Milliseconds on the caller's clock at which `tick` has something to do.
    pub fn deadline(&self) -> Option<u64> {
        let question = self.asked.front().and_then(|asked| asked.deadline);
        [question, self.size_deadline(), self.lock_deadline()].into_iter().flatten().min()
    }

    pub fn tick(&mut self, now: u64) {
        while self.asked.front().and_then(|asked| asked.deadline).is_some_and(|deadline| deadline <= now) {
            self.answer_question(Answer::TimedOut, "", "refused: nobody answered in time");
        }
        self.watch_size(now);
        self.give_up_locks(now);
        self.settle();
    }

    /// Brings what stands on the screen in line with what is waiting.
    fn settle(&mut self) {
        while !self.leaving && self.step() {}
        self.await_notices();
    }

    /// One change of the screen. `false`: it is as it should be, or the terminal is busy.
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
            // The terminal is busy: the agent's prompt stands below all that is told, and not between two lines of it. Who
            // wants to get to the commands waits for no terminal.
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
            self.commanding = false; // what was typed for the commands goes on at the agent's prompt
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

    /// A line of the console's own, once no question stands.
    fn tell(&mut self, text: &str) {
        self.words.push_back(Words { mark: Voice::Console.mark(None), text: text.to_owned() });
    }

    /// The same at once: words about the question itself.
    fn say(&mut self, text: &str) {
        self.pen.line(&Voice::Console.mark(None), text);
    }

    fn reply(&mut self, caller: Caller, body: &[u8]) {
        self.effects.push(Effect::Send(caller.line, frame::answer(caller.call_id, body)));
    }
}

#[cfg(test)]
mod tests;
