//! Draws the current work and its duration while neither a prompt nor a question is shown. The words are the console's own, and they vanish
//! with the next output. A terminal whose cursor cannot go back gets one line instead, and only while the machine is still starting.

use super::caller::Line;
use super::errand::{Errand, ErrandKind};
use super::errands::is_of_person;
use super::state::{Desk, Showing};
use crate::filter::filtered_line;
use crate::supervise::request::Progress;

const SECOND_MS: u64 = 1_000;
/// Time after which a separate line tells the person that the typed text waits for the start of the machine.
const PATIENCE_MS: u64 = 2_000;

impl Desk {
    /// Returns the start time and the description of the work that the person waits for; `None` if no work has to be shown.
    fn work(&self) -> Option<(u64, String)> {
        let session = self.sessions.get(self.current)?;
        if self.leaving || session.is_over || self.showing == Showing::Question {
            return None;
        }
        let is_of_session = |errand: &&Errand| {
            is_of_person(&errand.kind) && (errand.line == session.line || matches!(errand.kind, ErrandKind::Stop(_) | ErrandKind::Restart(_)))
        };
        if let Some(errand) = self.errands.iter().find(is_of_session) {
            return Some((errand.since, if session.has_answered { waiting(&errand.kind) } else { self.starting() }));
        }
        if matches!(self.showing, Showing::Prompt(_)) {
            return None;
        }
        match (session.turn, self.widget.is_some()) {
            (Some(_), true) => self.running.values().min().map(|since| (*since, "running".into())),
            (Some(since), false) => Some((since, "thinking".into())),
            (None, _) if !session.has_answered && session.reader.is_none() && !session.is_commanded => Some((0, self.starting())),
            (None, _) => None,
        }
    }

    fn starting(&self) -> String {
        match &self.progress {
            Some(Progress { name, serving, all }) => format!("starting {} ({} of {all})", filtered_line(name), serving + 1),
            None => "starting".into(),
        }
    }

    /// Notes that the gate of a session serves.
    pub(super) fn session_answers(&mut self, line: Line) {
        if let Some(session) = self.sessions.iter_mut().find(|session| session.line == line) {
            session.has_answered = true;
        }
    }

    pub(super) fn activity_deadline(&self) -> Option<u64> {
        let (since, _) = self.work()?;
        let elapsed = self.now.saturating_sub(since);
        if self.pen.screen().moves && self.showing == Showing::Nothing {
            return Some(since + (elapsed / SECOND_MS + 1) * SECOND_MS);
        }
        // After `SECOND_MS` the console asks init how far the start is; after `PATIENCE_MS` it tells the person that the call waits.
        let since = self.untold()?.since;
        [since + SECOND_MS, since + PATIENCE_MS].into_iter().find(|due| *due > self.now)
    }

    /// Returns a call that waits for the start of the machine, if the person has not been told that it waits.
    fn untold(&self) -> Option<&Errand> {
        let session = self.sessions.get(self.current).filter(|session| !session.has_answered)?;
        self.errands.iter().find(|errand| errand.line == session.line && is_of_person(&errand.kind) && !errand.is_told)
    }

    /// Draws the state of the work for each full second.
    pub(super) fn draw_activity(&mut self, now: u64) {
        let Some((since, words)) = self.work() else {
            self.activity = None;
            return;
        };
        let seconds = now.saturating_sub(since) / SECOND_MS;
        if seconds == 0 || self.activity == Some((since, seconds)) {
            return;
        }
        self.activity = Some((since, seconds));
        if self.sessions.get(self.current).is_some_and(|session| !session.has_answered) {
            self.ask_progress();
        }
        if self.pen.screen().moves && self.showing == Showing::Nothing {
            // An agent's text that grows on the screen already shows that the agent works.
            if self.widget.is_some() || !self.pen.is_any_open() {
                self.pen.state(&format!("{words} {seconds} s, Ctrl-C stops"));
            }
            return;
        }
        let is_due = self.untold().is_some_and(|errand| errand.since + PATIENCE_MS <= now);
        if is_due {
            let line = self.sessions[self.current].line;
            self.errands.iter_mut().filter(|errand| errand.line == line).for_each(|errand| errand.is_told = true);
            self.tell(&format!("{}: what you typed waits for that", self.starting()));
            self.settle();
        }
    }
}

/// Returns what the person waits for, in words.
fn waiting(kind: &ErrandKind) -> String {
    match kind {
        ErrandKind::Command(typed) => {
            let name = typed.line.split_whitespace().next().unwrap_or_default();
            format!("waiting for {}", filtered_line(name))
        }
        ErrandKind::Help(_) => "waiting for /help".into(),
        ErrandKind::Stop(_) => "waiting for /stop".into(),
        ErrandKind::Restart(_) => "waiting for /restart".into(),
        _ => "thinking".into(),
    }
}
