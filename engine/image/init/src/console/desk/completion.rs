//! Handles Tab and /help: each time, the gate reports what can be typed now, so that nothing revoked is offered.

use super::errand::ErrandKind;
use super::state::{Desk, Listener, Showing};
use super::texts::PLAIN;
use crate::console::complete::{Command, Completion, Expected, Vocabulary, complete};
use crate::console::request;

/// The console's own commands, besides those of the gate.
const OWN: [(&str, Expected, &str); 6] = [
    ("help", Expected::Text, "/help [NAME]: what can be typed, or what one of it does"),
    ("session", Expected::Session, "/session NAME: talk to another session, or which there are"),
    ("colours", Expected::Text, "/colours [on|off]: draw with colours and attributes, or without; NO_COLOR of your own machine is unknown here"),
    ("stop", Expected::Text, "/stop NAME: end a process until the machine starts again"),
    ("restart", Expected::Text, "/restart NAME: start a process again that may be"),
    ("exit", Expected::Text, "/exit: leave; the machine powers off"),
];
const KEYS: &str =
    "keys: arrows, Home, End, Alt-B and Alt-F move; Ctrl-W, U, K and Alt-D take, Ctrl-Y puts back; Up and Down bring lines back, \
     Ctrl-R searches them; Tab completes or lists; \\ before Enter, or Alt-Enter, continues the line; Ctrl-L draws anew; Ctrl-C stops";
/// Maximum number of names in a list of completions.
const MOST_LISTED: usize = 60;

impl Desk {
    /// Handles Tab: requests the names from the gate. A line without a command is for the agent, and is not completed.
    pub(super) fn ask_words(&mut self) {
        if self.editor.before().starts_with('/') {
            let kind = ErrandKind::Completion { line: self.editor.line().to_owned(), before: self.editor.before().len() };
            self.ask_session(request::VOCABULARY, &request::vocabulary_call(), kind);
        }
    }

    /// Requests the help for `name`, a command with or without its slash; an empty name means all commands.
    pub(super) fn ask_help(&mut self, name: &str) {
        let kind = ErrandKind::Help(name.trim_start_matches('/').to_owned());
        self.ask_session(request::VOCABULARY, &request::vocabulary_call(), kind);
    }

    /// Completes the line with the response to Tab, if it is still the same line.
    pub(super) fn complete_line(&mut self, line: &str, before: usize, body: &[u8]) {
        let is_same = self.editor.line() == line && self.editor.before().len() == before;
        if !is_same || !matches!(self.showing, Showing::Prompt(Listener::Agent | Listener::Commands)) {
            return;
        }
        let words = with_own(request::vocabulary(body).unwrap_or_default());
        let sessions: Vec<&str> = self.sessions.iter().map(|session| session.name.as_str()).collect();
        let Completion { insert, choices } = complete(self.editor.before(), &words, &sessions);
        let edit = self.editor.insert(&insert);
        if choices.is_empty() {
            return self.pen.edited(&edit, &self.editor);
        }
        // The list is drawn above the prompt, which is then drawn again with the longer line.
        let listed: Vec<&str> = choices.iter().take(MOST_LISTED).map(|choice| choice.trim_end()).collect();
        let more = choices.len() - listed.len();
        let more = if more > 0 { format!("  and {more} more") } else { String::new() };
        self.tell(&(listed.join("  ") + &more));
    }

    /// Prints the help of the named command. Without a name, prints only how each command is typed: all help would fill two screens.
    pub(super) fn tell_help(&mut self, name: &str, body: &[u8]) {
        let words = with_own(request::vocabulary(body).unwrap_or_default());
        if !name.is_empty() {
            let usage = words.commands.iter().find(|command| command.name == name).map(|command| command.usage.clone());
            return self.tell(&usage.unwrap_or_else(|| format!("there is no command /{name}; /help lists them")));
        }
        let typed = |command: &Command| command.usage.split(": ").next().unwrap_or_default().to_owned();
        for row in rows(words.commands.iter().map(typed)) {
            self.tell(&row);
        }
        self.tell("/help NAME: what one of them does");
        self.tell(if self.pen.screen().moves { KEYS } else { PLAIN });
    }
}

/// Returns rows of commands. Each row has as many whole commands as fit behind the mark, so that no command is split.
fn rows(usages: impl Iterator<Item = String>) -> Vec<String> {
    const COLUMNS: usize = 76;
    const APART: &str = "   ";
    let mut rows: Vec<String> = Vec::new();
    for usage in usages {
        match rows.last_mut() {
            Some(row) if row.len() + APART.len() + usage.len() <= COLUMNS => row.extend([APART, &usage]),
            _ => rows.push(usage),
        }
    }
    rows
}

/// Returns a gate's vocabulary together with the console's own commands, sorted by name. If both have a command of one name, the
/// console's command is returned.
fn with_own(mut words: Vocabulary) -> Vocabulary {
    words.commands.retain(|command| OWN.iter().all(|(name, ..)| command.name != *name));
    words.commands.extend(OWN.map(|(name, expected, usage)| Command { name: name.into(), usage: usage.into(), expected }));
    words.commands.sort_by(|one, other| one.name.cmp(&other.name));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_usage_of_a_command_is_split_between_two_rows() {
        let usages = ["/policy [decisions]", "/parked [N|drop N|drop all]", "/status", "/compare NAME NAME", "/context"];
        let made = rows(usages.map(String::from).into_iter());
        assert_eq!(made, ["/policy [decisions]   /parked [N|drop N|drop all]   /status", "/compare NAME NAME   /context"]);
        assert_eq!(rows(["x".repeat(90)].into_iter()), ["x".repeat(90)]);
        assert!(rows(std::iter::empty()).is_empty());
    }
}
