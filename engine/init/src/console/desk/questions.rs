//! Asking a person. Consent is given by letters that were not known before the question stood there; a step-up by a
//! signature over a line that is shown.

use super::callers::Caller;
use super::{Desk, Effect, Showing, Voice, request};
use crate::console::request::Question;
use crate::wire_capnp::Answer;

/// A signature of OpenSSH has some 300 bytes in six lines.
const MOST_SIGNATURE_BYTES: usize = 4096;
const MOST_SIGNATURE_LINES: usize = 80;
const LAST_SIGNATURE_LINE: &str = "-----END SSH SIGNATURE-----";

pub struct Asked {
    pub caller: Caller,
    pub question: Question,
    pub letters: String,
    pub deadline: Option<u64>,
    /// Lines of the signature so far.
    pub pasted: Vec<String>,
}

impl Desk {
    /// A line that was typed at the question.
    pub(super) fn judge(&mut self, line: &str) {
        let Some(asked) = self.asked.front() else { return };
        if !asked.question.challenge.is_empty() {
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
        // What was typed before the question was seen must not answer it.
        self.ahead.clear();
        self.editor.clear();
        self.effects.push(Effect::DropTyped);
        let Some(Asked { caller, question, letters, .. }) = self.asked.front() else { return };
        let mark = Voice::Console.mark(self.other_session(*caller));
        self.pen.line(&mark, &format!("{} {}", question.tool, question.arguments));
        // Below the arguments, which can fill a screen with what looks like a question: the last line is the console's word.
        self.pen.line(&mark, &format!("{} — {}", question.sentence, question.rule));
        if question.challenge.is_empty() {
            return self.pen.prompt(&format!("allow? type {letters} to allow, anything else refuses> "));
        }
        let challenge = &question.challenge;
        self.pen.line(&mark, &format!("sign this line: {challenge}"));
        self.pen.line(&mark, &format!("printf %s '{challenge}' | ssh-keygen -Y sign -n stepup@capos -f YOUR_KEY -"));
        self.pen.prompt("paste the signature> ");
    }
}
