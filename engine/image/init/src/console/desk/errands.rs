//! Calls that a person's line starts: a command for a gate, for init or for the console itself, or a turn for the loop.

use super::caller::{Caller, Line};
use super::errand::{Errand, ErrandKind, Typed};
use super::state::{Desk, Effect, Session, Words};
use super::texts::NOBODY_LISTENS;
use crate::console::pen::Voice;
use crate::console::request;
use crate::console::said::Said;
use crate::console::screen::NO_BRACKETS;
use crate::frame::{self, Frame, Kind};
use crate::supervise::request as supervision;

/// The mark of init's lines.
const INIT: &str = "capos: ";
const MUTE: &str = "has nobody to talk to";
/// Maximum number of waiting calls to other processes; a gate ends the connection of a peer with more.
const MOST_ERRANDS: usize = 8;
/// Maximum time for which the prompt of an entered session waits until the gate
/// confirms the lock. The gate itself waits up to 20 s for other processes.
const LOCK_MS: u64 = 30_000;
const TOO_MANY: &str = "too many commands wait for their answers";

impl Desk {
    pub(super) fn entered(&mut self, line: &Said) {
        let said = line.trimmed();
        let line = said.text();
        if let Some(session) = self.sessions.get_mut(self.current) {
            session.history.add(&said);
        }
        match line.strip_prefix('/') {
            _ if line.is_empty() => {}
            Some(command) => self.direct(command, &said),
            None if self.is_mute() => self.tell(NOBODY_LISTENS),
            None => {
                let kind = ErrandKind::Turn(line.to_owned());
                self.ask_session(request::BEGIN_TURN, &request::begin_turn(&said), kind);
            }
        }
    }

    /// Returns whether the session takes only commands. Such a session gets its tasks from elsewhere, and has no loop that reads lines.
    fn is_mute(&self) -> bool {
        self.sessions.get(self.current).is_some_and(|session| session.is_commanded)
    }

    fn direct(&mut self, command: &str, said: &Said) {
        let (name, argument) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let argument = argument.trim();
        match name {
            "exit" => self.leave(),
            "help" => self.ask_help(argument),
            "session" => self.switch(argument),
            "colours" => self.set_colours(argument),
            "stop" => self.ask_init(supervision::STOP, &supervision::stop(argument), ErrandKind::Stop(argument.to_owned())),
            "restart" => {
                let kind = ErrandKind::Restart(argument.to_owned());
                self.ask_init(supervision::RESTART, &supervision::restart(argument), kind);
            }
            _ => {
                let typed = self.typed_command(command);
                self.ask_session(request::COMMAND, &request::command(name, argument, said.has_pasted()), ErrandKind::Command(typed));
            }
        }
    }

    /// Returns the command, and whether other commands of the same session wait for their responses.
    fn typed_command(&mut self, command: &str) -> Typed {
        let line = self.sessions.get(self.current).map(|session| session.line);
        let mut has_others = false;
        for errand in self.errands.iter_mut().filter(|errand| Some(errand.line) == line) {
            if let ErrandKind::Command(typed) = &mut errand.kind {
                typed.has_others = true;
                has_others = true;
            }
        }
        Typed { line: format!("/{command}"), has_others }
    }

    fn switch(&mut self, name: &str) {
        let found = self.sessions.iter().position(|session| session.name == name);
        match found.map(|index| (index, &self.sessions[index])) {
            None => {
                let names: Vec<&str> = self.sessions.iter().map(|session| session.name.as_str()).collect();
                self.tell(&format!("sessions: {}", names.join(", ")));
            }
            Some((_, session)) if session.is_over => self.tell(&format!("session {name} has ended")),
            // Init restarts the session's loop by itself, and the console tells the person when the new loop is there.
            Some((_, session)) if !session.has_loop && session.had_loop => self.tell(&format!("session {name} {MUTE}")),
            Some((index, session)) => {
                let is_commanded = !session.has_loop;
                let words = if is_commanded { format!(" {MUTE}; commands only") } else { String::new() };
                self.tell(&format!("session {name}{words}"));
                self.sessions[index].is_commanded = is_commanded;
                self.enter_session(index);
            }
        }
    }

    /// Makes another session the current one. The console does not know who types, so a user who is logged in to that
    /// session must log in again. The gate gets the lock before any other call, and the prompt waits for its response.
    fn enter_session(&mut self, index: usize) {
        if std::mem::replace(&mut self.current, index) == index || self.sessions[index].is_over {
            return;
        }
        let until = self.now + LOCK_MS;
        let is_locking = self.is_locking(self.sessions[index].line);
        let session = &mut self.sessions[index];
        session.held_until = Some(until);
        // Another lock is not needed if the last call that was sent is a lock.
        session.is_lock_due |= !(is_locking && session.is_lock_last);
        session.is_standing_due = true;
        self.send_due_locks();
        self.refresh_status();
    }

    /// Returns whether a lock on that connection has no response yet.
    pub(super) fn is_locking(&self, line: Line) -> bool {
        self.errands.iter().any(|errand| errand.line == line && matches!(errand.kind, ErrandKind::Lock))
    }

    /// Asks each gate to lock its session if the lock is due and the gate accepts another call now.
    fn send_due_locks(&mut self) {
        for index in 0..self.sessions.len() {
            let Session { line, is_lock_due, .. } = self.sessions[index];
            if is_lock_due && self.has_place(line) {
                self.sessions[index].is_lock_due = false;
                self.send(line, request::SESSION, request::COMMAND, &request::command("lock", "", false), ErrandKind::Lock);
                self.sessions[index].is_lock_last = true;
            }
        }
    }

    fn has_place(&self, line: Line) -> bool {
        self.errands.iter().filter(|errand| errand.line == line).count() < MOST_ERRANDS
    }

    /// Handles a gate's response to the last request to lock its session: the person may type again.
    fn lock_answered(&mut self, line: Line) {
        let is_locking = self.is_locking(line);
        if let Some(session) = self.sessions.iter_mut().find(|session| session.line == line && !session.is_lock_due) {
            session.held_until = session.held_until.filter(|_| is_locking);
        }
    }

    /// Returns the time at which the console stops waiting for a lock, and shows the prompt; `None` if it waits for no lock.
    pub(super) fn lock_deadline(&self) -> Option<u64> {
        self.sessions.iter().filter_map(|session| session.held_until).min()
    }

    /// Restores the prompt of a session whose gate does not respond. The gate still receives the lock before any input that is typed now.
    pub(super) fn give_up_locks(&mut self, now: u64) {
        let mut told = Vec::new();
        for session in &mut self.sessions {
            if session.held_until.take_if(|until| *until <= now).is_some() {
                let seconds = LOCK_MS / 1_000;
                told.push(format!("session {} may still be open: its gate has not answered for {seconds} s", session.name));
            }
        }
        told.iter().for_each(|words| self.tell(words));
    }

    pub(super) fn ask_progress(&mut self) {
        let is_asked = self.errands.iter().any(|errand| matches!(errand.kind, ErrandKind::Progress));
        if let (Some(line), false) = (self.supervisor, is_asked) {
            self.send(line, supervision::SUPERVISOR, supervision::FACTS, &supervision::ask_facts(), ErrandKind::Progress);
        }
    }

    fn ask_init(&mut self, method: u16, body: &[u8], kind: ErrandKind) {
        let Some(line) = self.supervisor else { return self.tell("nothing can be stopped from here") };
        self.send_errand(line, supervision::SUPERVISOR, method, body, kind);
    }

    pub(super) fn ask_session(&mut self, method: u16, body: &[u8], kind: ErrandKind) {
        match self.sessions.get(self.current) {
            Some(session) if !session.is_over => {
                self.send_errand(session.line, request::SESSION, method, body, kind);
            }
            _ => self.tell("there is no session to answer"),
        }
    }

    fn send_errand(&mut self, line: Line, interface: u64, method: u16, body: &[u8], kind: ErrandKind) {
        let is_behind_lock = self.sessions.iter().any(|session| session.line == line && session.is_lock_due);
        if is_behind_lock || !self.has_place(line) {
            return self.drop_typed(TOO_MANY);
        }
        self.send(line, interface, method, body, kind);
    }

    pub(super) fn send(&mut self, line: Line, interface: u64, method: u16, body: &[u8], kind: ErrandKind) {
        self.last_errand += 1;
        // A request for the status does not end the effect of a lock that was sent before.
        let keeps_lock = matches!(kind, ErrandKind::Standing);
        self.errands.push(Errand { line, call_id: self.last_errand, kind, since: self.now, is_told: false });
        self.effects.push(Effect::Send(line, frame::call(self.last_errand, interface, method, body)));
        if let Some(session) = self.sessions.iter_mut().find(|session| session.line == line) {
            session.is_lock_last &= keeps_lock;
        }
    }

    /// Returns whether a request of the person to this session or to init has no response yet.
    pub(super) fn is_asked(&self, session: &Session) -> bool {
        session.held_until.is_some() || self.errands.iter().any(|errand| match errand.kind {
            ErrandKind::Turn(_) | ErrandKind::Command(_) | ErrandKind::Help(_) => errand.line == session.line,
            ErrandKind::Stop(_) | ErrandKind::Restart(_) => true,
            // A lock delays the prompt of an entered session only until `held_until`.
            ErrandKind::Notices | ErrandKind::Progress | ErrandKind::Lock | ErrandKind::Standing => false,
            ErrandKind::GivenUp | ErrandKind::Completion { .. } => false,
        })
    }

    /// Requests the next notices from init, which also confirms that the earlier ones are drawn.
    pub(super) fn await_notices(&mut self) {
        let is_asked = self.errands.iter().any(|errand| matches!(errand.kind, ErrandKind::Notices));
        if let (Some(line), false, true) = (self.supervisor, is_asked, self.words.is_empty()) {
            let body = supervision::read_notices(self.last_notice);
            self.send_errand(line, supervision::SUPERVISOR, supervision::READ_NOTICES, &body, ErrandKind::Notices);
        }
    }

    fn take_errand(&mut self, is_meant: impl Fn(&Errand) -> bool) -> Option<Errand> {
        self.errands.iter().position(is_meant).map(|index| self.errands.remove(index))
    }

    pub(super) fn errand_answered(&mut self, line: Line, frame: Frame) {
        let is_meant = |errand: &Errand| errand.line == line && errand.call_id == frame.call_id;
        let Some(errand) = self.take_errand(is_meant) else { return }; // it was given up before
        let is_lock = matches!(errand.kind, ErrandKind::Lock);
        self.session_answers(line);
        self.note_standing_due(line, &errand.kind);
        self.tell_answer(line, frame.kind, errand.kind);
        if is_lock {
            self.lock_answered(line);
        }
        self.send_due_locks();
    }

    fn tell_answer(&mut self, line: Line, answer: Kind, kind: ErrandKind) {
        match (answer, kind) {
            (_, ErrandKind::GivenUp) => {}
            (Kind::Answer { body }, ErrandKind::Notices) => self.notice(&body),
            (_, ErrandKind::Notices) => self.supervisor = None, // init sends no notices then; it prints them itself
            (Kind::Answer { body }, ErrandKind::Progress) => self.progress = supervision::progress(&body).unwrap_or_default(),
            (_, ErrandKind::Progress) => self.progress = None,
            (Kind::Answer { body }, ErrandKind::Standing) => self.take_standing(line, request::standing(&body).ok()),
            (_, ErrandKind::Standing) => self.take_standing(line, None),
            (Kind::Answer { .. }, ErrandKind::Turn(text)) => {
                let asked = self.sessions.iter_mut().find(|session| session.line == line);
                match asked.and_then(Session::begins) {
                    Some(caller) => {
                        let session = self.session_of(caller);
                        self.sessions[session].turn = Some(self.now);
                        self.reply(caller, &request::line(&text, false));
                    }
                    None => self.tell("the agent is gone, and did not get the line"),
                }
            }
            (Kind::Answer { body }, ErrandKind::Completion { line, before }) => self.complete_line(&line, before, &body),
            (Kind::Answer { .. }, ErrandKind::Lock) => {} // a session that was open reports its lock itself
            (Kind::Failure { reason }, ErrandKind::Lock) => {
                let name = self.sessions.iter().find(|session| session.line == line).map_or("", |session| &session.name);
                self.tell(&format!("session {name} may still be open: {reason}"));
            }
            (_, ErrandKind::Completion { .. }) => {} // a gate that is older, or gone, completes nothing
            (Kind::Answer { body }, ErrandKind::Help(name)) => self.tell_help(&name, &body),
            (Kind::Answer { body }, ErrandKind::Command(typed)) => {
                if typed.has_others {
                    self.tell_from(line, &format!("{}:", typed.line));
                }
                match request::command_lines(&body) {
                    Ok(lines) => lines.iter().for_each(|text| self.tell_from(line, text)),
                    Err(reason) => self.tell_from(line, &reason),
                }
            }
            (Kind::Answer { .. }, ErrandKind::Stop(name)) => self.tell(&format!("{name} is stopped")),
            (Kind::Answer { .. }, ErrandKind::Restart(name)) => self.tell(&format!("{name} serves again")),
            (Kind::Failure { reason }, _) => self.tell_from(line, &reason),
            (Kind::Call { .. } | Kind::Cancel, _) => self.tell_from(line, "no answer"),
        }
    }

    fn notice(&mut self, body: &[u8]) {
        for (sequence, text) in supervision::notices(body).unwrap_or_default() {
            self.last_notice = sequence;
            self.words.push_back(Words { mark: INIT.into(), text });
        }
    }

    /// Prints a gate's text, with the session's name unless the session is the current one.
    fn tell_from(&mut self, line: Line, text: &str) {
        let current = self.sessions.get(self.current).map(|session| session.line);
        let other = self.sessions.iter().find(|session| session.line == line && current != Some(line));
        let mark = Voice::Console.mark(other.map(|session| session.name.as_str()));
        self.words.push_back(Words { mark, text: text.to_owned() });
    }

    /// Ctrl-C: cancels the calls of the person, and drops their later responses; the loop does not get the line of a cancelled turn.
    pub(super) fn stop_waiting(&mut self) {
        let mut is_told = self.sessions.get_mut(self.current).and_then(|session| session.held_until.take()).is_some();
        for Errand { line, call_id, kind, since, is_told: was_told } in std::mem::take(&mut self.errands) {
            let is_kept = matches!(kind, ErrandKind::Notices | ErrandKind::Progress | ErrandKind::Lock | ErrandKind::Standing | ErrandKind::GivenUp);
            if !is_kept {
                is_told |= !matches!(kind, ErrandKind::Completion { .. });
                self.effects.push(Effect::Send(line, frame::cancel(call_id)));
            }
            // A cancelled call to init is forgotten: init does not count waiting calls, and answers some of them late or never.
            match is_kept {
                true => self.errands.push(Errand { line, call_id, kind, since, is_told: was_told }),
                false if Some(line) == self.supervisor => {}
                false => self.errands.push(Errand { line, call_id, kind: ErrandKind::GivenUp, since, is_told: was_told }),
            }
        }
        if is_told {
            self.tell("stopped waiting");
        }
    }

    /// Handles the end of a connection to another process.
    pub(super) fn held_closed(&mut self, line: Line) {
        if self.supervisor == Some(line) {
            self.supervisor = None;
        }
        if let Some(session) = self.sessions.iter().position(|session| session.line == line) {
            return self.end_session(session, "gate stopped");
        }
        while let Some(errand) = self.take_errand(|errand| errand.line == line) {
            if is_of_person(&errand.kind) {
                self.tell("no answer: the connection has ended");
            }
        }
    }

    /// Ends a session whose gate has ended. The session's loop, which may have been restarted, is told that the person has left.
    pub(super) fn end_session(&mut self, index: usize, why: &str) {
        let Some(session) = self.sessions.get_mut(index) else { return };
        if std::mem::replace(&mut session.is_over, true) || self.leaving {
            return;
        }
        (session.held_until, session.is_lock_due) = (None, false);
        let words = format!("session {} has ended: {why}", session.name);
        let reader = session.reader.take();
        let line = session.line;
        self.tell(&words);
        if let Some(caller) = reader {
            self.reply(caller, &request::line("", true));
        }
        self.errands.retain(|errand| errand.line != line);
        if self.current == index {
            self.enter_session(0);
            self.editor.clear();
        }
    }

    pub(super) fn leave(&mut self) {
        if std::mem::replace(&mut self.leaving, true) {
            return;
        }
        self.pen.fresh();
        while self.draw_words() {}
        if self.pen.screen().moves {
            self.pen.order(NO_BRACKETS);
        }
        let readers: Vec<Caller> = self.sessions.iter_mut().filter_map(|session| session.reader.take()).collect();
        for caller in readers {
            self.reply(caller, &request::line("", true));
        }
        self.effects.push(Effect::Leave);
    }
}

/// Returns whether a line of the person started the call, so that the person waits for the response.
pub(super) fn is_of_person(kind: &ErrandKind) -> bool {
    match kind {
        ErrandKind::Turn(_) | ErrandKind::Command(_) | ErrandKind::Help(_) | ErrandKind::Stop(_) | ErrandKind::Restart(_) => true,
        ErrandKind::Notices | ErrandKind::Progress | ErrandKind::Lock | ErrandKind::Standing => false,
        ErrandKind::GivenUp | ErrandKind::Completion { .. } => false,
    }
}
