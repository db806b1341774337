//! Completes a line on Tab: names of commands, of their objects, and of a tool's arguments. The gate reports these
//! names, and the console adds its own commands and its sessions. Each is a plain name, and completing a command never runs the command.

/// Names that can be typed to a gate now.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    pub commands: Vec<Command>,
    pub tools: Vec<Tool>,
    pub tasks: Vec<String>,
    /// Later phases of the task.
    pub phases: Vec<String>,
    /// The newest stored conversations.
    pub conversations: Vec<String>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Command {
    pub name: String,
    pub usage: String,
    pub expected: Expected,
}

/// Kind of argument that a command expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Text,
    Tool,
    Service,
    Session,
    Task,
    Phase,
    /// A stored conversation, such as the first of the two in `/compare`.
    Conversation,
    /// A tool and its arguments.
    Call,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    pub name: String,
    pub service: String,
    pub fields: Vec<String>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Text to insert at the cursor: what all fitting names have in common.
    pub insert: String,
    /// The fitting names, if there are several.
    pub choices: Vec<String>,
}

/// Completes a line; `before` is the part up to the cursor.
pub fn complete(before: &str, words: &Vocabulary, sessions: &[&str]) -> Completion {
    let Some(command) = before.strip_prefix('/') else { return Completion::default() };
    let Some((name, rest)) = command.split_once(' ') else {
        return choose(command, words.commands.iter().map(|command| format!("{} ", command.name)));
    };
    let Some(found) = words.commands.iter().find(|command| command.name == name) else { return Completion::default() };
    let tools = words.tools.iter();
    match found.expected {
        Expected::Text => Completion::default(),
        Expected::Tool => choose(rest, tools.map(|tool| tool.name.clone())),
        Expected::Service => choose(rest, tools.map(|tool| tool.service.clone())),
        Expected::Task => choose(rest, words.tasks.iter().cloned()),
        Expected::Phase => choose(rest, words.phases.iter().cloned()),
        Expected::Conversation => choose(last_word(rest), words.conversations.iter().cloned()),
        Expected::Session => choose(rest, sessions.iter().map(|name| (*name).to_owned())),
        Expected::Call => match rest.split_once(' ') {
            None => choose(rest, tools.map(|tool| format!("{} ", tool.name))),
            Some((name, arguments)) => {
                let tool = words.tools.iter().find(|tool| tool.name == name);
                tool.map_or_else(Completion::default, |tool| field(arguments, &tool.fields))
            }
        },
    }
}

fn last_word(rest: &str) -> &str {
    rest.rsplit_once(' ').map_or(rest, |(_, last)| last)
}

/// Completes the name of a field, if the typed JSON allows one at its end.
fn field(arguments: &str, fields: &[String]) -> Completion {
    let named = fields.iter().map(|field| format!("\"{field}\":"));
    let at = place(arguments);
    match (at.place, at.depth) {
        (Place::Nowhere, 0) => choose("", named.map(|name| format!("{{{name}"))),
        (Place::Name(from), 1) => {
            let unused = named.filter(|name| !arguments[..from].contains(name.as_str()));
            choose(arguments[from..].trim_start(), unused)
        }
        _ => Completion::default(),
    }
}

struct At {
    place: Place,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Place {
    /// No name is expected here, because the object has not begun.
    Nowhere,
    /// Offset at which a name begins; a part of the name may be typed already.
    Name(usize),
    Value,
}

fn place(arguments: &str) -> At {
    let (mut place, mut depth, mut quoted, mut escaped) = (Place::Nowhere, 0usize, false, false);
    for (at, character) in arguments.char_indices() {
        if quoted {
            quoted = escaped || character != '"';
            escaped = character == '\\' && !escaped;
            continue;
        }
        match character {
            '"' => quoted = true,
            '{' | '[' => {
                depth += 1;
                place = Place::Name(at + 1);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                place = Place::Value;
            }
            ',' => place = Place::Name(at + 1),
            ':' => place = Place::Value,
            _ => {}
        }
    }
    At { place, depth }
}

/// Returns the longest common beginning of all plain names that begin with the typed text, and the names if there are several.
fn choose(begun: &str, names: impl Iterator<Item = String>) -> Completion {
    let mut fitting: Vec<String> = names.filter(|name| name.starts_with(begun) && is_plain(name)).collect();
    fitting.sort();
    fitting.dedup();
    let Some(first) = fitting.first() else { return Completion::default() };
    let common = fitting.iter().fold(first.as_str(), |common, name| {
        let same = common.bytes().zip(name.bytes()).take_while(|(ours, theirs)| ours == theirs).count();
        &common[..same]
    });
    let insert = common[begun.len()..].to_owned();
    Completion { insert, choices: if fitting.len() > 1 { fitting } else { Vec::new() } }
}

/// Returns whether a name is ASCII without control characters, like every name of a page.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Vocabulary {
        let command = |name: &str, expected| Command { name: name.into(), usage: String::new(), expected };
        let tool = |name: &str, fields: &[&str]| Tool {
            name: name.into(),
            service: name.split('.').next().unwrap().into(),
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        };
        Vocabulary {
            commands: vec![
                command("tool", Expected::Call),
                command("tools", Expected::Text),
                command("inspect", Expected::Tool),
                command("revoke", Expected::Service),
                command("session", Expected::Session),
                command("task", Expected::Task),
                command("phase", Expected::Phase),
                command("compare", Expected::Conversation),
            ],
            tasks: vec!["triage".into(), "tour".into()],
            phases: vec!["mend".into()],
            conversations: vec!["c1".into(), "c2".into(), "evil\u{1b}[2J".into()],
            tools: vec![tool("notes.read", &["path"]), tool("notes.write", &["path", "content"]), tool("evil\u{1b}[2J", &[])],
        }
    }

    fn after(before: &str) -> String {
        let Completion { insert, choices } = complete(before, &words(), &["operator", "visitor"]);
        let line = if insert.is_empty() { String::new() } else { format!("{before}{insert}") };
        match (line.as_str(), &choices[..]) {
            ("", []) => "-".into(),
            (_, []) => line,
            _ => format!("{line}|{}", choices.join("|")),
        }
    }

    #[test]
    fn commands_and_their_objects_and_arguments_are_completed() {
        for (before, line) in [
            ("/in", "/inspect "),
            ("/to", "/tool|tool |tools "),
            ("/ta", "/task "),
            ("/tool", "|tool |tools "),
            ("/inspect n", "/inspect notes.|notes.read|notes.write"),
            ("/inspect notes.", "|notes.read|notes.write"),
            ("/revoke ", "/revoke notes"),
            ("/session v", "/session visitor"),
            ("/task tr", "/task triage"),
            ("/task ", "/task t|tour|triage"),
            ("/task x", "-"),
            ("/phase ", "/phase mend"),
            ("/compare ", "/compare c|c1|c2"),
            ("/compare c", "|c1|c2"),
            ("/compare c1 c", "|c1|c2"),
            ("/compare e", "-"),
            ("/tool notes.r", "/tool notes.read "),
            ("/tool notes.read ", "/tool notes.read {\"path\":"),
            ("/tool notes.write {\"c", "/tool notes.write {\"content\":"),
            ("/tool notes.write {", "/tool notes.write {\"|\"content\":|\"path\":"),
            ("/tool notes.write {\"", "|\"content\":|\"path\":"),
            ("/tool notes.write {\"path\":\"a, b\",", "/tool notes.write {\"path\":\"a, b\",\"content\":"),
            ("/tool notes.write {\"path\":\"a\\\",\\\"c", "-"),
            ("/tool notes.write {\"path\":[", "-"),
            ("hello /in", "-"),
            ("/nobody x", "-"),
            ("/inspect evil", "-"),
        ] {
            assert_eq!(after(before), line, "{before}");
        }
    }
}
