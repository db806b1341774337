//! The processes that have a grant on the console: the loop and the gate of each session. This module validates the frames of
//! these processes. Only the grant decides what a process may draw and ask; statements of the process about itself do not count.

use super::asked::Asked;
use super::caller::{Caller, Granted, Line};
use super::state::{Desk, Effect, Showing};
use crate::console::request::{self, APPROVAL, Notice, Request, Stage, TERMINAL};
use crate::frame::{self, Frame, Kind};
use crate::wire_capnp::FailureCode;

/// Maximum number of waiting calls of one connection.
const MOST_WAITING: usize = 8;

impl Desk {
    /// Adds a connection of a process that has a grant on the console.
    pub fn granted(&mut self, line: Line, interface_id: u64, holder: &str) {
        let (role, name) = holder.split_once('.').unwrap_or((holder, ""));
        let session = self.sessions.iter().position(|session| session.name == name);
        match (session, role, interface_id) {
            (Some(session), "loop", TERMINAL) => {
                self.callers.insert(line, Granted { interface_id, session });
                self.loop_granted(session);
            }
            (Some(session), "gate", APPROVAL) => {
                self.callers.insert(line, Granted { interface_id, session });
            }
            _ => self.effects.push(Effect::CutOff(line, "nothing is served to that holder".into())),
        }
    }

    pub fn frame(&mut self, line: Line, frame: Frame) {
        let Some(&Granted { interface_id, .. }) = self.callers.get(&line) else {
            self.errand_answered(line, frame);
            return self.settle();
        };
        let caller = Caller { line, call_id: frame.call_id };
        if interface_id == APPROVAL {
            let session = self.session_of(caller);
            self.sessions[session].has_answered = true;
        }
        match frame.kind {
            Kind::Call { interface_id: named, .. } if named != interface_id => {
                self.effects.push(Effect::CutOff(line, "it named an interface that it was not granted".into()));
            }
            Kind::Call { method, body, .. } => match request::read(interface_id, method, &body) {
                Ok(request) => self.accept(caller, request),
                Err((code, reason)) => self.fail(caller, code, &reason),
            },
            Kind::Cancel => self.forget(|waiting| waiting == caller, true),
            Kind::Answer { .. } | Kind::Failure { .. } => {}
        }
        self.settle();
    }

    /// Removes a connection that either side has ended.
    pub fn closed(&mut self, line: Line) {
        self.forget(|waiting| waiting.line == line, false);
        self.running.remove(&line);
        match self.callers.remove(&line) {
            Some(Granted { interface_id: TERMINAL, session }) => {
                self.sessions[session].has_loop = self.has_loop(session);
                self.sessions[session].turn = None;
            }
            Some(_) => {} // a gate without an open question refuses by itself
            None => self.held_closed(line),
        }
        self.settle();
    }

    /// Adds a restarted loop, which has no memory of the conversation so far. Labels and quotas are unchanged, because the gate has them.
    fn loop_granted(&mut self, index: usize) {
        let session = &mut self.sessions[index];
        session.has_loop = true;
        session.is_commanded = false;
        if std::mem::replace(&mut session.had_loop, true) {
            let words = format!("the agent of session {} begins anew, and reads only the open conversation", session.name);
            self.tell(&words);
        }
    }

    fn has_loop(&self, index: usize) -> bool {
        self.callers.values().any(|granted| granted.interface_id == TERMINAL && granted.session == index)
    }

    pub(super) fn session_of(&self, caller: Caller) -> usize {
        self.callers.get(&caller.line).map_or(0, |granted| granted.session)
    }

    /// Returns the name of the caller's session, if it is not the current session.
    pub(super) fn other_session(&self, caller: Caller) -> Option<&str> {
        let session = self.session_of(caller);
        (session != self.current).then(|| self.sessions[session].name.as_str())
    }

    fn accept(&mut self, caller: Caller, request: Request) {
        if self.waiting(caller.line) >= MOST_WAITING {
            return self.fail(caller, FailureCode::Overloaded, "too many calls at a time");
        }
        let session = self.session_of(caller);
        match request {
            Request::ReadLine if self.sessions[session].is_over => self.reply(caller, &request::line("", true)),
            Request::ReadLine if self.sessions[session].reader.is_some() => {
                self.fail(caller, FailureCode::Overloaded, "a line is being read");
            }
            Request::ReadLine => {
                self.sessions[session].reader = Some(caller);
                self.sessions[session].turn = None;
                self.sessions[session].interrupted = false;
                self.sessions[session].is_standing_due = true;
            }
            Request::AwaitInterrupt => self.interrupts.push(caller),
            Request::Lock => {
                self.sessions[session].is_standing_due = true;
                self.lock(session);
                self.reply(caller, &request::nothing());
            }
            // A loop that still runs could draw text for a person who has left.
            Request::Write { .. } if self.sessions[session].is_locked => {
                self.fail(caller, FailureCode::Cancelled, "the session is locked");
            }
            Request::Announce(notice) => {
                self.sessions[session].is_standing_due |= notice.stage == Stage::Finished;
                let notice = self.timed(caller, notice);
                self.held.push_back((caller, Request::Announce(notice)));
            }
            Request::Ask(question) => {
                let letters = (self.letters)();
                let mut others = (self.letters)();
                while others == letters {
                    others = (self.letters)();
                }
                self.asked.push_back(Asked::new(caller, question, letters, others));
            }
            drawing => self.held.push_back((caller, drawing)),
        }
    }

    /// Adds the duration of a call by the console's clock, from the notice that the call runs to the notice that it has ended.
    fn timed(&mut self, caller: Caller, notice: Notice) -> Notice {
        match notice.stage {
            Stage::Proposed | Stage::Waiting => notice,
            Stage::Running => {
                self.running.insert(caller.line, self.now);
                notice
            }
            Stage::Finished => {
                let elapsed = self.running.remove(&caller.line).map(|since| self.now.saturating_sub(since));
                Notice { elapsed, ..notice }
            }
        }
    }

    fn waiting(&self, line: Line) -> usize {
        let readers = self.sessions.iter().filter_map(|session| session.reader.as_ref());
        let asked = self.asked.iter().map(|asked| &asked.caller);
        let held = self.held.iter().map(|(caller, _)| caller);
        readers.chain(&self.interrupts).chain(asked).chain(held).filter(|caller| caller.line == line).count()
    }

    /// Drops the matching calls; if `say` is true, each of them fails with a message.
    fn forget(&mut self, matches: impl Fn(Caller) -> bool, say: bool) {
        let mut gone: Vec<Caller> = Vec::new();
        for session in &mut self.sessions {
            gone.extend(session.reader.take_if(|caller| matches(*caller)));
        }
        let (taken, kept) = self.interrupts.iter().partition(|caller| matches(**caller));
        self.interrupts = kept;
        gone.extend::<Vec<Caller>>(taken);
        if self.asked.front().is_some_and(|asked| matches(asked.caller)) && self.showing == Showing::Question {
            self.say("refused: the question was taken back");
            self.showing = Showing::Nothing;
            self.editor.forget();
        }
        gone.extend(self.asked.iter().map(|asked| asked.caller).filter(|caller| matches(*caller)));
        gone.extend(self.held.iter().map(|(caller, _)| *caller).filter(|caller| matches(*caller)));
        self.asked.retain(|asked| !matches(asked.caller));
        self.held.retain(|(caller, _)| !matches(*caller));
        if say {
            gone.into_iter().for_each(|caller| self.fail(caller, FailureCode::Cancelled, "taken back"));
        }
    }

    pub(super) fn fail(&mut self, caller: Caller, code: FailureCode, reason: &str) {
        self.effects.push(Effect::Send(caller.line, frame::failure(caller.call_id, code, reason)));
    }
}
