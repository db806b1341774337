//! Handles keys that a person types: at the prompt, at a question, before a prompt or question is shown, and Ctrl-C.

use super::caller::Caller;
use super::state::{Desk, Listener, Session, Showing};
use super::texts::{NOBODY_LISTENS, PLAIN};
use crate::console::history::History;
use crate::console::keyboard::Stroke;
use crate::console::line::Edit;
use crate::console::request;
use crate::console::said::Said;
use crate::console::screen;
use crate::wire_capnp::Answer;
use std::collections::VecDeque;

/// Maximum keys typed while nobody reads; `MOST_LINES_AHEAD` is that of lines. Further keys are dropped, and the person is told.
const MOST_AHEAD: usize = 4096;
const MOST_LINES_AHEAD: usize = 16;
/// After too much input, all input is dropped until no key arrives for this time, so that half of a pasted file does not
/// become turns.
const PAUSE_MS: u64 = 1_000;
const TOO_MUCH: &str = "more was typed than can wait: the rest is dropped, until nothing is typed for a second";
impl Desk {
    pub fn typed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if let Some(stroke) = self.keyboard.feed(byte) {
                self.stroke(stroke);
                self.settle();
            }
        }
    }

    pub(super) fn stroke(&mut self, stroke: Stroke) {
        match stroke {
            Stroke::Interrupt => self.interrupt(),
            Stroke::Report(row, column) => self.reported(row, column),
            _ if self.is_dropped() => {}
            _ if self.showing == Showing::Nothing => self.ahead(stroke),
            _ if self.is_before_question(stroke) => self.keep(stroke),
            _ if self.is_unseen_question() => {}
            _ => self.key(stroke),
        }
    }

    /// Handles the loss of the terminal: the person left.
    pub fn hung_up(&mut self) {
        self.leave();
    }

    /// Queues a key until a process reads lines. A command needs no reader, because it has
    /// its own prompt. But a command must not overtake lines that were typed before it.
    fn ahead(&mut self, stroke: Stroke) {
        let is_first = self.ahead.is_empty() && self.editor.is_empty();
        match stroke {
            Stroke::Text('/') | Stroke::Pasted('/') if is_first => {
                self.commanding = true;
                self.ahead.push_back(stroke);
            }
            Stroke::Enter if is_first => {} // an empty line has no effect, now or later
            _ if self.is_full() => {
                drop_half_line(&mut self.ahead);
                self.drop_typed(TOO_MUCH);
            }
            _ => self.ahead.push_back(stroke),
        }
    }

    fn is_full(&self) -> bool {
        is_full(&self.ahead)
    }

    /// Drops all input from now on until the person pauses.
    pub(super) fn drop_typed(&mut self, why: &str) {
        self.dropping = Some(self.now);
        self.tell(why);
    }

    fn is_dropped(&mut self) -> bool {
        self.dropping = self.dropping.filter(|last| self.now < last + PAUSE_MS).map(|_| self.now);
        self.dropping.is_some()
    }

    pub(super) fn key(&mut self, stroke: Stroke) {
        if self.showing == Showing::Question {
            return self.answer_key(stroke);
        }
        match stroke {
            _ if self.search.is_some() => self.search_key(stroke),
            Stroke::Up | Stroke::Down => self.recall(stroke),
            Stroke::Tab => self.ask_words(),
            Stroke::Search => self.begin_search(),
            Stroke::Abandon => {}
            Stroke::Refresh => self.refresh(),
            Stroke::Enter if self.editor.continue_row() => self.pen.redraw(&self.editor),
            _ => self.edit(stroke),
        }
    }

    /// Handles a key at a question, where the keys for history and completion have no effect.
    fn answer_key(&mut self, stroke: Stroke) {
        match stroke {
            Stroke::Up | Stroke::Down | Stroke::Tab | Stroke::Search | Stroke::Abandon | Stroke::NewRow => {}
            Stroke::Refresh => self.refresh_question(),
            _ if self.is_paging() => self.page_key(stroke),
            _ if self.is_unseen_line() => self.unseen_key(stroke),
            _ => self.edit(stroke),
        }
    }

    pub(super) fn edit(&mut self, stroke: Stroke) {
        if !self.pen.screen().moves && moves(stroke) {
            return self.tell_plain();
        }
        let edit = self.editor.apply(stroke);
        self.pen.edited(&edit, &self.editor);
        match edit {
            Edit::Nothing | Edit::Appended(_) | Edit::Taken(_) | Edit::Changed => {}
            Edit::Line(line) => {
                self.pen.entered(line.text());
                match std::mem::replace(&mut self.showing, Showing::Nothing) {
                    Showing::Question => self.judge(line.text()),
                    Showing::Prompt(Listener::Commands) => self.commanded(&line),
                    Showing::Prompt(Listener::Agent) | Showing::Nothing => self.entered(&line),
                }
                // The size may have changed since the last report; the output after the line must fit the present window.
                if self.showing != Showing::Question && self.pen.screen().moves && !self.leaving {
                    self.ask_size();
                }
            }
            Edit::End => match self.showing {
                Showing::Question => self.answer_question(Answer::Denied, "", "refused"),
                Showing::Prompt(_) | Showing::Nothing => self.leave(),
            },
        }
    }

    fn tell_plain(&mut self) {
        if self.showing != Showing::Question && !std::mem::replace(&mut self.told_plain, true) {
            self.tell(PLAIN);
        }
    }

    fn recall(&mut self, stroke: Stroke) {
        let Some(session) = self.sessions.get_mut(self.current) else { return };
        let line = match stroke {
            Stroke::Up => session.history.older(self.editor.said()),
            _ => session.history.newer(),
        };
        if let Some(line) = line {
            self.editor.replace(line);
            self.pen.redraw(&self.editor);
        }
    }

    /// Clears the screen and asks for its size again, because it may have changed.
    fn refresh(&mut self) {
        if self.pen.screen().moves {
            self.pen.cleared(screen::CLEAR);
            self.ask_size();
            self.showing = Showing::Nothing; // the prompt is drawn again
        } else {
            self.pen.redraw(&self.editor);
        }
    }

    /// Locks a session whose user has left. The next user must not see or send the typed input, and the screen is cleared if
    /// the terminal supports that. A question stays until it is answered or withdrawn.
    pub(super) fn lock(&mut self, index: usize) {
        self.sessions[index].history = History::default();
        self.sessions[index].is_locked = true;
        self.drop_held(index, |_| true);
        // Input since the session was entered belongs to the person who entered it, so it is kept.
        let is_entered = self.sessions[index].held_until.is_some();
        self.pen.forget_all();
        if index == self.current {
            if !is_entered {
                self.ahead.clear();
                self.kept.clear();
                self.commanding = false;
            }
            self.sessions[index].standing = None;
            self.refresh_status();
            if self.showing != Showing::Question {
                if !is_entered {
                    self.editor.forget();
                }
                self.undraw_prompt();
                if self.pen.screen().moves {
                    self.pen.cleared(screen::CLEAR);
                }
            }
        }
        self.tell(&format!("session {} is locked", self.sessions[index].name));
    }

    /// Handles a line at the commands-only prompt, which exists for one line.
    fn commanded(&mut self, line: &Said) {
        self.commanding = false;
        let words = line.text().trim();
        if words.is_empty() || words.starts_with('/') {
            self.entered(line);
        } else {
            self.tell(NOBODY_LISTENS);
        }
    }

    /// Ctrl-C applies to the session whose question is open, and otherwise to the current one. If Ctrl-C is repeated while
    /// no process reads, the console shows the prompt for commands.
    fn interrupt(&mut self) {
        self.ahead.clear();
        self.kept.clear();
        self.is_old_paste = false;
        self.dropping = None;
        let asking = self.asked.front().filter(|_| self.showing == Showing::Question);
        let session = asking.map_or(self.current, |asked| self.session_of(asked.caller));
        self.tell_interrupted(session);
        if self.showing != Showing::Nothing {
            self.pen.echo_last(self.editor.line(), "^C");
        }
        self.editor.clear();
        self.search = None;
        if let Some(session) = self.sessions.get_mut(self.current) {
            session.history.leave();
        }
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
        let told: Vec<Caller> = told;
        for caller in told {
            self.reply(caller, &request::nothing());
        }
    }
}

/// Returns whether the queue of waiting keys is full.
pub(super) fn is_full(waiting: &VecDeque<Stroke>) -> bool {
    let lines = waiting.iter().filter(|stroke| **stroke == Stroke::Enter).count();
    lines >= MOST_LINES_AHEAD || waiting.len() >= MOST_AHEAD
}

/// Drops the last line if it is incomplete: otherwise, the end of another line would complete it.
pub(super) fn drop_half_line(waiting: &mut VecDeque<Stroke>) {
    while waiting.back().is_some_and(|stroke| *stroke != Stroke::Enter) {
        waiting.pop_back();
    }
}

/// Returns whether the key moves the cursor from the end of the line, or deletes the character under it.
pub(super) fn moves(stroke: Stroke) -> bool {
    matches!(
        stroke,
        Stroke::Left | Stroke::Right | Stroke::WordLeft | Stroke::WordRight | Stroke::Home | Stroke::End | Stroke::Delete
    )
}
