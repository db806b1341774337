//! The row below the prompt: the status of the current session. The console asks the gate for the status after each event that may
//! have changed the status. A terminal whose cursor cannot go back has no such row; there, the console does not ask the gates.

use super::caller::Line;
use super::errand::ErrandKind;
use super::errands::is_of_person;
use super::state::{Desk, Showing};
use crate::console::request::{self, Standing};
use crate::console::screen::Screen;
use crate::console::window::width;
use crate::filter::judged_line;

const BETWEEN: &str = " | ";
/// Columns of the row that the text leaves free, for the mark and at the end.
const AROUND: usize = 4;

impl Desk {
    /// Asks the gate of the current session for the status. If a call of the person to this gate is still running, the console asks again at the end of that call.
    pub(super) fn ask_standing(&mut self) {
        let moves = self.pen.screen().moves && !self.leaving;
        let Some(session) = self.sessions.get(self.current).filter(|session| moves && session.is_standing_due) else { return };
        let line = session.line;
        // Until one of the session's processes has sent something, the machine is still starting.
        let is_starting = !session.has_answered && session.reader.is_none();
        if is_starting || session.is_over || session.is_lock_due || self.errands.iter().any(|errand| errand.line == line) {
            return;
        }
        self.sessions[self.current].is_standing_due = false;
        self.send(line, request::SESSION, request::STANDING, &request::standing_call(), ErrandKind::Standing);
    }

    /// Notes that a call may have changed the status of its session.
    pub(super) fn note_standing_due(&mut self, line: Line, kind: &ErrandKind) {
        let is_due = is_of_person(kind) || matches!(kind, ErrandKind::Lock);
        self.sessions.iter_mut().filter(|session| is_due && session.line == line).for_each(|session| session.is_standing_due = true);
    }

    pub(super) fn take_standing(&mut self, line: Line, told: Option<Standing>) {
        if let Some(session) = self.sessions.iter_mut().find(|session| session.line == line) {
            session.standing = told;
            self.refresh_status();
        }
    }

    /// Draws the row of the current session, if it has changed.
    pub(super) fn refresh_status(&mut self) {
        let screen = self.pen.screen();
        let session = self.sessions.get(self.current);
        let words = session.and_then(|session| session.standing.as_ref().map(|standing| describe(&session.name, standing, screen)));
        if self.pen.set_status(&words.unwrap_or_default()) && matches!(self.showing, Showing::Prompt(_)) {
            self.redraw_line();
        }
    }
}

/// Returns the words of the row. The row names as many quotas as fit.
fn describe(session: &str, standing: &Standing, screen: Screen) -> String {
    let Standing { is_locked, label, model, is_model_asked, task, phase, left } = standing;
    if *is_locked {
        return fit([session.to_owned(), "locked, /login unlocks it".into()], screen);
    }
    let answers = match (model.is_empty(), is_model_asked) {
        (true, _) => "no model".to_owned(),
        (false, true) => format!("{model}, which asks first"),
        (false, false) => model.clone(),
    };
    let place = [("task", task), ("phase", phase)].into_iter().filter(|(_, name)| !name.is_empty());
    let place: Vec<String> = place.map(|(kind, name)| format!("{kind} {name}")).collect();
    let counted = left.iter().enumerate().map(|(index, words)| if index == 0 { format!("left: {words}") } else { words.clone() });
    let parts = [session.to_owned(), label.clone(), answers, place.join(", ")].into_iter().chain(counted);
    fit(parts.filter(|part| !part.is_empty()), screen)
}

/// Joins parts, as many as fit in one row of the window.
fn fit(parts: impl IntoIterator<Item = String>, screen: Screen) -> String {
    let mut row = String::new();
    for part in parts {
        let part = screen.fitting(&judged_line(&part), true);
        let between = if row.is_empty() { "" } else { BETWEEN };
        if !row.is_empty() && width(&row, screen) + width(between, screen) + width(&part, screen) > screen.columns.saturating_sub(AROUND) {
            break;
        }
        row += between;
        row += &part;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing() -> Standing {
        Standing { label: "internal/reviewed".into(), model: "canned".into(), ..Standing::default() }
    }

    #[test]
    fn the_row_names_session_label_model_task_and_the_rest_of_each_quota() {
        let screen = Screen { columns: 160, moves: true, ..Screen::default() };
        assert_eq!(describe("operator", &standing(), screen), "operator | internal/reviewed | canned");
        let left = vec!["2 of 4 readOnly per turn".to_owned(), "9 of 9 tokens per day".to_owned()];
        let in_task = Standing { task: "triage".into(), phase: "look".into(), left, ..standing() };
        assert_eq!(
            describe("operator", &in_task, screen),
            "operator | internal/reviewed | canned | task triage, phase look | left: 2 of 4 readOnly per turn | 9 of 9 tokens per day"
        );
        let asked = Standing { is_model_asked: true, ..standing() };
        assert!(describe("operator", &asked, screen).ends_with("| canned, which asks first"));
        let silent = Standing { model: String::new(), ..standing() };
        assert!(describe("operator", &silent, screen).ends_with("| no model"));
        let locked = Standing { is_locked: true, ..Standing::default() };
        assert_eq!(describe("operator", &locked, screen), "operator | locked, /login unlocks it");
    }

    #[test]
    fn a_part_that_does_not_fit_the_window_is_omitted_whole_and_no_part_controls_the_screen() {
        let screen = Screen { columns: 48, moves: true, ..Screen::default() };
        let left = vec!["2 of 4 readOnly per turn".to_owned()];
        let many = Standing { left, ..standing() };
        assert_eq!(describe("operator", &many, screen), "operator | internal/reviewed | canned");
        let hostile = Standing { label: "a\u{1b}[2J\nb".into(), ..standing() };
        assert!(!describe("operator", &hostile, screen).contains(|sign: char| sign.is_control()));
    }
}
