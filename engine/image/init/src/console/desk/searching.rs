//! Ctrl-R: searches the lines that the person entered in this session, while the person types a part of the line.

use super::search::Search;
use super::state::{Desk, Showing};
use crate::console::keyboard::Stroke;
use crate::console::line::LineEditor;
use crate::console::said::Said;

/// The prompt of a search. No output of a process can begin a row with these words.
const PROMPT: &str = "search> ";

impl Desk {
    /// Begins a search with the typed line as its text.
    pub(super) fn begin_search(&mut self) {
        self.search = Some(Search::new(self.editor.line()));
        self.show_search();
    }

    pub(super) fn show_search(&mut self) {
        self.pen.fresh();
        self.pen.prompt(PROMPT, true);
        self.draw_search();
    }

    pub(super) fn search_key(&mut self, stroke: Stroke) {
        let history = self.sessions.get(self.current).map(|session| &session.history);
        let Some(search) = &mut self.search else { return };
        match stroke {
            Stroke::Text(character) | Stroke::Pasted(character) if character != '\n' => search.extend(character, history),
            Stroke::Backspace => search.shorten(history),
            Stroke::Search => search.pass(history),
            Stroke::Refresh | Stroke::Pasted(_) => {}
            _ => return self.end_search(stroke),
        }
        self.draw_search();
    }

    /// Ends the search. The found line replaces the typed line, unless the person abandons the search. Enter also sends the found line.
    fn end_search(&mut self, stroke: Stroke) {
        let Some(search) = self.search.take() else { return };
        let found = search.found(self.sessions.get(self.current).map(|session| &session.history)).filter(|_| stroke != Stroke::Abandon);
        if let Some(found) = &found {
            self.editor.replace(found);
        }
        let Showing::Prompt(listener) = self.showing else { return };
        self.pen.fresh();
        self.draw_prompt(listener);
        if stroke == Stroke::Enter && found.is_some() {
            self.edit(stroke);
        }
    }

    /// Draws the text of the search, and behind it the line that was found.
    pub(super) fn draw_search(&mut self) {
        let Some(search) = &self.search else { return };
        let found = search.found(self.sessions.get(self.current).map(|session| &session.history));
        let behind = match &found {
            Some(found) => format!(" → {}", found.text()),
            None if search.text().is_empty() => String::new(),
            None => " → no line with that".into(),
        };
        let mut shown = LineEditor::default();
        shown.replace(&Said::typed(&format!("{}{behind}", search.text())));
        shown.place_cursor(search.text().len());
        self.pen.redraw(&shown);
    }
}
