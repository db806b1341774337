//! Draws lines with their speaker: every text begins with the speaker's mark, and a continued row begins with two blanks. So no text of any
//! length can look like the prompt or like another speaker.

use super::line::{Edit, LineEditor};
use super::markdown::{Markdown, PLAIN, Style, sequence};
use super::record::{Piece, Record};
use super::screen::{NEVER_WRAPS, Screen, WRAPS, is_wide, widest};
use super::window::{drawn, width, window};
use crate::filter::{Filter, filtered_line};

/// Speaker of a text, which people recognize by the mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// The console itself, or a gate whose text the console draws.
    Console,
    Model,
    /// Messages of the loop itself. The loop parses output of models, so its mark must differ from those of the console and the gate.
    Loop,
    /// A call, as the gate reports it.
    Tool,
}

impl Voice {
    /// Returns the speaker's mark. `from` names the session of the text, unless it is the current one.
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

/// Colours of marks and prompts, by speaker. Only marks and prompts have colours, and no process can draw marks or prompts.
pub(super) const COLOUR_OF_CONSOLE: &str = "36";
const COLOUR_OF_QUESTION: &str = "1;33";
const COLOUR_OF_PROMPT: &str = "1";

/// Returns the colour of a mark or a prompt.
fn colour(mark: &str) -> &'static str {
    let speaker = mark.split([' ', '>']).next().unwrap_or_default();
    match speaker {
        "agent" => "32",
        "loop" => "35",
        "[tool]" => "34",
        "you" | "command" | "search" => COLOUR_OF_PROMPT,
        "*" | "capos:" => COLOUR_OF_CONSOLE,
        _ => COLOUR_OF_QUESTION,
    }
}

/// Beginning of a row that continues a line; no mark begins with these characters.
pub(super) const GOES_ON: &str = "  ";
/// Columns between the default tab stops of a terminal.
const TAB_COLUMNS: usize = 8;
/// Beginning of the mark of a model, whose text may be markdown.
const MODEL: &str = "agent";
const BACKSPACE: &str = "\u{8} \u{8}";

#[derive(Default)]
pub struct Pen {
    pub(super) screen: Screen,
    pub(super) drawn: Vec<u8>,
    /// Mark of the open line; text with the same mark continues it.
    pub(super) open: Option<String>,
    /// Whether the cursor's row contains the prompt or an open line.
    dirty: bool,
    /// The prompt behind which typing continues.
    prompt: Option<String>,
    /// Whether the prompt stays only until the next output, which reuses the prompt's row if the cursor can go back.
    pub(super) comes_back: bool,
    /// Filter that escapes unsafe characters of the open line.
    filter: Filter,
    /// Used columns of the row.
    used: usize,
    /// A word that may continue; it is drawn in one row, unless it is longer than a row.
    word: String,
    /// Number of bytes of the word that are drawn.
    shown: usize,
    /// Style of each byte of the word.
    styles: Vec<Style>,
    /// Style that the terminal has now.
    style: Style,
    /// State of a model's text; `None` for other text, which has no attributes.
    pub(super) markdown: Option<Markdown>,
    /// Mark of the model's text; empty after any other output.
    pub(super) speaker: String,
    /// Whether a line of the model's text has been drawn. On a terminal whose cursor can go back, further lines of a model have no mark of their own.
    pub(super) has_spoken: bool,
    /// Rows of the model's text that may be a table, and are not drawn yet.
    pub(super) table: String,
    /// The last output, which is drawn again if the size of the window changes.
    pub(super) record: Record,
    /// Words of the row below a prompt; empty for none.
    pub(super) status: String,
    /// Whether the row below the prompt is drawn.
    pub(super) has_status: bool,
    /// Number of columns that temporary words fill, such as ` (running)` behind the text of a call.
    note: usize,
    /// Whether temporary words, such as the state of the work, are in the row below the open line, because they do not fit behind it.
    is_note_below: bool,
    /// Whether a judged line is drawn. Every byte of it must be visible, so widths are those of the widest terminal, and no character is drawn as a similar one.
    widest: bool,
}

/// Maximum unwritten bytes before more text is drawn: a slow serial line writes them in half a second.
const MOST_UNWRITTEN: usize = 4096;
/// Unwritten bytes beyond which typing is not echoed. A question's page, the largest single output, is smaller.
const MOST_UNWRITTEN_AT_ALL: usize = 64 * 1024;

impl Pen {
    pub fn on(screen: Screen) -> Self {
        Self { screen, ..Self::default() }
    }

    /// Returns the bytes to write to the terminal.
    pub fn drawn(&self) -> &[u8] {
        &self.drawn
    }

    /// Removes that many written bytes.
    pub fn wrote(&mut self, size: usize) {
        self.drawn.drain(..size);
    }

    /// Returns whether few enough bytes wait for the terminal, so that more may be drawn.
    pub fn has_room(&self) -> bool {
        self.drawn.len() < MOST_UNWRITTEN
    }

    pub fn screen(&self) -> Screen {
        self.screen
    }

    pub fn set_screen(&mut self, screen: Screen) {
        self.screen = screen;
    }

    /// Draws text that may come in pieces. A piece without a line end leaves the line open.
    pub fn text(&mut self, mark: &str, text: &str) {
        let continues_table = self.speaker == mark && !self.table.is_empty();
        if !self.is_open(mark) && !continues_table {
            self.fresh();
        }
        if !continues_table {
            self.erase_note();
        }
        if self.speaker != mark {
            self.end_speech();
            self.speaker = mark.to_owned();
            self.markdown = (self.screen.paints && mark.starts_with(MODEL)).then(Markdown::default);
        }
        for piece in self.filter.pass(text).split_inclusive('\n') {
            if self.is_held_back(piece) {
                self.hold_back(piece);
            } else {
                self.draw_table();
                self.draw_piece(piece);
            }
        }
        if self.open.is_some() {
            self.show_word();
        }
    }

    /// Draws a line of the present speaker, or a part of one.
    pub(super) fn draw_piece(&mut self, piece: &str) {
        if self.open.is_none() {
            self.record.add(Piece::Text {
                mark: self.speaker.clone(),
                text: String::new(),
                markdown: self.markdown.clone(),
                continues: self.has_spoken,
            });
            self.begin_text();
        }
        self.record.extend(piece);
        self.flow(piece.trim_end_matches('\n'));
        if piece.ends_with('\n') {
            self.end();
        }
    }

    /// Begins a line of the present speaker.
    pub(super) fn begin_text(&mut self) {
        let mark = self.speaker.clone();
        let has_spoken = std::mem::replace(&mut self.has_spoken, true);
        if !(has_spoken && self.screen.moves && mark.starts_with(MODEL)) {
            return self.begin(&mark);
        }
        self.raw(NEVER_WRAPS);
        self.raw(GOES_ON);
        self.used = GOES_ON.len();
        self.open = Some(mark);
        self.dirty = true;
    }

    /// Draws one whole line.
    pub fn line(&mut self, mark: &str, text: &str) {
        self.fresh();
        self.end_speech();
        let text = filtered_line(text);
        let (mark_kept, text_kept) = (mark.to_owned(), text.clone());
        self.record.add(match self.widest {
            true => Piece::Judged { mark: mark_kept, text: text_kept },
            false => Piece::Line { mark: mark_kept, text: text_kept },
        });
        self.begin(mark);
        self.flow(&text);
        self.end();
    }

    /// Draws a line that a person judges, after the filter for such lines. The line is split into rows that fit on any terminal.
    pub fn judged(&mut self, mark: &str, line: &str) {
        self.widest = true;
        self.line(mark, line);
        self.widest = false;
    }

    /// Draws a row unchanged, which must fit and contain only printable ASCII.
    pub fn verbatim(&mut self, row: &str) {
        self.fresh();
        self.end_speech();
        self.record.add(Piece::Verbatim(row.to_owned()));
        self.raw(row);
        self.raw("\n");
    }

    /// Draws temporary words at the end of the open line, if they can be removed again.
    pub fn note(&mut self, words: &str) {
        self.draw_word();
        self.set_style(PLAIN);
        if self.screen.moves && self.open.is_some() && self.used + words.len() < self.room() {
            self.raw(words);
            self.note = words.len();
        }
    }

    /// Draws the state of the work in place of the previous state, until the next output erases it. It is behind the
    /// open line, or in a row of its own. On a terminal whose cursor cannot go back, nothing is drawn.
    pub fn state(&mut self, words: &str) {
        if !self.screen.moves || self.drawn.len() > MOST_UNWRITTEN {
        } else if self.open.is_some() {
            self.erase_note();
            let note = format!(" ({words})");
            self.note(&note);
            if self.note == 0 {
                self.raw(&format!("\n{GOES_ON}{}", self.cut(words)));
                self.is_note_below = true;
            }
        } else {
            self.end_row();
            let status = if self.status.is_empty() { String::new() } else { format!(" | {}", self.status) };
            let row = self.cut(&format!("{words}{status}"));
            self.paint("* ", COLOUR_OF_CONSOLE);
            self.raw(&row);
            self.dirty = true;
            self.comes_back = true;
        }
    }

    /// Returns as much of the beginning of a text as fits in a row after two columns.
    pub(super) fn cut(&self, text: &str) -> String {
        let mut left = self.screen.columns.saturating_sub(4);
        let fits = |character: &char| {
            let columns = self.screen.width(*character);
            left = left.saturating_sub(columns);
            left > 0
        };
        text.chars().take_while(fits).collect()
    }

    /// Starts a line in which typing continues: a prompt. With `comes_back`, the prompt stays only until the next output.
    pub fn prompt(&mut self, prompt: &str, comes_back: bool) {
        self.fresh();
        self.end_speech();
        if comes_back {
            self.draw_status();
        }
        self.paint(prompt, colour(prompt));
        self.dirty = true;
        self.comes_back = comes_back;
        self.prompt = Some(prompt.to_owned());
    }

    /// Returns whether the last line is a prompt in which typing continues.
    pub fn holds_prompt(&self) -> bool {
        self.prompt.is_some()
    }

    /// Returns whether the last line is an open one with this mark.
    pub fn is_open(&self, mark: &str) -> bool {
        self.open.as_deref() == Some(mark)
    }

    /// Returns whether the last line is open.
    pub fn is_any_open(&self) -> bool {
        self.open.is_some()
    }

    /// Draws the line behind the prompt, after a key.
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

    /// Draws, behind this prompt, a line that was typed at an earlier prompt.
    pub fn continued(&mut self, editor: &LineEditor) {
        if self.screen.moves {
            self.redraw(editor);
        } else {
            self.echo(&drawn(editor.line(), self.screen));
        }
    }

    /// Draws the prompt and its line again: in the same row, or in a new one if the cursor cannot go back.
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
        self.raw(&format!("\r{NEVER_WRAPS}"));
        self.paint(&prompt, colour(&prompt));
        self.raw(&format!("{}\x1b7{}\x1b[K\x1b8{WRAPS}", seen.before, seen.after));
    }

    /// Draws the whole entered line, which stays on the screen. Each row of the line begins a new row of the screen.
    pub fn entered(&mut self, line: &str) {
        self.comes_back = false;
        let prompt = self.prompt.clone().unwrap_or_default();
        self.record.add(Piece::Entered { prompt: prompt.clone(), line: line.to_owned() });
        if self.screen.moves && (!self.fits(line) || line.contains('\n')) {
            let has_status = std::mem::take(&mut self.has_status);
            self.raw(if has_status { "\r\x1b[J" } else { "\r\x1b[K" });
            self.flow_entered(&prompt, line);
        }
        self.fresh();
    }

    pub(super) fn flow_entered(&mut self, prompt: &str, line: &str) {
        self.begin(prompt);
        for (index, row) in line.split('\n').enumerate() {
            if index > 0 {
                self.draw_word();
                self.go_on();
            }
            self.flow(&drawn(row, self.screen));
        }
        self.draw_word();
    }

    /// Draws the sign of a key that is not text, such as `^C`, behind the typed line. The line stays on the screen.
    pub fn echo_last(&mut self, line: &str, text: &str) {
        if let Some(prompt) = &self.prompt {
            self.record.add(Piece::Entered { prompt: prompt.clone(), line: format!("{line}{text}") });
        }
        self.echo(text);
        self.comes_back = false;
    }

    /// Sends commands to the terminal that draw nothing.
    pub fn order(&mut self, orders: &str) {
        self.raw(orders);
    }

    /// Notes that the screen is empty, with the cursor in its corner. The record of earlier output is deleted, and rows that are held back are dropped.
    pub fn cleared(&mut self, orders: &str) {
        self.table.clear();
        self.record.clear();
        self.empty(orders);
    }

    pub(super) fn empty(&mut self, orders: &str) {
        self.erase_note();
        self.word.clear();
        self.styles.clear();
        self.shown = 0;
        self.set_style(PLAIN);
        self.raw(orders);
        self.dirty = false;
        self.prompt = None;
        self.open = None;
        self.has_status = false;
    }

    /// Ends the open line, if there is one.
    pub fn fresh(&mut self) {
        self.draw_table();
        self.end_row();
        self.filter = Filter::default();
    }

    /// Ends the row of the cursor, but not a table that is held back.
    pub(super) fn end_row(&mut self) {
        self.erase_note();
        let has_status = std::mem::take(&mut self.has_status);
        if self.open.is_some() {
            self.end();
        } else if std::mem::take(&mut self.dirty) {
            self.raw(match (self.comes_back && self.screen.moves, has_status) {
                (true, true) => "\r\x1b[J",
                (true, false) => "\r\x1b[K",
                (false, true) => "\n\x1b[J",
                (false, false) => "\n",
            });
        }
        self.prompt = None;
        self.comes_back = false;
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
        self.paint(mark, if self.widest { COLOUR_OF_QUESTION } else { colour(mark) });
        self.used = mark.len();
        self.open = Some(mark.to_owned());
        self.dirty = true;
    }

    pub(super) fn end(&mut self) {
        self.draw_word();
        self.set_style(PLAIN);
        self.markdown.iter_mut().for_each(Markdown::end_line);
        if self.screen.moves {
            self.raw(WRAPS);
        }
        self.raw("\n");
        self.open = None;
        self.dirty = false;
    }

    /// Returns the number of columns of a row that text may fill; a blank after the last word may take one more.
    pub(super) fn room(&self) -> usize {
        self.screen.columns - 2
    }

    fn columns(&self, character: char) -> usize {
        match character {
            '\t' => TAB_COLUMNS - self.used % TAB_COLUMNS,
            _ if self.widest => widest(character),
            _ => self.screen.width(character),
        }
    }

    pub(super) fn flow(&mut self, text: &str) {
        for character in self.screen.fitting(text, self.widest).chars() {
            let style = self.markdown.as_mut().map_or(PLAIN, |markdown| markdown.style(character));
            self.styles.extend(std::iter::repeat_n(style, character.len_utf8()));
            self.word.push(character);
            // A word that is longer than a row is drawn in parts.
            if matches!(character, ' ' | '\t') || is_wide(character) || self.word.len() > self.screen.columns {
                self.draw_word();
            }
        }
    }

    /// Draws the rest of the word, and ends the word.
    fn draw_word(&mut self) {
        self.show_word();
        self.word.clear();
        self.styles.clear();
        self.shown = 0;
    }

    /// Draws the present part of a word that may continue. A word that becomes too long for this row moves to the next row.
    /// A drawn part moves only if its width is known and the cursor can go back.
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
            self.set_style(self.styles.get(word.len() - rest.len() + at).copied().unwrap_or(PLAIN));
            self.raw(character.encode_utf8(&mut [0; 4]));
        }
        // Only the part of the word in the last row is kept, because the rows above are finished.
        self.word = word[row..].to_owned();
        self.styles.drain(..row);
        self.shown = self.word.len();
    }

    fn go_on(&mut self) {
        self.set_style(PLAIN);
        self.raw("\n");
        self.raw(GOES_ON);
        self.used = GOES_ON.len();
    }

    fn erase_note(&mut self) {
        if std::mem::take(&mut self.is_note_below) {
            self.raw(&format!("\r\x1b[K\x1b[A\x1b[{}C", self.used.max(1)));
        }
        if let note @ 1.. = std::mem::take(&mut self.note) {
            self.raw(&format!("\x1b[{note}D\x1b[K"));
        }
    }

    /// Draws a mark or a prompt in its colour.
    pub(super) fn paint(&mut self, text: &str, colour: &str) {
        if self.screen.paints {
            self.raw(&format!("\x1b[{colour}m{text}{}", sequence(PLAIN)));
        } else {
            self.raw(text);
        }
    }

    /// Ends the text of a speaker; later output is a new text.
    fn end_speech(&mut self) {
        self.markdown = None;
        self.speaker.clear();
        self.has_spoken = false;
    }

    fn set_style(&mut self, style: Style) {
        if std::mem::replace(&mut self.style, style) != style {
            self.raw(&sequence(style));
        }
    }

    pub(super) fn raw(&mut self, text: &str) {
        self.drawn.extend_from_slice(text.as_bytes());
    }
}

#[cfg(test)]
mod tests;
