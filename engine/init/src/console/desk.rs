//! What the console does, as a function of what happened. Three things may stand on the screen: nothing to type at, the
//! prompt of one session, or a question; a question comes before everything, and nothing else is drawn while it stands.

mod callers;
mod errands;
mod questions;

use super::line::{Key, LineEditor};
use super::pen::{Pen, Voice};
use super::request::{self, Request};
use crate::frame;
use crate::wire_capnp::Answer;
use callers::{Caller, Granted};
use errands::Errand;
use questions::Asked;
use std::collections::{BTreeMap, VecDeque};

/// Which connection; numbers are given by the one who holds the descriptors.
pub type Line = usize;

/// Typed while nobody reads; more is lost.
const MOST_AHEAD: usize = 4096;

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
    is_over: bool,
    reader: Option<Caller>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Showing {
    Nothing,
    Prompt,
    Question,
}

pub struct Desk {
    pen: Pen,
    editor: LineEditor,
    showing: Showing,
    ahead: VecDeque<u8>,
    sessions: Vec<Session>,
    /// Whose line the person types to.
    current: usize,
    supervisor: Option<Line>,
    callers: BTreeMap<Line, Granted>,
    interrupts: Vec<Caller>,
    asked: VecDeque<Asked>,
    /// Drawing that waits until the question is answered.
    held: VecDeque<(Caller, Request)>,
    /// Lines of the console's own that wait as well.
    words: VecDeque<String>,
    /// What a held connection was asked and has not answered.
    errand: Option<Errand>,
    errands: u64,
    widget: Option<String>,
    leaving: bool,
    effects: Vec<Effect>,
    letters: Box<dyn FnMut() -> String>,
}

impl Desk {
    /// `letters` gives three new random letters each time.
    pub fn new(held: HeldLines, letters: impl FnMut() -> String + 'static) -> Self {
        let session = |(name, line)| Session { name, line, has_loop: false, is_over: false, reader: None };
        Self {
            pen: Pen::default(),
            editor: LineEditor::default(),
            showing: Showing::Nothing,
            ahead: VecDeque::new(),
            sessions: held.sessions.into_iter().map(session).collect(),
            current: 0,
            supervisor: held.supervisor,
            callers: BTreeMap::new(),
            interrupts: Vec::new(),
            asked: VecDeque::new(),
            held: VecDeque::new(),
            words: VecDeque::new(),
            errand: None,
            errands: 0,
            widget: None,
            leaving: false,
            effects: Vec::new(),
            letters: Box::new(letters),
        }
    }

    pub fn drawn(&mut self) -> Vec<u8> {
        self.pen.take()
    }

    pub fn effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Milliseconds on the caller's clock at which `tick` has something to do.
    pub fn deadline(&self) -> Option<u64> {
        self.asked.front().and_then(|asked| asked.deadline)
    }

    pub fn tick(&mut self, now: u64) {
        while self.asked.front().and_then(|asked| asked.deadline).is_some_and(|deadline| deadline <= now) {
            self.answer_question(Answer::TimedOut, "", "refused: nobody answered in time");
        }
        self.settle();
    }

    pub fn typed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == 0x03 {
                self.interrupt();
            } else if self.showing == Showing::Nothing {
                if self.ahead.len() < MOST_AHEAD {
                    self.ahead.push_back(byte);
                }
            } else {
                self.key(byte);
            }
            self.settle();
        }
    }

    /// The terminal is gone: the person left.
    pub fn hung_up(&mut self) {
        self.leave();
    }

    fn key(&mut self, byte: u8) {
        match self.editor.key(byte) {
            Key::Echo(echo) => self.pen.echo(&echo),
            Key::Interrupt => self.interrupt(),
            Key::Line(line) => {
                self.pen.fresh();
                match self.showing {
                    Showing::Question => self.judge(&line),
                    Showing::Prompt | Showing::Nothing => self.entered(&line),
                }
            }
            Key::End => match self.showing {
                Showing::Question => self.judge(""),
                Showing::Prompt | Showing::Nothing => self.leave(),
            },
        }
    }

    /// Ctrl-C: for the session whose question stands there, else for the one that the person types to.
    fn interrupt(&mut self) {
        self.ahead.clear();
        let asking = self.asked.front().filter(|_| self.showing == Showing::Question);
        let session = asking.map_or(self.current, |asked| self.session_of(asked.caller));
        let (told, others): (Vec<Caller>, Vec<Caller>) =
            self.interrupts.iter().partition(|caller| self.session_of(**caller) == session);
        self.interrupts = others;
        for caller in told {
            self.reply(caller, &request::nothing());
        }
        if self.showing != Showing::Nothing {
            self.pen.echo("^C");
        }
        self.editor.clear();
        if self.showing == Showing::Question {
            self.answer_question(Answer::Cancelled, "", "refused: interrupted");
        } else {
            self.stop_waiting();
        }
        self.showing = Showing::Nothing;
    }

    /// Brings what stands on the screen in line with what is waiting.
    fn settle(&mut self) {
        while !self.leaving {
            if !self.asked.is_empty() {
                if self.showing != Showing::Question {
                    self.draw_question();
                    self.showing = Showing::Question;
                }
                return;
            }
            if let Some(words) = self.words.pop_front() {
                self.undraw_prompt();
                self.say(&words);
            } else if let Some((caller, request)) = self.held.pop_front() {
                self.draw(caller, request);
            } else if self.is_read() && self.errand.is_none() && self.showing == Showing::Nothing {
                self.pen.prompt(&self.prompt());
                let typed = self.editor.drawn();
                self.pen.echo(&typed);
                self.showing = Showing::Prompt;
            } else if self.showing == Showing::Prompt && !self.ahead.is_empty() {
                let byte = self.ahead.pop_front().unwrap_or_default();
                self.key(byte);
            } else {
                return;
            }
        }
    }

    /// Whether the session that the person types to waits for a line.
    fn is_read(&self) -> bool {
        self.sessions.get(self.current).is_some_and(|session| session.reader.is_some())
    }

    fn prompt(&self) -> String {
        match self.sessions.get(self.current) {
            Some(session) if self.current > 0 => format!("you ({})> ", session.name),
            _ => "you> ".into(),
        }
    }

    /// A line of the console's own, once no question stands.
    fn tell(&mut self, text: &str) {
        self.words.push_back(text.to_owned());
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
