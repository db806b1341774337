//! Splits a question into pages, each of which fits the window. No byte is omitted: text longer than a page continues on the next one,
//! and no answer before the last page allows the call.

use super::asked::Asked;
use super::page::{Page, Row, draw};
use crate::console::passphrase::namespace;
use crate::console::pen::Pen;
use crate::console::request::Question;
use crate::console::screen::{Screen, widest};
use crate::filter::judged_line;

/// Columns of a page of arguments, without the mark, on the smallest screen in use; `PAGE_LINES` are its rows, without the prompt.
const COLUMNS: usize = 76;
const PAGE_LINES: usize = 16;
/// Rows of a window that a page of arguments leaves free; in a small window, the page still gets half of the rows.
const OTHER_ROWS: usize = 9;
/// The row of the prompt, and one for the answer.
pub const PROMPT_ROWS: usize = 2;
/// Columns behind a prompt for typed text: letters, and the cursor.
const TYPED_COLUMNS: usize = 6;

/// Returns the number of rows that the text takes in this window.
pub fn height(row: &Row, mark: &str, screen: Screen) -> usize {
    let mut pen = Pen::on(screen);
    draw(&mut pen, mark, row);
    pen.drawn().iter().filter(|&&byte| byte == b'\n').count()
}

struct Layout<'a> {
    mark: &'a str,
    screen: Screen,
    /// Rows of a page above its prompt.
    room: usize,
    pages: Vec<Vec<Row>>,
    /// Used rows of the last page.
    used: usize,
}

impl Layout<'_> {
    fn height(&self, row: &Row) -> usize {
        height(row, self.mark, self.screen)
    }

    fn turn(&mut self) {
        if self.used > 0 {
            self.pages.push(Vec::new());
            self.used = 0;
        }
    }

    fn add(&mut self, row: Row) {
        let height = self.height(&row);
        match row {
            Row::Judged(text) if height > self.room => {
                for piece in pieces(&text, self.columns()) {
                    self.add(Row::Judged(piece));
                }
            }
            row => {
                if self.used + height > self.room {
                    self.turn();
                }
                self.used += height;
                if let Some(page) = self.pages.last_mut() {
                    page.push(row);
                }
            }
        }
    }

    /// Adds rows to the pages: all on one page, if they fit on one.
    fn add_together(&mut self, rows: Vec<Row>) {
        let height: usize = rows.iter().map(|row| self.height(row)).sum();
        if self.used + height > self.room && height <= self.room {
            self.turn();
        }
        rows.into_iter().for_each(|row| self.add(row));
    }

    /// Returns the maximum columns of a text that is drawn in one row behind the mark.
    fn columns(&self) -> usize {
        COLUMNS.min(self.screen.columns.saturating_sub(2 + self.mark.len())).max(1)
    }
}

/// Returns the pages of a question as they are drawn on this screen; at least one.
pub fn pages(asked: &Asked, mark: &str, screen: Screen) -> Vec<Page> {
    if screen.is_small {
        let words = format!("* this window is too small to ask in, it takes {}; q refuses", Screen::smallest());
        return vec![Page { rows: vec![Row::Verbatim(words)], prompt: "q refuses> ".into() }];
    }
    let Asked { question, letters, others, unseen, note, .. } = asked;
    // The number of rows is unknown if the terminal does not report it.
    let room = if screen.moves { screen.rows - PROMPT_ROWS - leafing_rows(screen) } else { usize::MAX };
    let mut layout = Layout { mark, screen, room, pages: vec![Vec::new()], used: 0 };
    if let Some(note) = note {
        layout.add(Row::Told((*note).to_owned()));
    }
    add_arguments(&mut layout, question);
    let arguments = layout.pages.len();
    // The arguments above can fill a screen with a fake question, so the last line belongs to the console.
    let mut tail = vec![Row::Judged(format!("{} — {}", judged_line(&question.sentence), judged_line(&question.rule)))];
    if arguments > 1 {
        tail.push(Row::Judged("b shows the page before".into()));
    }
    let (words, prompt) = if let Some(unseen) = unseen {
        tail.extend(unseen.words().iter().map(|line| Row::Told((*line).to_owned())));
        (None, unseen.prompt().to_owned())
    } else if !question.challenge.is_empty() {
        tail.push(Row::Judged(format!("sign this line: {}", question.challenge)));
        tail.extend(signing_lines(&question.challenge, namespace(question.is_login), screen.columns).into_iter().map(Row::Verbatim));
        (None, "paste the signature> ".to_owned())
    } else {
        tail.extend(question.remembers.iter().map(|remembers| Row::Judged(judged_line(remembers))));
        prompted(screen, &choices(letters, question.remembers.is_some().then_some(others)), "allow?")
    };
    tail.extend(words);
    layout.add_together(tail);
    let count = layout.pages.len();
    let mut pages: Vec<Page> = Vec::new();
    for (index, mut rows) in layout.pages.into_iter().enumerate() {
        let back = if index > 0 { "b the one before, " } else { "" };
        let (words, prompt) = match index + 1 == count {
            true => (None, prompt.clone()),
            false => leafing(screen, &format!("page {} of {count}", index + 1), back),
        };
        rows.extend(words);
        pages.push(Page { rows, prompt });
    }
    pages
}

/// Returns what a person can type at a question for consent. `others` are the letters that allow the call for the whole conversation.
pub fn choices(letters: &str, others: Option<&String>) -> String {
    match others {
        None => format!("type {letters} to allow, no to refuse"),
        Some(others) => format!("type {letters} for once, {others} for all of that, no to refuse"),
    }
}

fn add_arguments(layout: &mut Layout<'_>, question: &Question) {
    let call = layout.screen.fitting(&judged_line(&format!("{} {}", question.tool, question.arguments)), true);
    let lines = if layout.screen.moves { PAGE_LINES.min((layout.screen.rows - OTHER_ROWS).max(layout.screen.rows / 2)) } else { PAGE_LINES };
    let columns = layout.columns();
    let whole = Row::Judged(call);
    let Row::Judged(call) = &whole else { return };
    let is_short = call.chars().map(self::columns).sum::<usize>() <= columns * lines;
    if is_short && layout.height(&whole) + layout.used <= layout.room {
        return layout.add(whole);
    }
    for chunk in pieces(call, columns).chunks(lines) {
        if layout.pages.last().is_some_and(|page| page.iter().any(|row| matches!(row, Row::Judged(_)))) {
            layout.turn();
        }
        chunk.iter().for_each(|line| layout.add(Row::Judged(line.clone())));
    }
}

/// Returns a prompt with these words; if the window is too narrow, the words are in a row above the prompt.
fn prompted(screen: Screen, words: &str, sign: &str) -> (Option<Row>, String) {
    let prompt = format!("{sign} {words}> ");
    if prompt.len() + TYPED_COLUMNS <= screen.columns {
        return (None, prompt);
    }
    (Some(Row::Told(format!("{sign} {words}"))), format!("{sign} > "))
}

/// Minimum columns of a window in which the prompt itself can name the keys.
const NARROW: usize = 72;

/// Returns the maximum number of rows that the list of keys takes above the prompt of a page.
fn leafing_rows(screen: Screen) -> usize {
    if screen.columns < NARROW { 2 } else { 0 }
}

fn leafing(screen: Screen, page: &str, back: &str) -> (Option<Row>, String) {
    let keys = format!("space shows the next, {back}q refuses");
    if screen.columns < NARROW {
        return (Some(Row::Told(keys)), format!("{page}> "));
    }
    (None, format!("{page}: {keys}> "))
}

/// Splits the text into pieces that fill at most that many columns.
fn pieces(text: &str, most: usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for character in text.chars() {
        used += columns(character);
        if used > most {
            lines.push(std::mem::take(&mut line));
            used = columns(character);
        }
        line.push(character);
    }
    lines.push(line);
    lines
}

/// Returns the maximum columns of a character on any terminal.
fn columns(character: char) -> usize {
    if character == '\t' { 8 } else { widest(character) }
}

/// Maximum columns of the challenge in one row of the signing command; `AROUND_SIGNED` are the columns of the text around it.
const SIGNED_COLUMNS: usize = 70;
const AROUND_SIGNED: usize = 8;

/// Returns the signing command, which a person can copy: a shell joins the quoted pieces again.
fn signing_lines(challenge: &str, namespace: &str, columns: usize) -> Vec<String> {
    let bytes = challenge.as_bytes(); // printable ASCII without quotes, as `read_question` ensures
    let size = SIGNED_COLUMNS.min(columns - AROUND_SIGNED);
    let pieces = bytes.chunks(size).map(|piece| format!("  '{}' \\", String::from_utf8_lossy(piece)));
    let first = "* printf %s \\".to_owned();
    let last = format!("  | ssh-keygen -Y sign -n {namespace} -f YOUR_KEY -");
    let last = if last.len() < columns {
        vec![last]
    } else {
        vec!["  | ssh-keygen -Y sign \\".to_owned(), format!("  -n {namespace} -f YOUR_KEY -")]
    };
    std::iter::once(first).chain(pieces).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_command_on_the_screen_signs_the_whole_line_and_nothing_else() {
        let sizes = [1, 69, 70, 71, 700].into_iter();
        for (size, namespace) in sizes.flat_map(|size| [(size, namespace(false)), (size, namespace(true))]) {
            for columns in [40, 44, 56, 80] {
                let challenge: String = ('!'..='~').filter(|character| *character != '\'').cycle().take(size).collect();
                let lines = signing_lines(&challenge, namespace, columns);
                assert!(lines.iter().all(|line| line.len() < columns));
                let script = lines.join("\n").replacen("* ", "", 1);
                let script = script.replace("ssh-keygen -Y sign \\\n", "ssh-keygen -Y sign");
                let script = script.replace("ssh-keygen -Y sign  -n", "ssh-keygen -Y sign -n");
                let script = script.replace(&format!("ssh-keygen -Y sign -n {namespace} -f YOUR_KEY -"), "cat");
                let said = Command::new("sh").args(["-c", &script]).output().expect("a shell");
                assert_eq!(String::from_utf8(said.stdout).unwrap(), challenge);
            }
        }
    }
}
