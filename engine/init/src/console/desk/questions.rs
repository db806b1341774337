//! Asking a person. Consent is given by letters that were not known before the question stood there; a step-up by a
//! signature over a line that is shown. Every byte of the arguments is shown, in pages that can be leafed through.

use super::callers::Caller;
use super::unseen::Unseen;
use super::{Desk, Effect, Showing, Voice, request};
use crate::console::filter::judged_line;
use crate::console::keyboard::Stroke;
use crate::console::request::Question;
use crate::console::screen::{self, Screen, widest};
use crate::wire_capnp::Answer;

/// A signature of OpenSSH has some 300 bytes in six lines.
const MOST_SIGNATURE_BYTES: usize = 4096;
const MOST_SIGNATURE_LINES: usize = 80;
const LAST_SIGNATURE_LINE: &str = "-----END SSH SIGNATURE-----";

/// Columns of a line and lines of a page: the smallest screen that is in use, less the mark and the prompt.
const COLUMNS: usize = 76;
const PAGE_LINES: usize = 16;

pub struct Asked {
    pub caller: Caller,
    pub(super) question: Question,
    letters: String,
    /// Those that allow it for the conversation, where that is offered.
    others: String,
    /// Set once the question stands on the screen whole, or its first page.
    pub deadline: Option<u64>,
    /// Lines of the signature so far.
    pasted: Vec<String>,
    /// Tool and arguments, none left out.
    pages: Vec<Vec<String>>,
    /// The page that is drawn.
    page: usize,
    /// It stands on the screen whole.
    is_shown: bool,
    /// Passphrases that are typed in the place of a signature.
    pub(super) unseen: Option<Unseen>,
}

impl Asked {
    pub fn new(caller: Caller, question: Question, letters: String, others: String, screen: Screen) -> Self {
        let pages = pages(&question, screen);
        let unseen = question.passphrase.as_ref().map(Unseen::new);
        let pasted = Vec::new();
        Self { caller, question, letters, others, deadline: None, pasted, pages, page: 0, is_shown: false, unseen }
    }
}

impl Desk {
    /// All that was drawn has left. The time to answer runs from the first page: a person may never ask for the next.
    pub(super) fn question_shown(&mut self, now: u64) {
        let Some(asked) = self.asked.front_mut().filter(|_| self.showing == Showing::Question) else { return };
        asked.is_shown = true;
        if asked.question.timeout_ms > 0 {
            asked.deadline.get_or_insert(now + u64::from(asked.question.timeout_ms));
        }
    }

    /// What is typed before a question stands whole on the screen does not answer it.
    pub(super) fn is_unseen_question(&self) -> bool {
        self.showing == Showing::Question && self.asked.front().is_some_and(|asked| !asked.is_shown)
    }

    /// Whether a page of the arguments stands there, and more come.
    pub(super) fn is_paging(&self) -> bool {
        self.asked.front().is_some_and(|asked| asked.page + 1 < asked.pages.len())
    }

    /// A key between pages. What is none of its keys does nothing: it must not refuse by accident, and cannot allow.
    pub(super) fn page_key(&mut self, stroke: Stroke) {
        match stroke {
            Stroke::Text(' ') | Stroke::Enter => self.leaf(1),
            Stroke::Text('b') => self.leaf(-1),
            Stroke::Text('q') | Stroke::Close => self.answer_question(Answer::Denied, "", "refused"),
            _ => {}
        }
    }

    fn leaf(&mut self, by: isize) {
        let Some(asked) = self.asked.front_mut() else { return };
        let Some(page) = asked.page.checked_add_signed(by) else { return };
        asked.page = page;
        asked.is_shown = false;
        self.draw_page();
    }

    /// An empty screen with the page that stands there, for a terminal of another size, which is asked for: what went beyond the
    /// end of a row was not seen. A passphrase or a signature that is half given stays as it is.
    pub(super) fn refresh_question(&mut self) {
        if self.pen.screen().moves && self.redraw_question() {
            // Behind the page: what was typed before that is thrown away, and the answer would be.
            self.pen.order(screen::SIZE_PROBE);
        }
    }

    pub(super) fn redraw_question(&mut self) -> bool {
        if !self.asked.front().is_some_and(|asked| asked.unseen.is_none() && asked.pasted.is_empty()) {
            return false;
        }
        self.pen.cleared(screen::CLEAR);
        self.leaf(0);
        true
    }

    /// A line that was typed behind the last page.
    pub(super) fn judge(&mut self, line: &str) {
        self.showing = Showing::Question;
        let Some(asked) = self.asked.front_mut() else { return };
        let Asked { question, letters, others, page, .. } = asked;
        match line.trim() {
            "b" if *page > 0 => self.leaf(-1),
            line if !question.challenge.is_empty() => self.paste_all(&line.to_owned()),
            line if line == letters => self.answer_question(Answer::Granted, "", "allowed"),
            line if question.remembers.is_some() && line == others => {
                self.answer_question(Answer::GrantedForConversation, "", "allowed, and remembered");
            }
            _ => self.answer_question(Answer::Denied, "", "refused"),
        }
    }

    /// What is pasted behind the end of a signature is for no other question: that one was not seen.
    fn paste_all(&mut self, lines: &str) {
        for line in lines.split('\n') {
            if self.showing == Showing::Question {
                self.paste(line.trim());
            }
        }
    }

    fn paste(&mut self, line: &str) {
        let Some(asked) = self.asked.front_mut() else { return };
        asked.pasted.push(line.to_owned());
        let signature = asked.pasted.join("\n") + "\n";
        if line.is_empty() {
            self.answer_question(Answer::Denied, "", "refused: no signature");
        } else if signature.len() > MOST_SIGNATURE_BYTES || asked.pasted.len() > MOST_SIGNATURE_LINES {
            self.answer_question(Answer::Denied, "", "refused: that is longer than any signature");
        } else if line == LAST_SIGNATURE_LINE {
            self.answer_question(Answer::Granted, &signature, "signature taken");
        } else {
            self.pen.prompt("> ", false);
        }
    }

    pub(super) fn answer_question(&mut self, answer: Answer, signature: &str, words: &str) {
        if let Some(asked) = self.asked.pop_front() {
            self.say(words);
            self.reply(asked.caller, &request::answer(answer, signature));
            self.showing = Showing::Nothing;
            self.editor.forget();
        }
    }

    pub(super) fn draw_question(&mut self) {
        self.undraw_prompt();
        self.showing = Showing::Question;
        self.draw_page();
    }

    /// The next page of the arguments; behind the last one the question itself.
    fn draw_page(&mut self) {
        self.forget_typed();
        let Some(Asked { caller, question, letters, others, pages, page, unseen, .. }) = self.asked.front() else { return };
        let mark = Voice::Console.mark(self.other_session(*caller));
        let back = if *page > 0 { "b the one before, " } else { "" };
        for line in pages.get(*page).into_iter().flatten() {
            self.pen.judged(&mark, line);
        }
        if page + 1 < pages.len() {
            let prompt = format!("page {} of {}: space shows the next, {back}q refuses> ", page + 1, pages.len());
            return self.pen.prompt(&prompt, false);
        }
        // Below the arguments, which can fill a screen with what looks like a question: the last line is the console's word.
        let Question { sentence, rule, challenge, remembers, is_login, .. } = question;
        self.pen.judged(&mark, &format!("{} — {}", judged_line(sentence), judged_line(rule)));
        if *page > 0 {
            self.pen.judged(&mark, "b shows the page before");
        }
        if let Some(unseen) = unseen {
            for line in unseen.words() {
                self.pen.line(&mark, line);
            }
            return self.pen.prompt(unseen.prompt(), false);
        }
        if !challenge.is_empty() {
            self.pen.judged(&mark, &format!("sign this line: {challenge}"));
            for line in signing_lines(challenge, namespace(*is_login)) {
                self.pen.verbatim(&line);
            }
            return self.pen.prompt("paste the signature> ", false);
        }
        let Some(remembers) = remembers else {
            return self.pen.prompt(&format!("allow? type {letters} to allow, anything else refuses> "), false);
        };
        self.pen.judged(&mark, &judged_line(remembers));
        let prompt = format!("allow? type {letters} for once, {others} for all of that; anything else refuses> ");
        self.pen.prompt(&prompt, false);
    }

    /// What was typed before the question, or a page of it, was seen must not answer it.
    fn forget_typed(&mut self) {
        self.ahead.clear();
        self.keyboard.forget();
        self.editor.forget();
        self.commanding = false;
        self.effects.push(Effect::DropTyped);
    }
}

/// Tool and arguments as they are drawn, none left out: one line if it fills no more than a page, else pages of lines.
fn pages(question: &Question, screen: Screen) -> Vec<Vec<String>> {
    let call = screen.fitting(&judged_line(&format!("{} {}", question.tool, question.arguments)), true);
    if call.chars().map(columns).sum::<usize>() <= COLUMNS * PAGE_LINES {
        return vec![vec![call]];
    }
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for character in call.chars() {
        used += columns(character);
        if used > COLUMNS {
            lines.push(std::mem::take(&mut line));
            used = columns(character);
        }
        line.push(character);
    }
    lines.push(line);
    lines.chunks(PAGE_LINES).map(<[String]>::to_vec).collect()
}

/// At most, on any terminal.
fn columns(character: char) -> usize {
    if character == '\t' { 8 } else { widest(character) }
}

/// Of a challenge in one row of the command: what is around it takes the rest.
const SIGNED_COLUMNS: usize = 70;

/// What a signature is made for: one for the other is none.
pub(super) fn namespace(is_login: bool) -> &'static str {
    if is_login { "login@capos" } else { "stepup@capos" }
}

/// The command that signs, to be copied as it stands: a shell puts the quoted pieces together again.
fn signing_lines(challenge: &str, namespace: &str) -> Vec<String> {
    let bytes = challenge.as_bytes(); // printable ASCII without quotes, as `read_question` has seen to
    let pieces = bytes.chunks(SIGNED_COLUMNS).map(|piece| format!("  '{}' \\", String::from_utf8_lossy(piece)));
    let first = "* printf %s \\".to_owned();
    let last = format!("  | ssh-keygen -Y sign -n {namespace} -f YOUR_KEY -");
    std::iter::once(first).chain(pieces).chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_command_on_the_screen_signs_the_whole_line_and_nothing_else() {
        let sizes = [1, 69, 70, 71, 700].into_iter();
        for (size, namespace) in sizes.flat_map(|size| [(size, namespace(false)), (size, namespace(true))]) {
            let challenge: String = ('!'..='~').filter(|character| *character != '\'').cycle().take(size).collect();
            let lines = signing_lines(&challenge, namespace);
            assert!(lines.iter().all(|line| line.len() < 80));
            let script = lines.join("\n").replacen("* ", "", 1).replace(&format!("ssh-keygen -Y sign -n {namespace} -f YOUR_KEY -"), "cat");
            let said = Command::new("sh").args(["-c", &script]).output().expect("a shell");
            assert_eq!(String::from_utf8(said.stdout).unwrap(), challenge);
        }
    }
}
