//! Prints the lines of init itself.

use std::io::Write as _;

/// Prints one line of init. A closed console is not an error.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "capos: {line}");
}
