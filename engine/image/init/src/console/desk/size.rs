//! Tracks the size of the window. A serial line does not report changes, so the console asks for the size: at the start, after each line
//! and page, and at intervals during questions and prompts. The terminal responds after it has drawn all earlier output, so a response
//! confirms that a question is wholly in the window.

use super::state::{Desk, Listener, Showing};
use crate::console::screen::{self, Screen};

/// Interval of size requests during a question; that at a prompt is longer, because a wrong size costs less there.
const POLL_MS: u64 = 1_000;
const PROMPT_POLL_MS: u64 = 3_000;
/// A terminal without a response in this time, counted from the complete output, counts as a terminal that does not respond.
const ANSWER_MS: u64 = 5_000;

/// Rows of the prompt and of the status below it.
const OTHER_ROWS: usize = 2;

const COLOURS_ON: &str = "colours are on, where the terminal says where its cursor is; /colours off turns them off";
const COLOURS_OFF: &str = "colours are off; /colours on turns them on";
const RESIZED: &str = "the window has another size: this is drawn anew, and its time begins again";
const LOST: &str = "the terminal no longer says how large it is: this is drawn anew, lines are cut for 80 columns, and its time begins again";

impl Desk {
    /// Asks the terminal whether its cursor can move. A terminal that does not support the request draws at most four characters.
    pub fn probe(&mut self) {
        self.pen.order(screen::PROBE);
    }

    pub(super) fn ask_size(&mut self) {
        self.pen.order(screen::SIZE_PROBE);
        self.probes.awaited = self.probes.awaited.saturating_add(1);
        self.probes.next = None;
    }

    /// Forgets requests to the terminal that have no response yet: the response is dropped together with typed input.
    pub(super) fn forget_probes(&mut self) {
        self.probes.awaited = 0;
        self.probes.due = None;
        self.probes.next = None;
    }

    /// Handles a report of the cursor's position. The first report shows that the cursor can move; later reports show the size of the window.
    pub(super) fn reported(&mut self, row: u16, column: u16) {
        let known = self.pen.screen();
        if !known.moves {
            self.pen.set_screen(Screen { moves: true, paints: self.has_colours, ..known });
            self.pen.order(screen::BRACKETS);
            self.ask_size();
            self.ask_standing();
            return self.redraw_line();
        }
        self.probes.awaited = self.probes.awaited.saturating_sub(1);
        self.probes.told_unknown = false;
        let is_last = self.probes.awaited == 0;
        if is_last {
            self.probes.due = None;
            let interval = if self.showing == Showing::Question { POLL_MS } else { PROMPT_POLL_MS };
            self.probes.next = Some(self.now + interval);
        }
        let is_other = known != known.of_size(row, column);
        // The first report makes nothing stale: earlier output was drawn for an assumed size, and other programs may have drawn above it.
        let is_first = !std::mem::replace(&mut self.probes.has_size, true);
        self.probes.is_stale |= is_other && !is_first;
        self.pen.set_screen(known.of_size(row, column));
        if is_other {
            self.refresh_status();
        }
        match self.showing {
            Showing::Question if is_other => self.restart_question(RESIZED),
            Showing::Question if is_last => self.question_confirmed(),
            Showing::Prompt(listener) if self.probes.is_stale => self.draw_again(listener),
            Showing::Prompt(_) if is_other => self.redraw_line(),
            Showing::Question | Showing::Prompt(_) | Showing::Nothing => {}
        }
    }

    /// Turns colours on or off, or states whether they are drawn.
    pub(super) fn set_colours(&mut self, word: &str) {
        match word {
            "on" | "off" => self.has_colours = word == "on",
            _ => return self.tell(if self.has_colours { COLOURS_ON } else { COLOURS_OFF }),
        }
        let known = self.pen.screen();
        self.pen.set_screen(Screen { paints: self.has_colours && known.moves, ..known });
        self.tell(match (self.has_colours, known.moves) {
            (true, true) => "colours are on",
            (true, false) => "this terminal gets no colours, because it does not say where its cursor is",
            (false, _) => "colours are off",
        });
    }

    /// Draws the last output again, for the window's present size, and then the prompt with its line.
    pub(super) fn draw_again(&mut self, listener: Listener) {
        self.probes.is_stale = false;
        let screen = self.pen.screen();
        // For a window below the minimum, `columns` and `rows` are not its real size.
        if screen.is_small {
            return self.redraw_line();
        }
        self.pen.draw_again(screen.rows - OTHER_ROWS);
        self.show_prompt(listener);
    }

    pub(super) fn redraw_line(&mut self) {
        if self.search.is_some() {
            self.draw_search();
        } else if matches!(self.showing, Showing::Prompt(_)) {
            self.pen.redraw(&self.editor);
        }
    }

    /// Called when a question is wholly written. A terminal that reports its size must confirm it before the question counts as shown.
    pub(super) fn question_written(&mut self, now: u64) {
        if self.showing != Showing::Question {
        } else if !self.pen.screen().moves {
            self.question_shown(now);
        } else if self.probes.awaited > 0 {
            self.probes.due.get_or_insert(now + ANSWER_MS);
        }
    }

    pub(super) fn size_deadline(&self) -> Option<u64> {
        if !self.pen.screen().moves {
            return None;
        }
        match self.showing {
            Showing::Question => [self.probes.due, self.probes.next].into_iter().flatten().min(),
            Showing::Prompt(_) => self.probes.next,
            Showing::Nothing => None,
        }
    }

    /// Asks for the size again during a question. A terminal that has not answered in time counts as one that does not respond.
    pub(super) fn watch_size(&mut self, now: u64) {
        if self.size_deadline().is_none_or(|due| due > now) {
            return;
        }
        if self.probes.due.is_some_and(|due| due <= now) {
            self.forget_probes();
            self.probes.told_unknown = false;
            self.probes.has_size = false;
            self.pen.set_screen(self.pen.screen().of_unknown_size());
            self.restart_question(LOST);
        } else {
            self.ask_size();
        }
    }
}
