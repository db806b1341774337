//! State of the console. Each module beside this one changes a part of it.

use super::asked::Asked;
use super::caller::{Caller, Granted, Line};
use super::errand::Errand;
use super::probes::Probes;
use crate::console::history::History;
use crate::console::keyboard::{Keyboard, Stroke};
use crate::console::line::LineEditor;
use crate::console::pen::Pen;
use crate::console::request::Request;
use std::collections::{BTreeMap, VecDeque};

/// Action outside the desk, carried out in order; drawing is taken by `Desk::drawn`.
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

pub struct Session {
    pub(super) name: String,
    pub(super) line: Line,
    pub(super) has_loop: bool,
    /// There was one before, or is.
    pub(super) had_loop: bool,
    /// The person went there all the same: for its commands.
    pub(super) is_commanded: bool,
    pub(super) is_over: bool,
    /// The user who was logged in has left, and nobody has begun a turn since.
    pub(super) is_locked: bool,
    /// The person entered it, and its gate has not answered yet that it is locked: there is no prompt until then.
    pub(super) held_until: Option<u64>,
    /// It is to be locked as soon as its gate takes another call, and before anything else is asked of it.
    pub(super) is_lock_due: bool,
    /// The last call that was sent to its gate is a lock.
    pub(super) is_lock_last: bool,
    pub(super) reader: Option<Caller>,
    /// The person pressed Ctrl-C since a line was read last.
    pub(super) interrupted: bool,
    /// Lines that the person entered in it.
    pub(super) history: History,
}

impl Session {
    pub(super) fn new(name: String, line: Line) -> Self {
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
    pub(super) fn begins(&mut self) -> Option<Caller> {
        self.is_locked = false;
        self.reader.take()
    }

    /// Notes a Ctrl-C. Whether there was one before, and still nobody reads.
    pub(super) fn interrupted_in_vain(&mut self) -> bool {
        self.reader.is_none() && std::mem::replace(&mut self.interrupted, true)
    }
}

/// For whom a typed line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listener {
    Agent,
    /// Nobody reads, but commands are heeded.
    Commands,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    Nothing,
    Prompt(Listener),
    Question,
}

/// A line of the console's own or of init's, with the mark that it bears.
pub struct Words {
    pub(super) mark: String,
    pub(super) text: String,
}

pub struct Desk {
    pub(super) pen: Pen,
    pub(super) keyboard: Keyboard,
    pub(super) editor: LineEditor,
    pub(super) showing: Showing,
    /// Strokes that were typed while there was no prompt.
    pub(super) ahead: VecDeque<Stroke>,
    /// Too much was typed: when something was dropped last.
    pub(super) dropping: Option<u64>,
    /// The person wants to get to the commands, whoever reads.
    pub(super) commanding: bool,
    pub(super) sessions: Vec<Session>,
    /// Whose line the person types to.
    pub(super) current: usize,
    pub(super) supervisor: Option<Line>,
    pub(super) callers: BTreeMap<Line, Granted>,
    pub(super) interrupts: Vec<Caller>,
    pub(super) asked: VecDeque<Asked>,
    /// Drawing that waits until the question is answered and the terminal has room.
    pub(super) held: VecDeque<(Caller, Request)>,
    /// Lines that wait as well, and come first.
    pub(super) words: VecDeque<Words>,
    /// Calls on held connections that have no answer yet.
    pub(super) errands: Vec<Errand>,
    pub(super) last_errand: u64,
    /// The last line of init's that was drawn.
    pub(super) last_notice: u64,
    pub(super) widget: Option<String>,
    /// Since when a call of this caller's runs.
    pub(super) running: BTreeMap<Line, u64>,
    /// Milliseconds on the caller's clock.
    pub(super) now: u64,
    /// The person was told that this terminal's cursor does not move.
    pub(super) told_plain: bool,
    pub(super) probes: Probes,
    pub(super) leaving: bool,
    pub(super) effects: Vec<Effect>,
    pub(super) letters: Box<dyn FnMut() -> String>,
}
