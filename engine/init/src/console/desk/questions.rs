//! Asking a person. Consent is given by letters that were not known before the question stood there; a step-up by a
//! signature over a line that is shown.

use super::callers::Caller;
use super::{Desk, Effect, Showing, Voice, request};
use crate::console::filter::judged_line;
use crate::console::request::Question;
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
    question: Question,
    letters: String,
    /// Set once the question stands on the screen whole, or its first page.
    pub deadline: Option<u64>,
    /// Lines of the signature so far.
    pasted: Vec<String>,
    /// The page of the arguments that is drawn.
    page: usize,
    /// It stands on the screen whole.
    is_shown: bool,
}

impl Asked {
    pub fn new(caller: Caller, question: Question, letters: String) -> Self {
        Self { caller, question, letters, deadline: None, pasted: Vec::new(), page: 0, is_shown: false }
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

    /// A line that was typed at the question.
    pub(super) fn judge(&mut self, line: &str) {
        self.showing = Showing::Question;
        let Some(asked) = self.asked.front_mut() else { return };
        let is_last = asked.page + 1 >= pages(&asked.question).len();
        if !is_last && line.trim().is_empty() {
            asked.page += 1;
            asked.is_shown = false;
            self.draw_page();
        } else if !is_last {
            self.answer_question(Answer::Denied, "", "refused");
        } else if !asked.question.challenge.is_empty() {
            self.paste(line.trim());
        } else if line.trim() == asked.letters {
            self.answer_question(Answer::Granted, "", "allowed");
        } else {
            self.answer_question(Answer::Denied, "", "refused");
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
            self.pen.prompt("> ");
        }
    }

    pub(super) fn answer_question(&mut self, answer: Answer, signature: &str, words: &str) {
        if let Some(asked) = self.asked.pop_front() {
            self.say(words);
            self.reply(asked.caller, &request::answer(answer, signature));
            self.showing = Showing::Nothing;
            self.editor.clear();
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
        let Some(Asked { caller, question, letters, page, .. }) = self.asked.front() else { return };
        let mark = Voice::Console.mark(self.other_session(*caller));
        let pages = pages(question);
        for line in pages.get(*page).into_iter().flatten() {
            self.pen.line(&mark, line);
        }
        if page + 1 < pages.len() {
            let prompt = format!("page {} of {}: return shows the next, anything else refuses> ", page + 1, pages.len());
            return self.pen.prompt(&prompt);
        }
        // Below the arguments, which can fill a screen with what looks like a question: the last line is the console's word.
        let Question { sentence, rule, challenge, .. } = question;
        self.pen.line(&mark, &format!("{} — {}", judged_line(sentence), judged_line(rule)));
        if challenge.is_empty() {
            return self.pen.prompt(&format!("allow? type {letters} to allow, anything else refuses> "));
        }
        self.pen.line(&mark, &format!("sign this line: {challenge}"));
        self.pen.line(&mark, &format!("printf %s '{challenge}' | ssh-keygen -Y sign -n stepup@capos -f YOUR_KEY -"));
        self.pen.prompt("paste the signature> ");
    }

    /// What was typed before the question, or a page of it, was seen must not answer it.
    fn forget_typed(&mut self) {
        self.ahead.clear();
        self.editor.clear();
        self.commanding = false;
        self.effects.push(Effect::DropTyped);
    }
}

/// Tool and arguments as they are drawn, none left out: one line if it fills no more than a page, else pages of lines.
fn pages(question: &Question) -> Vec<Vec<String>> {
    let call = judged_line(&format!("{} {}", question.tool, question.arguments));
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

/// At most: beyond ASCII a character may be two wide.
fn columns(character: char) -> usize {
    match character {
        '\t' => 8,
        _ if character.is_ascii() => 1,
        _ => 2,
    }
}
