//! Stores init's messages for processes that may read the log. The system's log contains only init's own messages. Output of
//! processes is untrusted; only the person at the machine can read it, in a separate list.

use crate::filter::filtered_line;
use std::collections::VecDeque;

/// Maximum number of stored lines; the oldest is removed first.
const MOST_LINES: usize = 512;
/// Maximum bytes of one line; all lines of init are shorter.
const MOST_LINE_BYTES: usize = 512;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Number of the line, from 1 without gaps.
    pub sequence: u64,
    pub uptime_ms: u64,
    pub text: String,
}

#[derive(Default)]
pub struct Log {
    lines: VecDeque<LogLine>,
    written: u64,
}

impl Log {
    pub fn write(&mut self, uptime_ms: u64, text: &str) {
        let mut text = filtered_line(text);
        while text.len() > MOST_LINE_BYTES {
            text.pop();
        }
        self.written += 1;
        self.lines.push_back(LogLine { sequence: self.written, uptime_ms, text });
        if self.lines.len() > MOST_LINES {
            self.lines.pop_front();
        }
    }

    /// Returns the number of the last written line; 0 if there is none.
    pub fn last(&self) -> u64 {
        self.written
    }

    /// Returns at most `most` stored lines with a number above `sequence`, the oldest first.
    pub fn after(&self, sequence: u64, most: usize) -> impl ExactSizeIterator<Item = &LogLine> {
        let first = self.lines.partition_point(|line| line.sequence <= sequence);
        self.lines.range(first..).take(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_from_one_and_can_be_read_from_any_number_on() {
        let mut log = Log::default();
        assert_eq!(log.after(0, 64).len(), 0);
        for number in 1..=3 {
            log.write(number * 10, &format!("line {number}"));
        }
        let read = |after, most| log.after(after, most).map(|line| line.text.clone()).collect::<Vec<_>>();
        assert_eq!(read(0, 2), ["line 1", "line 2"]);
        assert_eq!(read(2, 64), ["line 3"]);
        assert!(read(3, 64).is_empty() && read(u64::MAX, 64).is_empty());
    }

    #[test]
    fn the_stored_log_is_bounded_and_contains_no_unsafe_characters() {
        let mut log = Log::default();
        for _ in 0..MOST_LINES + 5 {
            log.write(0, &format!("\u{1b}{}", "ä".repeat(MOST_LINE_BYTES)));
        }
        assert_eq!(log.after(0, usize::MAX).len(), MOST_LINES);
        let first = log.after(0, 1).next().unwrap();
        assert_eq!(first.sequence, 6);
        assert!(first.text.len() <= MOST_LINE_BYTES && first.text.starts_with("‹U+001B›ä"));
    }
}
