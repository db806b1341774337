//! Handles keys at the prompt for a passphrase.

use super::state::{Desk, Showing};
use super::unseen::Next;
use crate::console::keyboard::Stroke;
use crate::unseen::Typed;
use crate::wire_capnp::Answer;

impl Desk {
    /// Returns whether a passphrase is being typed.
    pub(super) fn is_unseen_line(&self) -> bool {
        self.showing == Showing::Question && self.asked.front().is_some_and(|asked| asked.unseen.is_some())
    }

    pub(super) fn unseen_key(&mut self, stroke: Stroke) {
        let Some(unseen) = self.asked.front_mut().and_then(|asked| asked.unseen.as_mut()) else { return };
        let mut bytes = [0; 4];
        let typed = match stroke {
            // The end of a pasted line is not Enter, which a person must press.
            Stroke::Pasted('\n') => return,
            Stroke::Text(character) | Stroke::Pasted(character) => character.encode_utf8(&mut bytes).as_bytes(),
            Stroke::Enter => b"\r",
            Stroke::Backspace => b"\x7f",
            Stroke::KillAll => b"\x15",
            Stroke::Close => b"\x04",
            _ => return,
        };
        let all: Vec<Typed> = typed.iter().map(|&byte| unseen.line.take(byte)).collect();
        let whole = match all.last() {
            Some(Typed::Done) => std::mem::take(&mut unseen.line).whole(),
            Some(Typed::Left) => return self.answer_question(Answer::Denied, "", "refused"),
            Some(Typed::More) | None => return,
        };
        let next = unseen.entered(whole);
        let prompt = unseen.prompt();
        self.pen.fresh();
        match next {
            Ok(Next::Ask) => self.pen.prompt(prompt, false),
            Ok(Next::AskAgain(words)) => {
                self.say(words);
                self.pen.prompt(prompt, false);
            }
            Ok(Next::Sign) => self.answer_unseen(),
            Err(words) => self.answer_question(Answer::Denied, "", words),
        }
    }

    fn answer_unseen(&mut self) {
        let Some(asked) = self.asked.front() else { return };
        let (Some(unseen), Some(salts)) = (&asked.unseen, &asked.question.passphrase) else { return };
        match unseen.signed(salts, &asked.question.challenge) {
            Ok(signature) => self.grant(Answer::Granted, &signature, "passphrase taken"),
            Err(why) => self.answer_question(Answer::Denied, "", &format!("refused: {why}")),
        }
    }
}
