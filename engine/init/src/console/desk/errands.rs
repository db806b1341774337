//! What a person's line sets going: a command for a gate, for init or for the console itself, or a turn for the loop.

use super::callers::Caller;
use super::{Desk, Effect, Line, Showing, request};
use crate::frame::{self, Frame, Kind};
use crate::supervise::request as supervision;

/// A call on a held connection. It is waited for until it is answered or interrupted: a person may be answering a
/// question meanwhile, and a gate may still be starting.
pub struct Errand {
    line: Line,
    call_id: u64,
    kind: ErrandKind,
}

enum ErrandKind {
    /// The loop gets this line once the turn has begun.
    Turn(String),
    Command,
    Stop(String),
}

impl Desk {
    pub(super) fn entered(&mut self, line: &str) {
        self.showing = Showing::Nothing;
        let line = line.trim();
        match line.strip_prefix('/') {
            _ if line.is_empty() => {}
            Some(command) => self.direct(command),
            None => {
                let kind = ErrandKind::Turn(line.to_owned());
                self.ask_session(request::BEGIN_TURN, &request::begin_turn(), kind);
            }
        }
    }

    fn direct(&mut self, command: &str) {
        let (name, argument) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let argument = argument.trim();
        match name {
            "exit" => self.leave(),
            "session" => self.switch(argument),
            "stop" => self.stop(argument),
            _ => self.ask_session(request::COMMAND, &request::command(name, argument), ErrandKind::Command),
        }
    }

    fn switch(&mut self, name: &str) {
        let found = self.sessions.iter().position(|session| session.name == name);
        match found.map(|index| (index, &self.sessions[index])) {
            None => {
                let names: Vec<&str> = self.sessions.iter().map(|session| session.name.as_str()).collect();
                self.tell(&format!("sessions: {}", names.join(", ")));
            }
            Some((_, session)) if session.is_over => self.tell(&format!("session {name} has ended")),
            Some((_, session)) if !session.has_loop => self.tell(&format!("session {name} has nobody to talk to")),
            Some((index, _)) => {
                self.current = index;
                self.tell(&format!("session {name}"));
            }
        }
    }

    fn stop(&mut self, name: &str) {
        let Some(line) = self.supervisor else { return self.tell("nothing can be stopped from here") };
        let kind = ErrandKind::Stop(name.to_owned());
        self.send_errand(line, supervision::SUPERVISOR, supervision::STOP, &supervision::stop(name), kind);
    }

    fn ask_session(&mut self, method: u16, body: &[u8], kind: ErrandKind) {
        match self.sessions.get(self.current) {
            Some(session) if !session.is_over => {
                self.send_errand(session.line, request::SESSION, method, body, kind);
            }
            _ => self.tell("there is no session to answer"),
        }
    }

    fn send_errand(&mut self, line: Line, interface: u64, method: u16, body: &[u8], kind: ErrandKind) {
        self.errands += 1;
        self.errand = Some(Errand { line, call_id: self.errands, kind });
        self.effects.push(Effect::Send(line, frame::call(self.errands, interface, method, body)));
    }

    pub(super) fn errand_answered(&mut self, line: Line, frame: Frame) {
        let is_meant = |errand: &mut Errand| errand.line == line && errand.call_id == frame.call_id;
        let Some(errand) = self.errand.take_if(is_meant) else { return }; // it was given up before
        match (frame.kind, errand.kind) {
            (Kind::Answer { .. }, ErrandKind::Turn(line)) => {
                if let Some(caller) = self.sessions.get_mut(self.current).and_then(|session| session.reader.take()) {
                    self.reply(caller, &request::line(&line, false));
                }
            }
            (Kind::Answer { body }, ErrandKind::Command) => match request::command_lines(&body) {
                Ok(lines) => lines.iter().for_each(|line| self.tell(line)),
                Err(reason) => self.tell(&reason),
            },
            (Kind::Answer { .. }, ErrandKind::Stop(name)) => self.tell(&format!("{name} is stopped")),
            (Kind::Failure { reason }, _) => self.tell(&reason),
            (Kind::Call { .. } | Kind::Cancel, _) => self.tell("no answer"),
        }
    }

    /// Ctrl-C: who was asked is told, and what it still answers is not shown; the loop does not get the line.
    pub(super) fn stop_waiting(&mut self) {
        if let Some(errand) = self.errand.take() {
            self.effects.push(Effect::Send(errand.line, frame::cancel(errand.call_id)));
            self.tell("stopped waiting");
        }
    }

    /// A held connection is gone.
    pub(super) fn held_closed(&mut self, line: Line) {
        if self.supervisor == Some(line) {
            self.supervisor = None;
        }
        if let Some(session) = self.sessions.iter().position(|session| session.line == line) {
            self.end_session(session, "gate stopped");
        } else if self.errand.take_if(|errand| errand.line == line).is_some() {
            self.tell("no answer: the connection has ended");
        }
    }

    /// A session lives as long as its gate and its loop. Whoever is left of it is told that the person is gone.
    pub(super) fn end_session(&mut self, index: usize, why: &str) {
        let Some(session) = self.sessions.get_mut(index) else { return };
        if std::mem::replace(&mut session.is_over, true) || self.leaving {
            return;
        }
        let words = format!("session {} has ended: {why}", session.name);
        let reader = session.reader.take();
        let line = session.line;
        self.tell(&words);
        if let Some(caller) = reader {
            self.reply(caller, &request::line("", true));
        }
        self.errand.take_if(|errand| errand.line == line);
        if self.current == index {
            self.current = 0;
            self.editor.clear();
        }
    }

    pub(super) fn leave(&mut self) {
        if std::mem::replace(&mut self.leaving, true) {
            return;
        }
        self.pen.fresh();
        let readers: Vec<Caller> = self.sessions.iter_mut().filter_map(|session| session.reader.take()).collect();
        for caller in readers {
            self.reply(caller, &request::line("", true));
        }
        self.effects.push(Effect::Leave);
    }
}
