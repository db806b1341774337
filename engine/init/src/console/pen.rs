//! Draws lines that say whose they are: every line of a text begins with its speaker's mark, so that no text can look
//! like the prompt or like another speaker.

use super::filter::{Filter, filtered_line};

/// Whose text this is; the marks are what people learn to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The console itself, and the gate through it.
    Console,
    Model,
    /// The loop's own remarks. It parses what models write: it may never sound like the console or the gate.
    Loop,
    /// A call, as the gate announces it.
    Tool,
}

impl Voice {
    /// `from` names the session that is heard, if it is not the one that the person types to.
    pub fn mark(self, from: Option<&str>) -> String {
        match (self, from) {
            (Voice::Console, None) => "* ".into(),
            (Voice::Loop, None) => "loop> ".into(),
            (Voice::Model, None) => "agent> ".into(),
            (Voice::Tool, None) => "[tool] ".into(),
            (Voice::Console, Some(session)) => format!("* ({session}) "),
            (Voice::Loop, Some(session)) => format!("loop ({session})> "),
            (Voice::Model, Some(session)) => format!("agent ({session})> "),
            (Voice::Tool, Some(session)) => format!("[tool] ({session}) "),
        }
    }
}

#[derive(Default)]
pub struct Pen {
    drawn: Vec<u8>,
    /// By whose mark the open line begins; text under the same mark goes on in it.
    open: Option<String>,
    /// Something stands on the line: the prompt, or an open line.
    dirty: bool,
    prompting: bool,
    /// Of the open line.
    filter: Filter,
}

/// Bytes that may lie unwritten before more text is drawn: at most half a second's on a slow serial line.
const MOST_UNWRITTEN: usize = 4096;
/// More of it unwritten, and typing is no longer echoed. A question's page, the largest thing drawn at once, is smaller.
const MOST_UNWRITTEN_AT_ALL: usize = 64 * 1024;

impl Pen {
    /// What is to be written to the terminal.
    pub fn drawn(&self) -> &[u8] {
        &self.drawn
    }

    /// So much of it was written.
    pub fn wrote(&mut self, size: usize) {
        self.drawn.drain(..size);
    }

    /// Whether the terminal keeps up.
    pub fn has_room(&self) -> bool {
        self.drawn.len() < MOST_UNWRITTEN
    }

    /// Text that may come in pieces. A piece that does not end a line leaves it open.
    pub fn text(&mut self, mark: &str, text: &str) {
        if !self.is_open(mark) {
            self.fresh();
        }
        for piece in self.filter.pass(text).split_inclusive('\n') {
            if self.open.is_none() {
                self.raw(mark);
            }
            self.raw(piece);
            let ended = piece.ends_with('\n');
            self.open = (!ended).then(|| mark.to_owned());
            self.dirty = !ended;
        }
    }

    /// One whole line.
    pub fn line(&mut self, mark: &str, text: &str) {
        self.fresh();
        self.raw(mark);
        self.raw(&filtered_line(text));
        self.raw("\n");
    }

    /// Starts a line that typing goes on in: a prompt.
    pub fn prompt(&mut self, prompt: &str) {
        self.fresh();
        self.raw(prompt);
        self.dirty = true;
        self.prompting = true;
    }

    /// Whether the last line is a prompt that typing goes on in.
    pub fn holds_prompt(&self) -> bool {
        self.prompting
    }

    /// Whether the last line is an open one under this mark.
    pub fn is_open(&self, mark: &str) -> bool {
        self.open.as_deref() == Some(mark)
    }

    /// Echo of typing; already safe.
    pub fn echo(&mut self, text: &str) {
        if self.drawn.len() < MOST_UNWRITTEN_AT_ALL {
            self.raw(text);
        }
    }

    /// Ends the line that stands open, if one does.
    pub fn fresh(&mut self) {
        if std::mem::take(&mut self.dirty) {
            self.raw("\n");
        }
        self.prompting = false;
        self.open = None;
        self.filter = Filter::default();
    }

    fn raw(&mut self, text: &str) {
        self.drawn.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "agent> ";
    const RUNNER: &str = "* ";

    fn drawn(draw: impl FnOnce(&mut Pen)) -> String {
        let mut pen = Pen::default();
        draw(&mut pen);
        String::from_utf8(pen.drawn().to_vec()).unwrap()
    }

    #[test]
    fn every_line_bears_its_speakers_mark() {
        assert_eq!(drawn(|pen| pen.text(MODEL, "one\nyou> two\n")), "agent> one\nagent> you> two\n");
        assert_eq!(drawn(|pen| pen.line(RUNNER, "a\nb")), "* a‹U+000A›b\n");
    }

    #[test]
    fn text_in_pieces_stays_on_its_line() {
        let text = drawn(|pen| {
            pen.text(MODEL, "he");
            pen.text(MODEL, "llo");
            pen.text(RUNNER, "stopped\n");
        });
        assert_eq!(text, "agent> hello\n* stopped\n");
    }

    #[test]
    fn another_session_is_named_and_never_goes_on_in_a_line_of_this_one() {
        for voice in [Voice::Console, Voice::Loop, Voice::Model, Voice::Tool] {
            assert!(voice.mark(Some("visitor")).contains("(visitor)") && !voice.mark(None).contains('('));
        }
        let text = drawn(|pen| {
            pen.text(&Voice::Model.mark(None), "one");
            pen.text(&Voice::Model.mark(Some("visitor")), "two\n");
        });
        assert_eq!(text, "agent> one\nagent (visitor)> two\n");
    }

    #[test]
    fn nothing_is_drawn_behind_a_prompt() {
        let text = drawn(|pen| {
            pen.prompt("you> ");
            pen.echo("ab");
            pen.text(MODEL, "hi\n");
            pen.prompt("you> ");
        });
        assert_eq!(text, "you> ab\nagent> hi\nyou> ");
    }
}
