//! An open search in the history.

use crate::console::history::History;
use crate::console::said::Said;

/// Maximum bytes of the text that is searched for.
pub const MOST_BYTES: usize = 256;

pub struct Search {
    text: String,
    /// How many of the newest lines the search skips, because it has found an older line or the person rejected them.
    age: usize,
}

impl Search {
    /// Begins a search at the newest line. If the text is too long, the search begins without a text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: if text.len() <= MOST_BYTES { text.to_owned() } else { String::new() }, age: 0 }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line that the search has found, or `None` if no line contains the text.
    pub(super) fn found(&self, history: Option<&History>) -> Option<Said> {
        self.find(history, self.age).map(|(_, line)| line)
    }

    /// Adds a character to the text. The found line stays if it contains the longer text; otherwise the search goes back to an older line.
    pub(super) fn extend(&mut self, character: char, history: Option<&History>) {
        self.stay(history);
        if self.text.len() + character.len_utf8() <= MOST_BYTES {
            self.text.push(character);
        }
    }

    /// Removes the last character of the text. Without text the search begins again at the newest line.
    pub(super) fn shorten(&mut self, history: Option<&History>) {
        self.stay(history);
        self.text.pop();
        if self.text.is_empty() {
            self.age = 0;
        }
    }

    /// Goes back to the next older line that contains the text, if there is one.
    pub(super) fn pass(&mut self, history: Option<&History>) {
        self.stay(history);
        if let Some((age, _)) = self.find(history, self.age + 1) {
            self.age = age;
        }
    }

    /// Stores the position of the line that the search has found.
    fn stay(&mut self, history: Option<&History>) {
        if let Some((age, _)) = self.find(history, self.age) {
            self.age = age;
        }
    }

    fn find(&self, history: Option<&History>, from: usize) -> Option<(usize, Said)> {
        let mut lines = history?.matching(&self.text);
        lines.find(|(age, _)| *age >= from).map(|(age, line)| (age, line.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> History {
        let mut history = History::default();
        for line in ["note: buy milk", "note: buy tea", "call Ada", "note: call Ada"] {
            history.add(&Said::typed(line));
        }
        history
    }

    fn shown(search: &Search, history: &History) -> String {
        search.found(Some(history)).map_or_else(|| "none".into(), |line| line.text().to_owned())
    }

    #[test]
    fn if_more_text_is_typed_the_search_continues_from_the_line_that_it_has_found() {
        let history = history();
        let mut search = Search::new("note");
        assert_eq!(shown(&search, &history), "note: call Ada");
        search.pass(Some(&history));
        assert_eq!(shown(&search, &history), "note: buy tea");
        // The newer line `note: call Ada` also contains `note:`, but the search does not go back to it.
        search.extend(':', Some(&history));
        assert_eq!(shown(&search, &history), "note: buy tea");
        for character in " buy m".chars() {
            search.extend(character, Some(&history));
        }
        assert_eq!(shown(&search, &history), "note: buy milk");
        search.extend('x', Some(&history));
        assert_eq!(shown(&search, &history), "none");
        search.shorten(Some(&history));
        assert_eq!(shown(&search, &history), "note: buy milk");
    }

    #[test]
    fn the_search_stays_at_the_oldest_match_and_starts_again_if_its_text_is_deleted() {
        let history = history();
        let mut search = Search::new("Ada");
        for _ in 0..5 {
            search.pass(Some(&history));
        }
        assert_eq!(shown(&search, &history), "call Ada");
        for _ in 0..5 {
            search.shorten(Some(&history));
        }
        assert_eq!((search.text(), shown(&search, &history).as_str()), ("", "none"));
        for character in "Ada".chars() {
            search.extend(character, Some(&history));
        }
        assert_eq!(shown(&search, &history), "note: call Ada");
    }

    #[test]
    fn a_search_begins_empty_if_the_text_at_the_prompt_is_too_long() {
        assert_eq!(Search::new(&"x".repeat(MOST_BYTES + 1)).text(), "");
        let mut search = Search::new(&"x".repeat(MOST_BYTES));
        search.extend('y', None);
        assert_eq!(search.text().len(), MOST_BYTES);
    }
}
