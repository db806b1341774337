//! The lines that a person entered in one session, to be had again. What answers a question is never among them.

use std::collections::VecDeque;

/// Lines that are kept.
const MOST_LINES: usize = 100;
/// Bytes of all of them: a paste may be long, and this process has 16 MiB.
const MOST_BYTES: usize = 32 * 1024;

#[derive(Default)]
pub struct History {
    lines: VecDeque<String>,
    /// How many lines back the person has gone; 0: they are at the line that they type.
    back: usize,
    /// What they had typed before they went back.
    draft: String,
}

impl History {
    /// The line was entered; the same line twice in a row is kept once.
    pub fn add(&mut self, line: &str) {
        self.back = 0;
        self.draft.clear();
        if line.is_empty() || line.len() > MOST_BYTES || self.lines.back().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push_back(line.to_owned());
        while self.lines.len() > MOST_LINES || self.lines.iter().map(String::len).sum::<usize>() > MOST_BYTES {
            self.lines.pop_front();
        }
    }

    /// The line before; `line` is what stands there now.
    pub fn older(&mut self, line: &str) -> Option<&str> {
        if self.back == self.lines.len() {
            return None;
        }
        if self.back == 0 {
            line.clone_into(&mut self.draft);
        }
        self.back += 1;
        self.shown()
    }

    pub fn newer(&mut self) -> Option<&str> {
        self.back = self.back.checked_sub(1)?;
        if self.back == 0 { Some(&self.draft) } else { self.shown() }
    }

    /// The person does not want what they typed.
    pub fn leave(&mut self) {
        self.back = 0;
        self.draft.clear();
    }

    fn shown(&self) -> Option<&str> {
        self.lines.get(self.lines.len() - self.back).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_newest_first_and_the_draft_at_last() {
        let mut history = History::default();
        for line in ["one", "two", "two", ""] {
            history.add(line);
        }
        assert_eq!(history.older("dra"), Some("two"));
        assert_eq!(history.older("two"), Some("one"));
        assert_eq!(history.older("one"), None);
        assert_eq!(history.newer(), Some("two"));
        assert_eq!(history.newer(), Some("dra"));
        assert_eq!(history.newer(), None);
    }

    #[test]
    fn it_is_bounded_in_lines_and_in_bytes() {
        let mut history = History::default();
        for number in 0..300 {
            history.add(&number.to_string());
        }
        assert_eq!((history.lines.len(), history.older("")), (MOST_LINES, Some("299")));
        for number in 0..20 {
            history.add(&format!("{number}{}", "x".repeat(4000)));
        }
        assert!(history.lines.iter().map(String::len).sum::<usize>() <= MOST_BYTES);
        history.add(&"y".repeat(MOST_BYTES + 1));
        assert!(history.older("").is_some_and(|line| line.starts_with("19x")));
    }
}
