//! What a person types: at the prompt, at a question, ahead of both, and Ctrl-C.

use super::{Desk, Listener, Session, Showing};
use crate::console::line::Key;
use crate::console::request;
use crate::wire_capnp::Answer;

/// Typed while nobody reads; more is lost.
const MOST_AHEAD: usize = 4096;
const NOBODY_LISTENS: &str = "the agent does not listen; commands only";

impl Desk {
    pub fn typed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if byte == 0x03 {
                self.interrupt();
            } else if self.showing == Showing::Nothing {
                self.ahead(byte);
            } else if !self.is_unseen_question() {
                self.key(byte);
            }
            self.settle();
        }
    }

    /// The terminal is gone: the person left.
    pub fn hung_up(&mut self) {
        self.leave();
    }

    /// Lines wait for who reads them. A command needs nobody who reads: it has a prompt of its own, unless it stands
    /// behind other lines, which it must not overtake.
    fn ahead(&mut self, byte: u8) {
        let is_first = self.ahead.is_empty() && self.editor.is_empty();
        match byte {
            b'/' if is_first => {
                self.commanding = true;
                self.ahead.push_back(byte);
            }
            b'\r' | b'\n' if is_first => {} // an empty line says nothing, now or later
            _ if self.ahead.len() < MOST_AHEAD => self.ahead.push_back(byte),
            _ => {}
        }
    }

    pub(super) fn key(&mut self, byte: u8) {
        match self.editor.key(byte) {
            Key::Echo(echo) => self.pen.echo(&echo),
            Key::Interrupt => self.interrupt(),
            Key::Line(line) => {
                self.pen.fresh();
                match std::mem::replace(&mut self.showing, Showing::Nothing) {
                    Showing::Question => self.judge(&line),
                    Showing::Prompt(Listener::Commands) => self.commanded(&line),
                    Showing::Prompt(Listener::Agent) | Showing::Nothing => self.entered(&line),
                }
            }
            Key::End => match self.showing {
                Showing::Question => self.answer_question(Answer::Denied, "", "refused"),
                Showing::Prompt(_) | Showing::Nothing => self.leave(),
            },
        }
    }

    /// A line at the prompt that is for commands alone, which is there for one line.
    fn commanded(&mut self, line: &str) {
        self.commanding = false;
        if line.trim().is_empty() || line.trim().starts_with('/') {
            self.entered(line);
        } else {
            self.tell(NOBODY_LISTENS);
        }
    }

    /// Ctrl-C: for the session whose question stands there, else for the one that the person types to. Once more, while
    /// still nobody reads: the person gets to the commands at least.
    fn interrupt(&mut self) {
        self.ahead.clear();
        let asking = self.asked.front().filter(|_| self.showing == Showing::Question);
        let session = asking.map_or(self.current, |asked| self.session_of(asked.caller));
        self.tell_interrupted(session);
        if self.showing != Showing::Nothing {
            self.pen.echo("^C");
        }
        self.editor.clear();
        if std::mem::replace(&mut self.showing, Showing::Nothing) == Showing::Question {
            return self.answer_question(Answer::Cancelled, "", "refused: interrupted");
        }
        self.stop_waiting();
        self.drop_text(session);
        let is_deaf = self.sessions.get_mut(session).is_some_and(Session::interrupted_in_vain);
        if is_deaf {
            self.tell(NOBODY_LISTENS);
        }
        self.commanding = is_deaf;
    }

    fn tell_interrupted(&mut self, session: usize) {
        let (told, others) = self.interrupts.iter().partition(|caller| self.session_of(**caller) == session);
        self.interrupts = others;
        let told: Vec<super::Caller> = told;
        for caller in told {
            self.reply(caller, &request::nothing());
        }
    }
}
