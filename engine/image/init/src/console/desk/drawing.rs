//! Queues what the processes of a session want to draw. The queue waits while a question is open, and while the terminal is
//! busy. A process that writes faster than the terminal draws is answered later, and has at most eight waiting calls.

use super::caller::Caller;
use super::kept::KEPT;
use super::state::{Desk, Listener, Showing};
use crate::console::pen::Voice;
use crate::console::request::{self, Notice, Request, Stage};
use crate::filter::judged_line;
use crate::wire_capnp::FailureCode;

/// Maximum bytes of text to draw at once: between such pieces, the console handles a person's input.
const MOST_PIECE: usize = 1024;

impl Desk {
    /// Draws the next waiting piece, if there is one.
    pub(super) fn draw_held(&mut self) -> bool {
        let Some((caller, request)) = self.held.pop_front() else { return false };
        let rest = match request {
            Request::Write { text, voice } => self.draw_text(caller, text, voice),
            Request::Announce(notice) => {
                let mark = Voice::Tool.mark(self.other_session(caller));
                self.draw_widget(&mark, &notice);
                None
            }
            Request::ReadLine | Request::AwaitInterrupt | Request::Ask(_) | Request::Lock => None,
        };
        if matches!(self.showing, Showing::Prompt(_)) && !self.pen.holds_prompt() {
            self.showing = Showing::Nothing;
        }
        match rest {
            Some(rest) => self.held.push_front((caller, rest)),
            None => self.reply(caller, &request::nothing()),
        }
        true
    }

    fn draw_text(&mut self, caller: Caller, mut text: String, voice: Voice) -> Option<Request> {
        self.widget = None;
        let mark = voice.mark(self.other_session(caller));
        let end = (0..=MOST_PIECE.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let rest = text.split_off(end);
        self.pen.text(&mark, &text);
        (!rest.is_empty()).then_some(Request::Write { text: rest, voice })
    }

    fn draw_widget(&mut self, mark: &str, notice: &Notice) {
        let ended = ended(notice);
        // If the call causes no question, the person sees only this line about the call.
        let call = judged_line(&notice.call.replace('\n', " "));
        match notice.stage {
            // A question about the call already shows its tool and arguments.
            Stage::Proposed | Stage::Waiting => {}
            Stage::Running => {
                self.pen.fresh();
                self.pen.text(mark, &call);
                self.pen.note(" (running)");
                self.widget = Some(call);
                self.activity = None;
            }
            Stage::Finished if self.widget.take().as_deref() == Some(&call) && self.pen.is_open(mark) => {
                self.pen.text(mark, &ended);
            }
            Stage::Finished => {
                self.pen.fresh();
                self.pen.text(mark, &(call + &ended));
            }
        }
    }

    /// Ctrl-C: drops the rest of a session's text. Calls of the session are still drawn.
    pub(super) fn drop_text(&mut self, session: usize) {
        self.drop_held(session, |request| matches!(request, Request::Write { .. }));
    }

    /// Drops the waiting requests of a session's processes that match, and fails their calls.
    pub(super) fn drop_held(&mut self, session: usize, matches: impl Fn(&Request) -> bool) {
        let held = std::mem::take(&mut self.held);
        let (dropped, kept): (Vec<_>, Vec<_>) = held.into_iter().partition(|(caller, request)| {
            matches(request) && self.session_of(*caller) == session
        });
        self.held = kept.into();
        if !dropped.is_empty() {
            self.tell("the rest of the text is not shown");
        }
        for (caller, _) in dropped {
            self.fail(caller, FailureCode::Cancelled, "the person interrupted it");
        }
    }

    /// Draws the prompt for lines to the agent, or the one for commands. Text typed at an earlier prompt is drawn behind it.
    pub(super) fn draw_prompt(&mut self, listener: Listener) {
        self.search = None;
        if listener == Listener::Agent && self.take_kept() {
            self.say(KEPT);
        }
        self.show_prompt(listener);
        if self.probes.is_stale && self.pen.screen().moves {
            self.draw_again(listener);
        }
    }

    /// Draws the prompt and the text typed at it.
    pub(super) fn show_prompt(&mut self, listener: Listener) {
        let prompt = match (listener, self.sessions.get(self.current)) {
            (Listener::Commands, _) => "command> ".into(),
            (Listener::Agent, Some(session)) if self.current > 0 => format!("you ({})> ", session.name),
            (Listener::Agent, _) => "you> ".into(),
        };
        self.showing = Showing::Prompt(listener);
        if self.search.is_some() {
            return self.show_search();
        }
        self.pen.prompt(&prompt, true);
        if !self.editor.is_empty() {
            self.pen.continued(&self.editor);
        }
    }

    /// Removes the prompt; text that was typed at it is drawn again after the next prompt.
    pub(super) fn undraw_prompt(&mut self) {
        if matches!(self.showing, Showing::Prompt(_)) {
            self.pen.fresh();
            self.showing = Showing::Nothing;
            self.search = None;
        }
    }
}

/// Returns the line about a call that has ended: outcome, reason, duration if it is noticeable, and result.
fn ended(Notice { outcome, detail, elapsed, result, .. }: &Notice) -> String {
    let detail = if detail.is_empty() { String::new() } else { format!(" ({})", detail.replace('\n', " ")) };
    let tenths = elapsed.unwrap_or(0) / 100;
    let time = if tenths == 0 { String::new() } else { format!(" in {}.{} s", tenths / 10, tenths % 10) };
    let result = if result.is_empty() { String::new() } else { format!(": {}", result.replace('\n', " ")) };
    format!(" → {outcome}{detail}{time}{result}\n")
}
