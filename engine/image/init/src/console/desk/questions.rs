//! Asks a person. Consent needs letters that were unknown before the question was shown; a step-up needs a signature over a displayed
//! line. Every byte of the arguments is shown, in pages that the person can turn.

use super::asked::{Allowed, Asked};
use super::page::draw;
use super::paging::{PROMPT_ROWS, choices, height, pages};
use super::state::{Desk, Effect, Showing};
use crate::console::keyboard::Stroke;
use crate::console::pen::Voice;
use crate::console::request;
use crate::console::screen;
use crate::wire_capnp::Answer;

/// Maximum bytes of a typed signature; one of OpenSSH has about 300 bytes in six lines.
const MOST_SIGNATURE_BYTES: usize = 4096;
const MOST_SIGNATURE_LINES: usize = 80;
const LAST_SIGNATURE_LINE: &str = "-----END SSH SIGNATURE-----";

/// Answers that refuse at once.
const REFUSALS: [&str; 2] = ["no", "n"];

/// Printed at the first question on a terminal of unknown size.
const UNKNOWN_SIZE: &str =
    "this terminal does not say how large it is: lines are cut for 80 columns; make sure that none is cut at your window's edge";

impl Desk {
    /// Called when a page is wholly visible. The time to answer starts at the first page, because a person may stay on that page forever.
    pub(super) fn question_shown(&mut self, now: u64) {
        let Some(asked) = self.asked.front_mut().filter(|_| self.showing == Showing::Question) else { return };
        asked.is_shown = true;
        asked.is_begun = true;
        if asked.question.timeout_ms > 0 {
            asked.deadline.get_or_insert(now + u64::from(asked.question.timeout_ms));
        }
    }

    /// Handles the terminal's report, after all output, that its window is unchanged: the earlier approval becomes valid.
    pub(super) fn question_confirmed(&mut self) {
        match self.asked.front_mut().and_then(|asked| asked.granted.take()) {
            Some(Allowed { answer, signature, words }) => self.answer_question(answer, &signature, words),
            None => self.question_shown(self.now),
        }
    }

    /// Draws the question again from its first page, for a window of another size.
    pub(super) fn restart_question(&mut self, note: &'static str) {
        let Some(asked) = self.asked.front_mut().filter(|_| self.showing == Showing::Question) else { return };
        asked.restart(Some(note));
        if let Some(number) = asked.recorded {
            self.pen.forget_from(number);
        }
        self.probes.is_stale = self.pen.screen().moves;
        if !self.pen.screen().moves {
            self.pen.fresh();
        }
        self.draw_question();
    }

    /// Approves after the window is confirmed to have the size for which the question was drawn.
    pub(super) fn grant(&mut self, answer: Answer, signature: &str, words: &'static str) {
        if !self.pen.screen().moves {
            return self.answer_question(answer, signature, words);
        }
        if let Some(asked) = self.asked.front_mut() {
            asked.is_shown = false;
            asked.granted = Some(Allowed { answer, signature: signature.to_owned(), words });
            self.ask_size();
        }
    }

    /// Returns whether a question is open that is not yet whole on the screen; keys typed until then do not answer it.
    pub(super) fn is_unseen_question(&self) -> bool {
        self.showing == Showing::Question && self.asked.front().is_some_and(|asked| !asked.is_shown)
    }

    /// Returns whether the shown page accepts no answer: more pages follow, or the window is too small.
    pub(super) fn is_paging(&self) -> bool {
        self.pen.screen().is_small || self.asked.front().is_some_and(|asked| asked.page + 1 < asked.pages.len())
    }

    /// Handles a key on a page before the last. Only `q` and Ctrl-D refuse, so that no one refuses by accident. No key allows the call.
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
        let Some(page) = asked.page.checked_add_signed(by).filter(|page| *page < asked.pages.len()) else { return };
        asked.page = page;
        asked.is_shown = false;
        self.draw_page();
    }

    /// Clears the screen and draws the present page. A partly typed passphrase or signature is kept.
    pub(super) fn refresh_question(&mut self) {
        let is_begun = |asked: &Asked| asked.unseen.is_some() || !asked.pasted.is_empty();
        if self.pen.screen().moves && !self.asked.front().is_some_and(is_begun) {
            self.pen.cleared(screen::CLEAR);
            self.leaf(0);
        }
    }

    /// Handles a line that was typed behind the last page.
    pub(super) fn judge(&mut self, line: &str) {
        self.showing = Showing::Question;
        let Some(asked) = self.asked.front_mut() else { return };
        let Asked { question, letters, others, page, .. } = asked;
        match line.trim() {
            "b" if *page > 0 => self.leaf(-1),
            line if !question.challenge.is_empty() => self.paste_all(line),
            line if line == letters => self.grant(Answer::Granted, "", "allowed"),
            line if question.remembers.is_some() && line == others => {
                self.grant(Answer::GrantedForConversation, "", "allowed, and remembered");
            }
            line if REFUSALS.iter().any(|refusal| line.eq_ignore_ascii_case(refusal)) => {
                self.answer_question(Answer::Denied, "", "refused");
            }
            _ => self.mistyped(),
        }
    }

    /// Handles a line that is not a valid answer. The first such line does not refuse, because a person may have mistyped the letters.
    fn mistyped(&mut self) {
        self.forget_typed();
        let Some(asked) = self.asked.front_mut() else { return };
        if std::mem::replace(&mut asked.is_mistyped, true) {
            return self.answer_question(Answer::Mistyped, "", "refused: not understood twice");
        }
        asked.is_shown = false;
        let answers = choices(&asked.letters, asked.question.remembers.is_some().then_some(&asked.others));
        let prompt = asked.pages.last().map(|page| page.prompt.clone()).unwrap_or_default();
        self.say(&format!("not an answer: {answers}; the next mistake refuses"));
        self.pen.prompt(&prompt, false);
        if self.pen.screen().moves {
            self.ask_size();
        }
    }

    /// Takes the lines of a pasted signature. Lines that were pasted after the signature must not answer another question, which the person has not seen.
    fn paste_all(&mut self, lines: &str) {
        for line in lines.split('\n') {
            if self.showing == Showing::Question && self.asked.front().is_some_and(|asked| asked.granted.is_none()) {
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
            self.grant(Answer::Granted, &signature, "signature taken");
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
        let screen = self.pen.screen();
        let is_told = screen.moves || std::mem::replace(&mut self.probes.told_unknown, true);
        let Some(asked) = self.asked.front_mut() else { return };
        if !is_told {
            asked.note = asked.note.or(Some(UNKNOWN_SIZE));
        }
        self.draw_page();
    }

    /// Draws the next page; the question itself is on the last page.
    fn draw_page(&mut self) {
        if self.asked.front().is_some_and(|asked| !asked.is_begun) {
            self.keep_typed();
        } else {
            self.forget_typed();
        }
        let screen = self.pen.screen();
        let Some(mark) = self.asked.front().map(|asked| Voice::Console.mark(self.other_session(asked.caller))) else { return };
        let Some(asked) = self.asked.front_mut() else { return };
        if asked.pages.is_empty() {
            asked.pages = pages(asked, &mark, screen);
        }
        let Some(page) = asked.pages.get(asked.page) else { return };
        if std::mem::take(&mut self.probes.is_stale) && screen.moves {
            // Earlier output is drawn again above the question, in the rows that the whole question leaves free.
            let used: usize = page.rows.iter().map(|row| height(row, &mark, screen)).sum();
            let free = if screen.is_small { 0 } else { screen.rows.saturating_sub(used + PROMPT_ROWS) };
            self.pen.draw_again(free);
        }
        asked.recorded.get_or_insert(self.pen.recorded());
        for row in &page.rows {
            draw(&mut self.pen, &mark, row);
        }
        self.pen.prompt(&page.prompt, false);
        if screen.moves {
            self.ask_size();
        }
    }

    /// Drops all input so far: keys that were typed before a page of a question was visible must not answer the question.
    pub(super) fn forget_typed(&mut self) {
        self.ahead.clear();
        self.keyboard.forget();
        self.editor.forget();
        self.commanding = false;
        self.forget_probes();
        self.effects.push(Effect::DropTyped);
    }
}
