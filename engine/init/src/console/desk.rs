//! What the console does, as a function of what happened. Three things may stand on the screen: nothing to type at, the
//! prompt, or a question; a question comes before everything, and nothing else is drawn while it stands.

use super::line::{Key, LineEditor};
use super::pen::{Pen, Voice};
use super::request::{self, Question, Request, Stage};
use crate::frame::{self, Frame, Kind};
use crate::wire_capnp::{Answer, FailureCode};
use std::collections::VecDeque;

/// Which connection; numbers are given by the one who holds the descriptors.
pub type Line = usize;

/// The connection that this process holds: `Session`, for direct commands.
pub const SESSION_LINE: Line = 0;
/// Calls of one connection that may wait at a time.
const MOST_WAITING: usize = 8;
/// Typed while nobody reads; more is lost.
const MOST_AHEAD: usize = 4096;
/// A session that does not answer in this time is told of, and the prompt comes back.
const ERRAND_MS: u64 = 10_000;

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Caller {
    line: Line,
    call_id: u64,
}

/// A call to the session: a direct command, or a turn that it is to begin before the loop gets this line.
struct Errand {
    line: Option<String>,
    deadline: u64,
}

struct Asked {
    caller: Caller,
    question: Question,
    letters: String,
    deadline: Option<u64>,
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
    reader: Option<Caller>,
    interrupts: Vec<Caller>,
    asked: VecDeque<Asked>,
    /// Drawing that waits until the question is answered.
    held: VecDeque<(Caller, Request)>,
    /// What the session was asked and has not answered.
    errand: Option<Errand>,
    errands: u64,
    has_session: bool,
    widget: Option<String>,
    leaving: bool,
    effects: Vec<Effect>,
    letters: Box<dyn FnMut() -> String>,
}

impl Desk {
    /// `letters` gives three new random letters each time.
    pub fn new(has_session: bool, letters: impl FnMut() -> String + 'static) -> Self {
        Self {
            pen: Pen::default(),
            editor: LineEditor::default(),
            showing: Showing::Nothing,
            ahead: VecDeque::new(),
            reader: None,
            interrupts: Vec::new(),
            asked: VecDeque::new(),
            held: VecDeque::new(),
            errand: None,
            errands: 0,
            has_session,
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
        let question = self.asked.front().and_then(|asked| asked.deadline);
        let errand = self.errand.as_ref().map(|errand| errand.deadline);
        [question, errand].into_iter().flatten().min()
    }

    pub fn tick(&mut self, now: u64) {
        if self.asked.front().and_then(|asked| asked.deadline).is_some_and(|deadline| deadline <= now) {
            self.answer_question(Answer::TimedOut, "refused: nobody answered in time");
        }
        if self.errand.as_ref().is_some_and(|errand| errand.deadline <= now) {
            self.errand = None;
            self.pen.line(Voice::Runner, "no answer in time");
        }
        self.settle(now);
    }

    // ---- the terminal ----

    pub fn typed(&mut self, bytes: &[u8], now: u64) {
        for &byte in bytes {
            if byte == 0x03 {
                self.interrupt();
            } else if self.showing == Showing::Nothing {
                if self.ahead.len() < MOST_AHEAD {
                    self.ahead.push_back(byte);
                }
            } else {
                self.key(byte, now);
            }
            self.settle(now);
        }
    }

    /// The terminal is gone: the person left.
    pub fn hung_up(&mut self) {
        self.leave();
    }

    fn key(&mut self, byte: u8, now: u64) {
        match self.editor.key(byte) {
            Key::Echo(echo) => self.pen.echo(&echo),
            Key::Interrupt => self.interrupt(),
            Key::Line(line) => {
                self.pen.fresh();
                match self.showing {
                    Showing::Question => self.judge(&line),
                    Showing::Prompt | Showing::Nothing => self.entered(line, now),
                }
            }
            Key::End => match self.showing {
                Showing::Question => self.judge(""),
                Showing::Prompt | Showing::Nothing => self.leave(),
            },
        }
    }

    fn interrupt(&mut self) {
        self.ahead.clear();
        for caller in std::mem::take(&mut self.interrupts) {
            self.reply(caller, &request::nothing());
        }
        if self.showing != Showing::Nothing {
            self.pen.echo("^C");
        }
        self.editor.clear();
        if self.showing == Showing::Question {
            self.answer_question(Answer::Cancelled, "refused: interrupted");
        }
        self.showing = Showing::Nothing;
    }

    // ---- the prompt ----

    fn entered(&mut self, line: String, now: u64) {
        self.showing = Showing::Nothing;
        let line = line.trim();
        match line.strip_prefix('/') {
            _ if line.is_empty() => {}
            Some("exit") => self.leave(),
            Some(command) => self.direct(command, now),
            None => self.ask_session(request::BEGIN_TURN, &[], Some(line.to_owned()), now),
        }
    }

    fn direct(&mut self, command: &str, now: u64) {
        let (name, argument) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        self.ask_session(request::COMMAND, &request::command(name, argument.trim()), None, now);
    }

    fn ask_session(&mut self, method: u16, body: &[u8], line: Option<String>, now: u64) {
        if !self.has_session {
            self.pen.line(Voice::Runner, "there is no session to answer");
            return;
        }
        self.errands += 1;
        self.errand = Some(Errand { line, deadline: now + ERRAND_MS });
        let bytes = frame::call(self.errands, request::SESSION, method, body);
        self.effects.push(Effect::Send(SESSION_LINE, bytes));
    }

    fn session_answered(&mut self, frame: Frame) {
        if frame.call_id != self.errands {
            return; // an answer that came after it was given up
        }
        let Some(errand) = self.errand.take() else { return };
        match (frame.kind, errand.line) {
            (Kind::Answer { .. }, Some(line)) => {
                if let Some(caller) = self.reader.take() {
                    self.reply(caller, &request::line(&line, false));
                }
            }
            (Kind::Answer { body }, None) => self.show(request::command_lines(&body)),
            (Kind::Failure { reason }, _) => self.show(Err(reason)),
            (Kind::Call { .. } | Kind::Cancel, _) => self.show(Err("no answer".into())),
        }
    }

    fn show(&mut self, lines: Result<Vec<String>, String>) {
        for line in lines.unwrap_or_else(|reason| vec![reason]) {
            self.pen.line(Voice::Runner, &line);
        }
    }

    fn leave(&mut self) {
        if std::mem::replace(&mut self.leaving, true) {
            return;
        }
        self.pen.fresh();
        if let Some(caller) = self.reader.take() {
            self.reply(caller, &request::line("", true));
        }
        self.effects.push(Effect::Leave);
    }

    // ---- questions ----

    fn judge(&mut self, line: &str) {
        let allowed = self.asked.front().is_some_and(|asked| line.trim() == asked.letters);
        if allowed {
            self.answer_question(Answer::Granted, "allowed");
        } else {
            self.answer_question(Answer::Denied, "refused");
        }
    }

    fn answer_question(&mut self, answer: Answer, words: &str) {
        if let Some(asked) = self.asked.pop_front() {
            self.pen.line(Voice::Runner, words);
            self.reply(asked.caller, &request::answer(answer));
            self.showing = Showing::Nothing;
            self.editor.clear();
        }
    }

    fn draw_question(&mut self) {
        // What was typed before the question was seen must not answer it.
        self.ahead.clear();
        self.editor.clear();
        self.effects.push(Effect::DropTyped);
        if let Some(Asked { question, letters, .. }) = self.asked.front() {
            self.pen.line(Voice::Runner, &format!("{} ({}, {})", question.sentence, question.mode, question.rule));
            self.pen.line(Voice::Runner, &format!("{} {}", question.tool, question.arguments));
            self.pen.prompt(&format!("allow? type {letters} to allow, anything else refuses> "));
        }
    }

    /// Brings what stands on the screen in line with what is waiting.
    fn settle(&mut self, now: u64) {
        while !self.leaving {
            if !self.asked.is_empty() {
                if self.showing != Showing::Question {
                    self.draw_question();
                    self.showing = Showing::Question;
                }
                return;
            }
            if let Some((caller, request)) = self.held.pop_front() {
                self.draw(caller, request);
            } else if self.reader.is_some() && self.errand.is_none() && self.showing == Showing::Nothing {
                self.pen.prompt("you> ");
                let typed = self.editor.drawn();
                self.pen.echo(&typed);
                self.showing = Showing::Prompt;
            } else if self.showing == Showing::Prompt && !self.ahead.is_empty() {
                let byte = self.ahead.pop_front().unwrap_or_default();
                self.key(byte, now);
            } else {
                return;
            }
        }
    }

    // ---- connections ----

    /// A frame from a connection on which `interface_id` is granted; 0 for the session's.
    pub fn frame(&mut self, line: Line, interface_id: u64, frame: Frame, now: u64) {
        if line == SESSION_LINE {
            self.session_answered(frame);
        } else {
            let caller = Caller { line, call_id: frame.call_id };
            match frame.kind {
                Kind::Call { interface_id: named, .. } if named != interface_id => {
                    self.effects.push(Effect::CutOff(line, "it named an interface that it was not granted".into()));
                    self.forget(|waiting| waiting.line == line, false);
                }
                Kind::Call { method, body, .. } => match request::read(interface_id, method, &body) {
                    Ok(request) => self.accept(caller, request, now),
                    Err((code, reason)) => self.fail(caller, code, &reason),
                },
                Kind::Cancel => self.forget(|waiting| waiting == caller, true),
                Kind::Answer { .. } | Kind::Failure { .. } => {}
            }
        }
        self.settle(now);
    }

    pub fn closed(&mut self, line: Line, now: u64) {
        if line == SESSION_LINE {
            self.has_session = false;
            if self.errand.take().is_some() {
                self.pen.line(Voice::Runner, "the session is gone");
            }
        } else {
            self.forget(|waiting| waiting.line == line, false);
        }
        self.settle(now);
    }

    fn accept(&mut self, caller: Caller, request: Request, now: u64) {
        if self.waiting(caller.line) >= MOST_WAITING {
            return self.fail(caller, FailureCode::Overloaded, "too many calls at a time");
        }
        match request {
            Request::ReadLine if self.reader.is_some() => self.fail(caller, FailureCode::Overloaded, "a line is being read"),
            Request::ReadLine => self.reader = Some(caller),
            Request::AwaitInterrupt => self.interrupts.push(caller),
            Request::Ask(question) => {
                let deadline = (question.timeout_ms > 0).then(|| now + u64::from(question.timeout_ms));
                let letters = (self.letters)();
                self.asked.push_back(Asked { caller, question, letters, deadline });
            }
            drawing if self.asked.is_empty() => self.draw(caller, drawing),
            drawing => self.held.push_back((caller, drawing)),
        }
    }

    fn draw(&mut self, caller: Caller, request: Request) {
        match request {
            Request::Write { text, voice } => {
                self.widget = None;
                self.pen.text(voice, &text);
            }
            Request::Announce(notice) => {
                let ended = match notice.detail.as_str() {
                    "" => format!(" → {}\n", notice.outcome),
                    detail => format!(" → {} ({})\n", notice.outcome, detail.replace('\n', " ")),
                };
                let call = notice.call.replace('\n', " ");
                match notice.stage {
                    Stage::Proposed => {}
                    Stage::Running => {
                        self.pen.fresh();
                        self.pen.text(Voice::Tool, &call);
                        self.widget = Some(call);
                    }
                    Stage::Finished if self.widget.take().as_deref() == Some(&call) && self.pen.is_open(Voice::Tool) => {
                        self.pen.text(Voice::Tool, &ended);
                    }
                    Stage::Finished => {
                        self.pen.fresh();
                        self.pen.text(Voice::Tool, &(call + &ended));
                    }
                }
            }
            Request::ReadLine | Request::AwaitInterrupt | Request::Ask(_) => {}
        }
        if self.showing == Showing::Prompt && !self.pen.holds_prompt() {
            self.showing = Showing::Nothing;
        }
        self.reply(caller, &request::nothing());
    }

    fn waiting(&self, line: Line) -> usize {
        let waiting = self.reader.iter().chain(&self.interrupts);
        let asked = self.asked.iter().map(|asked| &asked.caller);
        let held = self.held.iter().map(|(caller, _)| caller);
        waiting.chain(asked).chain(held).filter(|caller| caller.line == line).count()
    }

    /// Drops the calls that match; `say` answers each with a failure.
    fn forget(&mut self, matches: impl Fn(Caller) -> bool, say: bool) {
        let mut gone: Vec<Caller> = self.reader.take_if(|caller| matches(*caller)).into_iter().collect();
        if !gone.is_empty() && self.showing == Showing::Prompt {
            self.pen.fresh();
            self.showing = Showing::Nothing;
        }
        let (taken, kept) = self.interrupts.iter().partition(|caller| matches(**caller));
        self.interrupts = kept;
        gone.extend::<Vec<Caller>>(taken);
        if self.asked.front().is_some_and(|asked| matches(asked.caller)) {
            self.pen.line(Voice::Runner, "refused: the question was taken back");
            self.showing = Showing::Nothing;
            self.editor.clear();
        }
        gone.extend(self.asked.iter().map(|asked| asked.caller).filter(|caller| matches(*caller)));
        gone.extend(self.held.iter().map(|(caller, _)| *caller).filter(|caller| matches(*caller)));
        self.asked.retain(|asked| !matches(asked.caller));
        self.held.retain(|(caller, _)| !matches(*caller));
        if say {
            gone.into_iter().for_each(|caller| self.fail(caller, FailureCode::Cancelled, "taken back"));
        }
    }

    fn reply(&mut self, caller: Caller, body: &[u8]) {
        self.effects.push(Effect::Send(caller.line, frame::answer(caller.call_id, body)));
    }

    fn fail(&mut self, caller: Caller, code: FailureCode, reason: &str) {
        self.effects.push(Effect::Send(caller.line, frame::failure(caller.call_id, code, reason)));
    }
}

#[cfg(test)]
mod tests;
