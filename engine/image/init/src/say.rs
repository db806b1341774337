//! The lines that init itself prints.

use std::io::Write as _;

/// Prints one line of init's own. A console that is gone fails nothing.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "capos: {line}");
}
