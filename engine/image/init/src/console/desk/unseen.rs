//! Reads a passphrase instead of a signature. No part of the passphrase is drawn, not even its length. The passphrase enters
//! no history, and the editor, which remembers killed text, never gets it. Only the console draws these prompts at the
//! beginning of a row: output of a process begins with its mark or with two blanks.

use crate::console::passphrase::{namespace, sign};
use crate::console::request::Salts;
use crate::luks::Secret;
use crate::unseen::Line;

/// Minimum characters of a new passphrase. Eight suffice, because guesses are limited to five in five minutes; the person may choose more.
const LEAST_CHARACTERS: usize = 8;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Known,
    Chosen,
    Again,
}

pub struct Unseen {
    step: Step,
    chooses: bool,
    pub(super) line: Line,
    known: Option<Secret>,
    chosen: Option<Secret>,
}

impl Unseen {
    pub fn new(salts: &Salts) -> Self {
        let step = if salts.known.is_some() { Step::Known } else { Step::Chosen };
        Self { step, chooses: salts.chosen.is_some(), line: Line::default(), known: None, chosen: None }
    }

    /// Returns the lines above the prompt for a passphrase.
    pub fn words(&self) -> &'static [&'static str] {
        match (self.step, self.chooses) {
            (Step::Known, _) => &[],
            (Step::Chosen | Step::Again, _) => {
                &["THERE IS NO PASSPHRASE YET: what is typed now is it from now on, and whoever knows it gets in"]
            }
        }
    }

    pub fn prompt(&self) -> &'static str {
        match self.step {
            Step::Known => "passphrase, which is not shown> ",
            Step::Chosen => "new passphrase, which is not shown> ",
            Step::Again => "the new passphrase once more> ",
        }
    }

    /// Handles a whole line. Returns the next step; if the passphrase is refused, fails with the reason.
    pub(super) fn entered(&mut self, typed: Option<Secret>) -> Result<Next, &'static str> {
        let typed = typed.ok_or("refused: that is longer than any passphrase")?;
        if typed.is_empty() {
            return Err("refused: no passphrase");
        }
        match self.step {
            Step::Known => {
                self.known = Some(typed);
                if !self.chooses {
                    return Ok(Next::Sign);
                }
                self.step = Step::Chosen;
            }
            Step::Chosen => {
                if String::from_utf8_lossy(&typed).chars().count() < LEAST_CHARACTERS {
                    return Ok(Next::AskAgain("a passphrase has 8 characters at least; once more, or Enter to leave it"));
                }
                self.chosen = Some(typed);
                self.step = Step::Again;
            }
            Step::Again if self.chosen.as_ref() != Some(&typed) => {
                self.step = Step::Chosen;
                return Ok(Next::AskAgain("the two are not the same; once more, or Enter to leave it"));
            }
            Step::Again => return Ok(Next::Sign),
        }
        Ok(Next::Ask)
    }

    /// Returns the requested signatures: the one by the existing passphrase, then the one by the new passphrase.
    pub(super) fn signed(&self, salts: &Salts, line: &str) -> Result<String, String> {
        let by = |typed: &Option<Secret>, salt: &Option<Vec<u8>>| match (typed, salt) {
            (Some(typed), Some(salt)) => sign(typed, salt, namespace(true), line),
            _ => Ok(String::new()),
        };
        Ok(by(&self.known, &salts.known)? + &by(&self.chosen, &salts.chosen)?)
    }
}

pub enum Next {
    Ask,
    /// The new passphrase is refused. The console asks again at once, so that none is typed at an ordinary prompt, where it is visible.
    AskAgain(&'static str),
    Sign,
}
