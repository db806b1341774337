//! Draws lines that say whose they are: every line of a text begins with its speaker's mark, and a row in which a line
//! goes on begins with two blanks, so that no text can look like the prompt or like another speaker, however long it is.

use super::line::{Edit, LineEditor};
use super::screen::{NEVER_WRAPS, Screen, WRAPS, is_wide, widest};
use super::window::{drawn, width, window};
use crate::filter::{Filter, filtered_line};

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

/// How a row begins in which a line goes on. No mark does.
const GOES_ON: &str = "  ";
/// A terminal's own stops.
const TAB_COLUMNS: usize = 8;
const BACKSPACE: &str = "\u{8} \u{8}";

#[derive(Default)]
pub struct Pen {
    screen: Screen,
    drawn: Vec<u8>,
    /// By whose mark the open line begins; text under the same mark goes on in it.
    open: Option<String>,
    /// Something stands on the line: the prompt, or an open line.
    dirty: bool,
    /// The prompt that typing goes on behind.
    prompt: Option<String>,
    /// The prompt is drawn again later: where the cursor can go back, the row is used for something else first.
    comes_back: bool,
    /// Filter of the open line.
    filter: Filter,
    /// Columns of the row that are used.
    used: usize,
    /// A word that may go on: it stands in one row, unless it is a long one.
    word: String,
    /// Bytes of it that are drawn.
    shown: usize,
    /// Columns of words that are drawn for now.
    note: usize,
    /// Widths are counted as on the widest terminal, and nothing is drawn as something else: every byte of the line must be seen.
    widest: bool,
}

/// Bytes that may lie unwritten before more text is drawn: at most half a second's on a slow serial line.
const MOST_UNWRITTEN: usize = 4096;
/// Unwritten bytes beyond which typing is not echoed. A question's page, the largest thing drawn at once, is smaller.
const MOST_UNWRITTEN_AT_ALL: usize = 64 * 1024;

impl Pen {
    pub fn on(screen: Screen) -> Self {
        Self { screen, ..Self::default() }
    }

    /// Returns the bytes that are to be written to the terminal.
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

    pub fn screen(&self) -> Screen {
        self.screen
    }

    pub fn set_screen(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// Text that may come in pieces. A piece that does not end a line leaves it open.
    pub fn text(&mut self, mark: &str, text: &str) {
        if !self.is_open(mark) {
            self.fresh();
        }
        self.erase_note();
        for piece in self.filter.pass(text).split_inclusive('\n') {
            if self.open.is_none() {
                self.begin(mark);
            }
            self.flow(piece.trim_end_matches('\n'));
            if piece.ends_with('\n') {
                self.end();
            }
        }
        if self.open.is_some() {
            self.show_word();
        }
    }

    /// One whole line.
    pub fn line(&mut self, mark: &str, text: &str) {
        self.fresh();
        self.begin(mark);
        self.flow(&filtered_line(text));
        self.end();
    }

    /// A line that a person is to judge, which went through the filter for such: it is cut so that no terminal cuts it.
    pub fn judged(&mut self, mark: &str, line: &str) {
        self.widest = true;
        self.line(mark, line);
        self.widest = false;
    }

    /// A row as it stands, of which we know that it fits and holds nothing but printable ASCII.
    pub fn verbatim(&mut self, row: &str) {
        self.fresh();
        self.raw(row);
        self.raw("\n");
    }

    /// Words at the end of the open line that hold for now, where they can be taken away again.
    pub fn note(&mut self, words: &str) {
        self.draw_word();
        if self.screen.moves && self.open.is_some() && self.used + words.len() < self.room() {
            self.raw(words);
            self.note = words.len();
        }
    }

    /// Starts a line that typing goes on in: a prompt. `comes_back`: it stands for as long as nothing else is to be drawn.
    pub fn prompt(&mut self, prompt: &str, comes_back: bool) {
        self.fresh();
        self.raw(prompt);
        self.dirty = true;
        self.comes_back = comes_back;
        self.prompt = Some(prompt.to_owned());
    }

    /// Whether the last line is a prompt that typing goes on in.
    pub fn holds_prompt(&self) -> bool {
        self.prompt.is_some()
    }

    /// Whether the last line is an open one under this mark.
    pub fn is_open(&self, mark: &str) -> bool {
        self.open.as_deref() == Some(mark)
    }

    /// The line behind the prompt, after a stroke.
    pub fn edited(&mut self, edit: &Edit, editor: &LineEditor) {
        match (edit, self.screen.moves) {
            (Edit::Nothing | Edit::Line(_) | Edit::End, _) => {}
            (Edit::Appended(character @ ' '..='~'), true) if self.fits(editor.line()) => {
                self.echo(character.encode_utf8(&mut [0; 4]));
            }
            (_, true) => self.redraw(editor),
            (Edit::Appended(_), false) => {
                let all = drawn(editor.line(), self.screen);
                let last = editor.line().char_indices().last().map_or(0, |(at, _)| drawn(&editor.line()[..at], self.screen).len());
                self.echo(&all[last..]);
            }
            (Edit::Taken(text), false) => self.echo(&BACKSPACE.repeat(drawn(text, self.screen).chars().count())),
            (Edit::Changed, false) => self.redraw(editor),
        }
    }

    /// A line that was typed at an earlier prompt, behind this one.
    pub fn continued(&mut self, editor: &LineEditor) {
        if self.screen.moves {
            self.redraw(editor);
        } else {
            self.echo(&drawn(editor.line(), self.screen));
        }
    }

    /// The prompt and the line behind it once more: in its place, or where the cursor cannot go back in a new one.
    pub fn redraw(&mut self, editor: &LineEditor) {
        let Some(prompt) = self.prompt.clone().filter(|_| self.drawn.len() < MOST_UNWRITTEN_AT_ALL) else { return };
        if !self.screen.moves {
            if self.dirty {
                self.raw("\n");
            }
            self.dirty = true;
            return self.raw(&format!("{prompt}{}", drawn(editor.line(), self.screen)));
        }
        let room = self.screen.columns.saturating_sub(1 + prompt.len());
        let seen = window(editor.line(), editor.before(), room, self.screen);
        let row = format!("\r{NEVER_WRAPS}{prompt}{}\x1b7{}\x1b[K\x1b8{WRAPS}", seen.before, seen.after);
        self.raw(&row);
    }

    /// The line was entered: it stays on the screen whole.
    pub fn entered(&mut self, line: &str) {
        self.comes_back = false;
        let prompt = self.prompt.clone().unwrap_or_default();
        if self.screen.moves && (!self.fits(line) || line.contains('\n')) {
            self.raw("\r\x1b[K");
            self.begin(&prompt);
            self.flow(&drawn(line, self.screen));
            self.draw_word();
        }
        self.fresh();
    }

    /// Echoes what is not text, such as Ctrl-C; it is safe already. The line stays.
    pub fn echo_last(&mut self, text: &str) {
        self.echo(text);
        self.comes_back = false;
    }

    /// Orders to the terminal that draw nothing.
    pub fn order(&mut self, orders: &str) {
        self.raw(orders);
    }

    /// The screen is empty, the cursor in its corner.
    pub fn cleared(&mut self, orders: &str) {
        self.raw(orders);
        self.dirty = false;
        self.prompt = None;
        self.open = None;
    }

    /// Ends the line that stands open, if one does.
    pub fn fresh(&mut self) {
        self.erase_note();
        if self.open.is_some() {
            self.end();
        } else if std::mem::take(&mut self.dirty) {
            self.raw(if self.comes_back && self.screen.moves { "\r\x1b[K" } else { "\n" });
        }
        self.prompt = None;
        self.comes_back = false;
        self.filter = Filter::default();
    }

    fn echo(&mut self, text: &str) {
        if self.drawn.len() < MOST_UNWRITTEN_AT_ALL {
            self.raw(text);
        }
    }

    fn fits(&self, line: &str) -> bool {
        let prompt = self.prompt.as_deref().map_or(0, str::len);
        prompt + width(&drawn(line, self.screen), self.screen) < self.screen.columns
    }

    fn begin(&mut self, mark: &str) {
        if self.screen.moves {
            self.raw(NEVER_WRAPS);
        }
        self.raw(mark);
        self.used = mark.len();
        self.open = Some(mark.to_owned());
        self.dirty = true;
    }

    fn end(&mut self) {
        self.draw_word();
        if self.screen.moves {
            self.raw(WRAPS);
        }
        self.raw("\n");
        self.open = None;
        self.dirty = false;
    }

    /// Columns of a row that text may fill; a blank behind its last word may stand in one more.
    fn room(&self) -> usize {
        self.screen.columns - 2
    }

    fn columns(&self, character: char) -> usize {
        match character {
            '\t' => TAB_COLUMNS - self.used % TAB_COLUMNS,
            _ if self.widest => widest(character),
            _ => self.screen.width(character),
        }
    }

    fn flow(&mut self, text: &str) {
        for character in self.screen.fitting(text, self.widest).chars() {
            self.word.push(character);
            // A word is at most as long as a row.
            if matches!(character, ' ' | '\t') || is_wide(character) || self.word.len() > self.screen.columns {
                self.draw_word();
            }
        }
    }

    /// The word is whole.
    fn draw_word(&mut self) {
        self.show_word();
        self.word.clear();
        self.shown = 0;
    }

    /// Draws what there is of the word, which may go on. It is taken into the next row where it turns out too long for this
    /// one; what stands there already only where we know how wide it is, and the cursor goes back.
    fn show_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        let (seen, rest) = word.split_at(std::mem::take(&mut self.shown));
        let drawn: usize = seen.chars().map(|character| self.columns(character)).sum();
        let wanted: usize = drawn + rest.trim_end_matches(' ').chars().map(|character| self.columns(character)).sum::<usize>();
        let before = self.used - drawn;
        let breaks = before + wanted > self.room() && before > GOES_ON.len() && (1..=self.room() / 2).contains(&wanted);
        let rest = match (breaks, seen.is_empty()) {
            (true, false) if self.screen.moves && seen.is_ascii() => {
                self.raw(&format!("\x1b[{drawn}D\x1b[K"));
                self.go_on();
                word.as_str()
            }
            (true, true) => {
                self.go_on();
                rest
            }
            (true | false, _) => rest,
        };
        let mut row = 0;
        for (at, character) in rest.char_indices() {
            let hangs = usize::from(character == ' ');
            if self.used + self.columns(character) > self.room() + hangs {
                self.go_on();
                row = word.len() - rest.len() + at;
            }
            self.used += self.columns(character);
            self.raw(character.encode_utf8(&mut [0; 4]));
        }
        // Text in the rows above stays there.
        self.word = word[row..].to_owned();
        self.shown = self.word.len();
    }

    fn go_on(&mut self) {
        self.raw("\n");
        self.raw(GOES_ON);
        self.used = GOES_ON.len();
    }

    fn erase_note(&mut self) {
        if let note @ 1.. = std::mem::take(&mut self.note) {
            self.raw(&format!("\x1b[{note}D\x1b[K"));
        }
    }

    fn raw(&mut self, text: &str) {
        self.drawn.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests;
