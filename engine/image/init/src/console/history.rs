//! Stores the lines that a person entered in one session, for reuse. The history never contains answers to a question.

use super::said::Said;
use std::collections::VecDeque;

/// Maximum number of stored lines.
const MOST_LINES: usize = 100;
/// Maximum bytes of all lines: a paste may be long, and this process has 16 MiB.
const MOST_BYTES: usize = 32 * 1024;

#[derive(Default)]
pub struct History {
    lines: VecDeque<Said>,
    /// Number of lines that the person has gone back; 0 means the line that the person is typing.
    back: usize,
    /// Line that the person had typed before going back.
    draft: Said,
}

impl History {
    /// Adds an entered line; consecutive equal lines are stored once. The pasted parts of the line stay marked as pasted.
    pub fn add(&mut self, line: &Said) {
        self.back = 0;
        self.draft.clear();
        let length = line.text().len();
        if length == 0 || length > MOST_BYTES || self.lines.back().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push_back(line.clone());
        while self.lines.len() > MOST_LINES || self.lines.iter().map(|line| line.text().len()).sum::<usize>() > MOST_BYTES {
            self.lines.pop_front();
        }
    }

    /// Returns the previous line, or `None` if there is none; `line` is the present one.
    pub fn older(&mut self, line: &Said) -> Option<&Said> {
        if self.back == self.lines.len() {
            return None;
        }
        if self.back == 0 {
            self.draft.clone_from(line);
        }
        self.back += 1;
        self.shown()
    }

    pub fn newer(&mut self) -> Option<&Said> {
        self.back = self.back.checked_sub(1)?;
        if self.back == 0 { Some(&self.draft) } else { self.shown() }
    }

    /// Returns the lines that contain the text, newest first and without duplicates. Each has the number of newer lines of the history.
    pub fn matching<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (usize, &'a Said)> {
        let newer = |age: usize| self.lines.iter().rev().take(age);
        let is_match = move |(age, line): &(usize, &Said)| {
            !text.is_empty() && line.text().contains(text) && newer(*age).all(|later| later.text() != line.text())
        };
        self.lines.iter().rev().enumerate().filter(is_match)
    }

    /// Goes back to the typed line and drops its draft, because the person abandons it.
    pub fn leave(&mut self) {
        self.back = 0;
        self.draft.clear();
    }

    fn shown(&self) -> Option<&Said> {
        self.lines.get(self.lines.len() - self.back)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn older(history: &mut History, line: &str) -> Option<String> {
        history.older(&Said::typed(line)).map(|said| said.text().to_owned())
    }

    fn newer(history: &mut History) -> Option<String> {
        history.newer().map(|said| said.text().to_owned())
    }

    #[test]
    fn lines_are_recalled_newest_first_and_then_the_unfinished_line_again() {
        let mut history = History::default();
        for line in ["one", "two", "two", ""] {
            history.add(&Said::typed(line));
        }
        assert_eq!(older(&mut history, "dra").as_deref(), Some("two"));
        assert_eq!(older(&mut history, "two").as_deref(), Some("one"));
        assert_eq!(older(&mut history, "one"), None);
        assert_eq!(newer(&mut history).as_deref(), Some("two"));
        assert_eq!(newer(&mut history).as_deref(), Some("dra"));
        assert_eq!(newer(&mut history), None);
    }

    #[test]
    fn lines_are_found_newest_first_and_once_each() {
        let mut history = History::default();
        for line in ["/tool a", "hello", "/tool b", "/tool a"] {
            history.add(&Said::typed(line));
        }
        let found = |text| history.matching(text).map(|(_, line)| line.text()).collect::<Vec<_>>();
        assert_eq!((found("/tool"), found("ell"), found("x"), found("")), (vec!["/tool a", "/tool b"], vec!["hello"], vec![], vec![]));
    }

    #[test]
    fn a_recalled_line_keeps_its_pasted_parts() {
        let mut history = History::default();
        for said in [Said::pasted("x"), Said::typed("x"), Said::typed("x")] {
            history.add(&said);
        }
        assert_eq!(history.lines.len(), 2);
        assert_eq!(history.older(&Said::pasted("draft")), Some(&Said::typed("x")));
        assert_eq!(history.older(&Said::typed("x")), Some(&Said::pasted("x")));
        history.newer();
        assert_eq!(history.newer(), Some(&Said::pasted("draft")));
    }

    #[test]
    fn the_history_is_bounded_in_lines_and_in_bytes() {
        let mut history = History::default();
        for number in 0..300 {
            history.add(&Said::typed(&number.to_string()));
        }
        assert_eq!((history.lines.len(), older(&mut history, "").as_deref()), (MOST_LINES, Some("299")));
        for number in 0..20 {
            history.add(&Said::typed(&format!("{number}{}", "x".repeat(4000))));
        }
        assert!(history.lines.iter().map(|line| line.text().len()).sum::<usize>() <= MOST_BYTES);
        history.add(&Said::typed(&"y".repeat(MOST_BYTES + 1)));
        assert!(older(&mut history, "").is_some_and(|line| line.starts_with("19x")));
    }
}
