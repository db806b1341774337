//! Reads calls on `Terminal` and `Approval` as plain values, and builds the bodies of their responses.

use super::passphrase::{LEAST_SALT, MOST_SALT};
use super::pen::Voice;
use super::said::Said;
use crate::digest;
use crate::capos_capnp::{Outcome, PermissionMode};
use crate::frame::{body_of, with_body};
use super::complete::{Command, Expected, Tool, Vocabulary};
use crate::wire_capnp::{Answer, ArgumentKind, FailureCode, Speaker, approval, notice, question, session, terminal};

pub const TERMINAL: u64 = terminal::_private::TYPE_ID;
pub const APPROVAL: u64 = approval::_private::TYPE_ID;
pub const SESSION: u64 = session::_private::TYPE_ID;
/// Method ordinals of `Session`.
pub const COMMAND: u16 = 0;
pub const BEGIN_TURN: u16 = 1;
pub const VOCABULARY: u16 = 2;
pub const STANDING: u16 = 3;

#[derive(Debug, PartialEq, Eq)]
pub enum Request {
    ReadLine,
    Write { text: String, voice: Voice },
    AwaitInterrupt,
    Ask(Question),
    Announce(Notice),
    /// The gate asks the console to lock the session, because its user is not logged in any more.
    Lock,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Question {
    pub tool: String,
    pub arguments: String,
    pub sentence: String,
    pub rule: String,
    /// Maximum milliseconds for the answer; 0 means no limit.
    pub timeout_ms: u32,
    /// The exact text to sign; empty if the person answers with letters and needs no signature.
    pub challenge: String,
    /// Whether the signature logs the person in. A login signature is not valid for a step-up, and the reverse.
    pub is_login: bool,
    /// Salts of the passphrase that the person types without an echo instead of pasting a signature.
    pub passphrase: Option<Salts>,
    /// Text that says which further calls a remembered consent would cover; `None` if consent can be given only for this call.
    pub remembers: Option<String>,
}

/// Status of a session, as its gate reports it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub is_locked: bool,
    pub label: String,
    /// The backend that would answer the next turn; empty if no backend may answer.
    pub model: String,
    /// Whether a person is asked before this backend answers.
    pub is_model_asked: bool,
    pub task: String,
    pub phase: String,
    /// The unused part of each quota, in words.
    pub left: Vec<String>,
}

/// Salts of the existing passphrase and of the new one; at least one of them is set.
#[derive(Debug, PartialEq, Eq)]
pub struct Salts {
    pub known: Option<Vec<u8>>,
    pub chosen: Option<Vec<u8>>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Notice {
    /// First text of the widget: the tool, its arguments, and the call's mode if the gate has decided it.
    pub call: String,
    pub stage: Stage,
    pub outcome: &'static str,
    pub detail: String,
    /// The beginning of the result.
    pub result: String,
    /// Duration of the call in milliseconds, by the console's clock.
    pub elapsed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Proposed,
    Waiting,
    Running,
    Finished,
}

/// Returns the request of a call; `method` is an ordinal of the granted interface. Fails if the method is unknown or the body is malformed.
pub fn read(interface_id: u64, method: u16, body: &[u8]) -> Result<Request, (FailureCode, String)> {
    let read = match (interface_id, method) {
        (TERMINAL, 0) => Ok(Request::ReadLine),
        (TERMINAL, 1) => with_body(body, |root| read_write(root.get_as()?)),
        (TERMINAL, 2) => Ok(Request::AwaitInterrupt),
        (APPROVAL, 0) => with_body(body, |root| {
            let params: approval::ask_params::Reader = root.get_as()?;
            read_question(params.get_question()?).map(Request::Ask)
        }),
        (APPROVAL, 1) => with_body(body, |root| {
            let params: approval::announce_params::Reader = root.get_as()?;
            read_notice(params.get_notice()?).map(Request::Announce)
        }),
        (APPROVAL, 2) => Ok(Request::AwaitInterrupt),
        (APPROVAL, 3) => Ok(Request::Lock),
        _ => return Err((FailureCode::UnknownMethod, format!("no method {method}"))),
    };
    read.map_err(|why| (FailureCode::Malformed, why))
}

fn read_write(params: terminal::write_params::Reader<'_>) -> capnp::Result<Request> {
    let voice = match params.get_speaker()? {
        Speaker::Model => Voice::Model,
        Speaker::Runner | Speaker::Tool => Voice::Loop,
    };
    Ok(Request::Write { text: bounded(params.get_text()?, MOST_TEXT_BYTES)?, voice })
}

/// Maximum bytes of a text. A character may become an escape of twelve characters, and the escaped text must fit into this process's 16 MiB.
const MOST_TEXT_BYTES: usize = 16 * 1024;
const MOST_ARGUMENT_BYTES: usize = 64 * 1024;
/// Maximum bytes of a name, a rule, or another short part that is not split into pages.
const MOST_NAME_BYTES: usize = 1024;
const MOST_LEFT: usize = 16;
const MOST_SENTENCE_BYTES: usize = 8 * 1024;
const MOST_CHALLENGE_BYTES: usize = 8 * 1024;

fn bounded(text: capnp::text::Reader<'_>, most: usize) -> capnp::Result<String> {
    match text.len() {
        length if length <= most => Ok(text.to_string()?),
        length => Err(capnp::Error::failed(format!("{length} bytes are more than the {most} that are drawn at a time"))),
    }
}

/// Truncates a text for a widget, which is information only, and marks the cut.
fn excerpt(text: capnp::text::Reader<'_>) -> capnp::Result<String> {
    let text = text.to_str()?;
    if text.len() <= MOST_TEXT_BYTES {
        return Ok(text.into());
    }
    let end = (0..=MOST_TEXT_BYTES).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    Ok(format!("{} [{} more bytes]", &text[..end], text.len() - end))
}

fn read_question(question: question::Reader<'_>) -> capnp::Result<Question> {
    let challenge = bounded(question.get_challenge()?, MOST_CHALLENGE_BYTES)?;
    let is_step_up = question.get_mode()? == PermissionMode::StepUp;
    // A person pastes the challenge between single quotes, and must see exactly the text that is signed.
    let is_plain = challenge.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\'');
    if is_step_up == challenge.is_empty() || !is_plain {
        return Err(capnp::Error::failed("a challenge that cannot be shown, one too many, or none".into()));
    }
    let passphrase = read_salts(&question)?;
    if passphrase.is_some() && !(is_step_up && question.get_is_login()) {
        return Err(capnp::Error::failed("a passphrase opens a session, and is asked for nothing else".into()));
    }
    Ok(Question {
        challenge,
        passphrase,
        tool: bounded(question.get_tool()?, MOST_NAME_BYTES)?,
        arguments: bounded(question.get_arguments()?, MOST_ARGUMENT_BYTES)?,
        sentence: bounded(question.get_sentence()?, MOST_SENTENCE_BYTES)?,
        rule: bounded(question.get_rule()?, MOST_NAME_BYTES)?,
        timeout_ms: question.get_timeout_ms(),
        is_login: question.get_is_login(),
        remembers: if question.get_may_remember() && !is_step_up {
            Some(bounded(question.get_remembers()?, MOST_SENTENCE_BYTES)?)
        } else {
            None
        },
    })
}

fn read_salts(question: &question::Reader<'_>) -> capnp::Result<Option<Salts>> {
    if !question.has_passphrase() {
        return Ok(None);
    }
    let asked = question.get_passphrase()?;
    let salts = Salts { known: salt(asked.get_salt()?)?, chosen: salt(asked.get_new_salt()?)? };
    Ok(Some(salts).filter(|Salts { known, chosen }| known.is_some() || chosen.is_some()))
}

fn salt(bytes: &[u8]) -> capnp::Result<Option<Vec<u8>>> {
    match bytes.len() {
        0 => Ok(None),
        LEAST_SALT..=MOST_SALT => Ok(Some(bytes.to_vec())),
        other => Err(capnp::Error::failed(format!("a salt of {other} bytes"))),
    }
}

fn read_notice(notice: notice::Reader<'_>) -> capnp::Result<Notice> {
    let mode = if notice.get_has_mode() { mode_name(notice.get_mode()?) } else { "" };
    let words = [excerpt(notice.get_tool()?)?, excerpt(notice.get_arguments()?)?, mode.into()];
    Ok(Notice {
        call: words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "),
        stage: match notice.get_stage()? {
            notice::Stage::Proposed => Stage::Proposed,
            notice::Stage::Waiting => Stage::Waiting,
            notice::Stage::Running => Stage::Running,
            notice::Stage::Finished => Stage::Finished,
        },
        outcome: outcome_name(notice.get_outcome()?),
        detail: excerpt(notice.get_detail()?)?,
        result: excerpt(notice.get_result()?)?,
        elapsed: None,
    })
}

fn mode_name(mode: PermissionMode) -> &'static str {
    match mode {
        PermissionMode::Auto => "auto",
        PermissionMode::Consent => "consent",
        PermissionMode::StepUp => "stepUp",
        PermissionMode::Forbidden => "forbidden",
    }
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "ok",
        Outcome::RefusedByPolicy => "refusedByPolicy",
        Outcome::DeniedByUser => "deniedByUser",
        Outcome::StepUpFailed => "stepUpFailed",
        Outcome::ExecutionError => "executionError",
        Outcome::TimedOut => "timedOut",
        Outcome::Cancelled => "cancelled",
        Outcome::InvalidArguments => "invalidArguments",
        Outcome::UnknownTool => "unknownTool",
    }
}

/// Body of the response of a method without results.
pub fn nothing() -> Vec<u8> {
    body_of(|root| {
        root.init_as::<terminal::write_results::Builder>();
    })
}

pub fn line(line: &str, end: bool) -> Vec<u8> {
    body_of(|root| {
        let mut results: terminal::read_line_results::Builder = root.init_as();
        results.set_line(line);
        results.set_end(end);
    })
}

pub fn answer(answer: Answer, signature: &str) -> Vec<u8> {
    body_of(|root| {
        let mut results: approval::ask_results::Builder = root.init_as();
        results.set_answer(answer);
        results.set_signature(signature);
    })
}

pub fn command(name: &str, argument: &str, is_pasted: bool) -> Vec<u8> {
    body_of(|root| {
        let mut params: session::command_params::Builder = root.init_as();
        params.set_name(name);
        params.set_argument(argument);
        params.set_is_pasted(is_pasted);
    })
}

/// Returns the body of a call that begins a turn: the line's digest, and its parts marked as typed or pasted. The loop gets the line later.
pub fn begin_turn(line: &Said) -> Vec<u8> {
    body_of(|root| {
        let mut params: session::begin_turn_params::Builder = root.init_as();
        params.set_said(&digest::of_bytes(line.text().as_bytes()));
        let pieces = line.pieces();
        // The list has at most `MOST_PIECES` entries.
        let mut list = params.init_pieces(u32::try_from(pieces.len()).unwrap_or(0));
        for (index, piece) in (0..).zip(pieces) {
            let mut one = list.reborrow().get(index);
            one.set_text(piece.text);
            one.set_is_pasted(piece.is_pasted);
        }
    })
}

pub fn standing_call() -> Vec<u8> {
    body_of(|root| {
        root.init_as::<session::standing_params::Builder>();
    })
}

/// Returns the status of a session. Fails if a part is longer than the limits of this file allow.
pub fn standing(body: &[u8]) -> Result<Standing, String> {
    with_body(body, |root| {
        let results: session::standing_results::Reader = root.get_as()?;
        let told = results.get_standing()?;
        let left = told.get_left()?.iter().take(MOST_LEFT).map(|one| bounded(one?, MOST_NAME_BYTES));
        Ok(Standing {
            is_locked: told.get_is_locked(),
            label: bounded(told.get_label()?, MOST_SENTENCE_BYTES)?,
            model: bounded(told.get_model()?, MOST_NAME_BYTES)?,
            is_model_asked: told.get_is_model_asked(),
            task: bounded(told.get_task()?, MOST_NAME_BYTES)?,
            phase: bounded(told.get_phase()?, MOST_NAME_BYTES)?,
            left: left.collect::<capnp::Result<_>>()?,
        })
    })
}

pub fn vocabulary_call() -> Vec<u8> {
    body_of(|root| {
        root.init_as::<session::vocabulary_params::Builder>();
    })
}

/// Returns words for completion, at most `MOST_WORDS` of each kind. Fails if a word is longer than the limits of this file allow.
pub fn vocabulary(body: &[u8]) -> Result<Vocabulary, String> {
    with_body(body, |root| {
        let results: session::vocabulary_results::Reader = root.get_as()?;
        let commands = results.get_commands()?.iter().take(MOST_WORDS).map(|command| {
            Ok(Command {
                name: bounded(command.get_name()?, MOST_NAME_BYTES)?,
                usage: bounded(command.get_usage()?, MOST_NAME_BYTES)?,
                expected: match command.get_names_conversations() {
                    true => Expected::Conversation,
                    false => expected(command.get_argument()?),
                },
            })
        });
        let tools = results.get_tools()?.iter().take(MOST_WORDS).map(|tool| {
            let fields = tool.get_arguments()?.iter().take(MOST_FIELDS).map(|field| bounded(field?, MOST_NAME_BYTES));
            Ok(Tool {
                name: bounded(tool.get_name()?, MOST_NAME_BYTES)?,
                service: bounded(tool.get_service()?, MOST_NAME_BYTES)?,
                fields: fields.collect::<capnp::Result<_>>()?,
            })
        });
        Ok(Vocabulary {
            commands: commands.collect::<capnp::Result<_>>()?,
            tools: tools.collect::<capnp::Result<_>>()?,
            tasks: names(results.get_tasks()?)?,
            phases: names(results.get_phases()?)?,
            conversations: names(results.get_conversations()?)?,
        })
    })
}

fn names(list: capnp::text_list::Reader<'_>) -> capnp::Result<Vec<String>> {
    list.iter().take(MOST_WORDS).map(|name| bounded(name?, MOST_NAME_BYTES)).collect()
}

const MOST_WORDS: usize = 512;
const MOST_FIELDS: usize = 32;

fn expected(kind: ArgumentKind) -> Expected {
    match kind {
        ArgumentKind::None | ArgumentKind::Text => Expected::Text,
        ArgumentKind::Tool => Expected::Tool,
        ArgumentKind::Service => Expected::Service,
        ArgumentKind::Task => Expected::Task,
        ArgumentKind::Phase => Expected::Phase,
        ArgumentKind::Call => Expected::Call,
    }
}

/// Returns the lines of a response to `Session.command`.
pub fn command_lines(body: &[u8]) -> Result<Vec<String>, String> {
    with_body(body, |root| {
        let results: session::command_results::Reader = root.get_as()?;
        results.get_lines()?.iter().map(|line| Ok(line?.to_string()?)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    fn honest() -> Vec<(u64, u16, Vec<u8>)> {
        let write = body_of(|root| {
            let mut params: terminal::write_params::Builder = root.init_as();
            params.set_text("hello");
            params.set_speaker(Speaker::Model);
        });
        let ask = body_of(|root| {
            let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
            question.set_tool("notes.write");
            question.set_arguments("{}");
            question.set_mode(PermissionMode::StepUp);
            question.set_challenge("{\"nonce\":1}");
        });
        let announce = body_of(|root| {
            let mut notice = root.init_as::<approval::announce_params::Builder>().init_notice();
            notice.set_tool("notes.write");
            notice.set_detail("why");
        });
        vec![(TERMINAL, 1, write), (APPROVAL, 0, ask), (APPROVAL, 1, announce)]
    }

    #[test]
    fn property_changed_parameters_are_refused_or_within_their_bounds() {
        let mut chance = Chance::new(5);
        for (interface_id, method, body) in honest() {
            read(interface_id, method, &body).unwrap();
            for _ in 0..10_000 {
                match read(interface_id, method, &chance.spoil(&body)) {
                    Ok(Request::Write { text, .. }) => assert!(text.len() <= MOST_TEXT_BYTES),
                    Ok(Request::Ask(question)) => {
                        assert!(question.challenge.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'\''));
                    }
                    Ok(_) | Err(_) => {}
                }
            }
        }
    }

    #[test]
    fn property_a_changed_answer_is_refused_or_parsed_to_lines() {
        let body = body_of(|root| {
            let mut lines = root.init_as::<session::command_results::Builder>().init_lines(2);
            lines.set(0, "one");
            lines.set(1, "two");
        });
        assert_eq!(command_lines(&body).unwrap(), ["one", "two"]);
        let mut chance = Chance::new(6);
        for _ in 0..20_000 {
            if let Ok(lines) = command_lines(&chance.spoil(&body)) {
                assert!(lines.iter().map(String::len).sum::<usize>() <= 5 * body.len());
            }
        }
    }
}
