//! State of the console. Each module in this folder changes a part of the state.

use super::asked::Asked;
use super::caller::{Caller, Granted, Line};
use super::errand::Errand;
use super::probes::Probes;
use super::search::Search;
use crate::console::history::History;
use crate::console::keyboard::{Keyboard, Stroke};
use crate::console::line::LineEditor;
use crate::console::pen::Pen;
use crate::console::request::{Request, Standing};
use crate::supervise::request::Progress;
use std::collections::{BTreeMap, VecDeque};

/// An action that `Carrier` executes for the console's `Desk`. Effects are executed in order; `Desk::drawn` returns the output.
#[derive(Debug, PartialEq, Eq)]
pub enum Effect {
    Send(Line, Vec<u8>),
    CutOff(Line, String),
    /// Drops unread input of the terminal.
    DropTyped,
    /// Passes unread input of the terminal to `Desk::typed_before`: it is older than the question that is drawn next.
    TakeTyped,
    /// Sends all remaining messages, and then ends the console.
    Leave,
}

/// The console's connections to other processes.
#[derive(Debug, Default)]
pub struct HeldLines {
    /// Connection to the interface `Session` for each session, by name; the first session is the machine's default.
    pub sessions: Vec<(String, Line)>,
    pub supervisor: Option<Line>,
}

pub struct Session {
    pub(super) name: String,
    pub(super) line: Line,
    pub(super) has_loop: bool,
    /// Whether the session has or had a loop.
    pub(super) had_loop: bool,
    /// Whether the person entered this session for its commands, while it had no loop.
    pub(super) is_commanded: bool,
    pub(super) is_over: bool,
    /// Whether the session was locked because its user left, and no turn has begun since.
    pub(super) is_locked: bool,
    /// Deadline for the gate to confirm the lock of an entered session; the prompt is hidden until then.
    pub(super) held_until: Option<u64>,
    /// Whether the session must be locked as soon as its gate accepts another call, and before any other call.
    pub(super) is_lock_due: bool,
    /// Whether the last call to the session's gate is a lock.
    pub(super) is_lock_last: bool,
    pub(super) reader: Option<Caller>,
    /// Whether the gate has reported that it serves; until then, the machine is still starting.
    pub(super) has_answered: bool,
    /// Start time of the turn that runs.
    pub(super) turn: Option<u64>,
    /// Whether the person pressed Ctrl-C since the last line was read.
    pub(super) interrupted: bool,
    /// Lines that the person entered in this session.
    pub(super) history: History,
    /// Status of the session, as its gate last reported it.
    pub(super) standing: Option<Standing>,
    /// Whether the status may have changed since the gate's last report.
    pub(super) is_standing_due: bool,
}

impl Session {
    pub(super) fn new(name: String, line: Line) -> Self {
        let history = History::default();
        let (reader, is_locked) = (None, false);
        let (has_loop, had_loop, is_commanded) = (false, false, false);
        let (held_until, is_lock_due, is_lock_last) = (None, false, false);
        let (is_over, interrupted, has_answered, turn) = (false, false, false, None);
        let (standing, is_standing_due) = (None, true);
        Self {
            name, line, has_loop, had_loop, is_commanded, is_over, is_locked, held_until, is_lock_due, is_lock_last, reader,
            interrupted, history, has_answered, turn, standing, is_standing_due,
        }
    }

    /// Notes that the session's gate has begun a turn, which needs an unlocked session. Returns the caller that reads the line.
    pub(super) fn begins(&mut self) -> Option<Caller> {
        self.is_locked = false;
        self.reader.take()
    }

    /// Notes a Ctrl-C. Returns whether no process waits for a line, and this is not the first Ctrl-C since the last line was read.
    pub(super) fn interrupted_in_vain(&mut self) -> bool {
        self.reader.is_none() && std::mem::replace(&mut self.interrupted, true)
    }
}

/// Recipient of a typed line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listener {
    Agent,
    /// No process waits for a line, but commands are accepted.
    Commands,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Showing {
    Nothing,
    Prompt(Listener),
    Question,
}

/// A line of the console or of init, with its mark.
pub struct Words {
    pub(super) mark: String,
    pub(super) text: String,
}

pub struct Desk {
    pub(super) pen: Pen,
    pub(super) keyboard: Keyboard,
    pub(super) editor: LineEditor,
    pub(super) showing: Showing,
    /// The open search in the history.
    pub(super) search: Option<Search>,
    /// Keys that were typed without a prompt.
    pub(super) ahead: VecDeque<Stroke>,
    /// Keys that were typed before a question. The next prompt shows these keys again, line by line, and only Enter sends a line.
    pub(super) kept: VecDeque<Stroke>,
    /// Whether a paste that began before the open question still continues.
    pub(super) is_old_paste: bool,
    /// Time of the last dropped input, after too much was typed.
    pub(super) dropping: Option<u64>,
    /// Whether the person wants the command prompt, even if a process waits for a line.
    pub(super) commanding: bool,
    pub(super) sessions: Vec<Session>,
    /// Index of the current session.
    pub(super) current: usize,
    pub(super) supervisor: Option<Line>,
    pub(super) callers: BTreeMap<Line, Granted>,
    pub(super) interrupts: Vec<Caller>,
    pub(super) asked: VecDeque<Asked>,
    /// Output that waits until the question is answered and the terminal has room.
    pub(super) held: VecDeque<(Caller, Request)>,
    /// Lines that are drawn before all other waiting output.
    pub(super) words: VecDeque<Words>,
    /// Calls to other processes that have no response yet.
    pub(super) errands: Vec<Errand>,
    pub(super) last_errand: u64,
    /// Number of the last notice of init that was drawn.
    pub(super) last_notice: u64,
    pub(super) widget: Option<String>,
    /// Start time of the work whose state is drawn, and its last drawn duration in seconds.
    pub(super) activity: Option<(u64, u64)>,
    /// How far the start of the machine is, as init last reported; `None` if all processes serve or init has not reported yet.
    pub(super) progress: Option<Progress>,
    /// Start time of the running call on each connection of a caller.
    pub(super) running: BTreeMap<Line, u64>,
    /// Milliseconds on the caller's clock.
    pub(super) now: u64,
    /// Whether the person wants colours, where the terminal can draw them.
    pub(super) has_colours: bool,
    /// Whether the person was told that this terminal's cursor does not move.
    pub(super) told_plain: bool,
    pub(super) probes: Probes,
    pub(super) leaving: bool,
    pub(super) effects: Vec<Effect>,
    pub(super) letters: Box<dyn FnMut() -> String>,
}
