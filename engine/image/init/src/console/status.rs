//! The row below a prompt. The row begins with the console's mark, with which no text of a process can begin.

use super::markdown::{MARKUP, PLAIN, sequence};
use super::pen::{COLOUR_OF_CONSOLE, Pen};

impl Pen {
    /// Sets the words of the row below prompts. Returns whether the row was drawn: the caller must then draw the typed line again.
    pub fn set_status(&mut self, words: &str) -> bool {
        if self.status == words {
            return false;
        }
        words.clone_into(&mut self.status);
        let is_shown = self.screen.moves && self.holds_prompt() && self.comes_back;
        if is_shown {
            self.draw_status();
        }
        is_shown
    }

    /// Draws the status in the row below the cursor, and then moves the cursor back to the beginning of the row above the status. At the end of the window,
    /// this scrolls to make room for the row.
    pub(super) fn draw_status(&mut self) {
        if !self.screen.moves || (self.status.is_empty() && !self.has_status) {
            return;
        }
        self.raw("\r\n\x1b[K");
        if !self.status.is_empty() {
            let row = self.cut(&self.status);
            self.paint("* ", COLOUR_OF_CONSOLE);
            if self.screen.paints {
                self.raw(&format!("{}{row}{}", sequence(MARKUP), sequence(PLAIN)));
            } else {
                self.raw(&row);
            }
        }
        self.raw("\x1b[A\r");
        self.has_status = !self.status.is_empty();
    }
}
