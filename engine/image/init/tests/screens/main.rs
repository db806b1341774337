//! Tests screens as text: an emulator draws the console's real program on a terminal of 80 × 25. `tests/screens` contains the screens;
//! `CAPOS_WRITE_SCREENS=1` writes them again after somebody has reviewed the change. Each test plays one conversation, and compares the
//! screen at some points of this conversation.

mod machine;

use capos::capos_capnp::{Outcome, PermissionMode};
use capos::console::request::{APPROVAL, TERMINAL};
use capos::frame::body_of;
use capos::wire_capnp::{Speaker, approval, notice, terminal};
use machine::{Machine, line_of};
use std::env;
use std::fs;
use std::path::Path;

/// Returns the screen without the parts that differ in each run: the letters that a person types to allow become `kfm` and `qwz`, and a call's duration is left out.
fn settled(screen: &str) -> String {
    screen.lines().map(|line| format!("{}\n", without_letters(&without_time(line)))).collect::<Vec<_>>().concat()
}

fn without_letters(line: &str) -> String {
    let mut line = line.to_owned();
    for (before, letters) in [("allow? type ", "kfm"), ("for once, ", "qwz"), ("refuse> ", "kfm")] {
        let from = line.find(before).map_or(line.len(), |at| at + before.len());
        // The three letters after the question are those that the person is asked to type.
        if line.starts_with("allow? ") && (line.len() == from + 3 || before != "refuse> ") && line.len() > from {
            line.replace_range(from..from + 3, letters);
        }
    }
    line
}

fn without_time(line: &str) -> String {
    let Some((before, behind)) = line.split_once(" in ") else { return line.to_owned() };
    match behind.split_once(" s") {
        Some((time, rest)) if before.contains('→') && time.parse::<f32>().is_ok() => format!("{before}{rest}"),
        _ => line.to_owned(),
    }
}

fn is_golden(machine: &Machine, name: &str) {
    let screen = settled(&machine.contents());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens").join(format!("{name}.txt"));
    if env::var_os("CAPOS_WRITE_SCREENS").is_some() {
        fs::write(&path, &screen).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(screen == golden, "{name}: the screen is\n{screen}\nand not\n{golden}");
    assert!(screen.lines().all(|line| line.chars().count() <= usize::from(machine::COLUMNS)));
}

fn writes(machine: &mut Machine, call_id: u64, text: &str) {
    speaks(machine, call_id, text, Speaker::Model);
}

fn speaks(machine: &mut Machine, call_id: u64, text: &str, speaker: Speaker) {
    let body = body_of(|root| {
        let mut params: terminal::write_params::Builder = root.init_as();
        params.set_text(text);
        params.set_speaker(speaker);
    });
    machine.talker.calls(TERMINAL, call_id, 1, &body);
    machine.talker.answered(call_id);
}

struct Told<'a> {
    tool: &'a str,
    arguments: &'a str,
    mode: PermissionMode,
    stage: notice::Stage,
    outcome: Outcome,
    detail: &'a str,
    result: &'a str,
}

fn announces(machine: &mut Machine, call_id: u64, told: &Told<'_>) {
    let body = body_of(|root| {
        let mut notice = root.init_as::<approval::announce_params::Builder>().init_notice();
        notice.set_tool(told.tool);
        notice.set_arguments(told.arguments);
        notice.set_mode(told.mode);
        notice.set_has_mode(true);
        notice.set_stage(told.stage);
        notice.set_outcome(told.outcome);
        notice.set_detail(told.detail);
        notice.set_result(told.result);
    });
    machine.gate.calls(APPROVAL, call_id, 1, &body);
    machine.gate.answered(call_id);
}

fn asks(machine: &mut Machine, call_id: u64, arguments: &str, remembers: &str) {
    let body = body_of(|root| {
        let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
        question.set_tool("notes.write");
        question.set_arguments(arguments);
        question.set_sentence("notes.write: content \"call Ada\\n\", path \"ada.txt\"");
        question.set_mode(PermissionMode::Consent);
        question.set_rule("consent mutatingLocal (system.cap:30:5)");
        question.set_may_remember(!remembers.is_empty());
        question.set_remembers(remembers);
    });
    machine.gate.calls(APPROVAL, call_id, 0, &body);
}

const READ: Told<'_> = Told {
    tool: "notes.read",
    arguments: "{\"path\":\"todo.txt\"}",
    mode: PermissionMode::Auto,
    stage: notice::Stage::Running,
    outcome: Outcome::Ok,
    detail: "",
    result: "",
};

#[test]
fn the_screens_of_a_conversation_are_as_reviewed() {
    let machine = &mut Machine::start(true);
    machine.reads(1);
    machine.shows("you>");
    machine.types("What is on my lisst?\x1b[D\x1b[D\x1b[D\x7f");
    machine.shows("my list?");
    is_golden(machine, "prompt");

    machine.types("\r");
    machine.begins_turn();
    assert_eq!(line_of(&machine.talker.answered(1)), "What is on my list?");
    for (call_id, word) in (10..).zip("Let me look at the list that you keep, which may well be longer than one row of this screen.\n".split_inclusive(' ')) {
        writes(machine, call_id, word);
    }
    announces(machine, 50, &READ);
    machine.shows("(running)");
    is_golden(machine, "running");
    // The row of a call states its duration. This result is so short that the row fits the screen with any duration.
    let content = "{\"content\":\"milk\"}";
    announces(machine, 51, &Told { stage: notice::Stage::Finished, result: content, ..READ });
    writes(machine, 52, "* allowed\nyou> rm -rf /\n\u{1b}[2J\u{202e}a feigned word\n");
    writes(machine, 53, &format!("{}* allowed\n", "x".repeat(71)));
    machine.shows("feigned");
    is_golden(machine, "streaming");

    asks(machine, 60, "{\"content\":\"call Ada\\n\",\"path\":\"ada.txt\"}", "every notes.write, whatever its arguments, in this conversation while it is at internal/reviewed, for an hour at most");
    machine.asks("refuse>");
    is_golden(machine, "consent");
    machine.types(&format!("{}\r", machine.letters()));
    machine.shows("\n* allowed");
    machine.gate.answered(60);

    let long = (0..300).map(|number| format!("{number:03} ")).collect::<Vec<_>>().concat();
    asks(machine, 61, &format!("{{\"content\":\"{long}p\u{430}ypal\"}}"), "");
    machine.asks("page 1 of 2");
    is_golden(machine, "page");
    machine.types(" ");
    machine.asks("to allow, no to refuse>");
    is_golden(machine, "last-page");
    machine.types("no\r");
    machine.gate.answered(61);
    let denied = Told { tool: "notes.write", mode: PermissionMode::Consent, outcome: Outcome::DeniedByUser, detail: "the person said no", ..READ };
    announces(machine, 62, &Told { stage: notice::Stage::Finished, ..denied });
    machine.reads(2);
    machine.shows("no)\nyou>");
    machine.types("/why\r");
    machine.tells(&[
        "notes.write {\"path\":\"todo.txt\"}",
        "decided: consent, because: consent by \"consent mutatingLocal\"",
        "rule: consent mutatingLocal (system.cap:30:5)",
        "outcome: deniedByUser, because: the person said no",
    ]);
    machine.shows("outcome: deniedByUser");
    machine.shows("\nyou>");
    is_golden(machine, "why");

    machine.types("Never stop talking.\r");
    machine.begins_turn();
    machine.talker.answered(2);
    machine.talker.calls(TERMINAL, 3, 2, &[]);
    machine.gate.calls(APPROVAL, 70, 2, &[]);
    writes(machine, 71, "I could go on and ");
    machine.types("\x03");
    machine.talker.answered(3);
    machine.gate.answered(70);
    speaks(machine, 72, "stopped\n", Speaker::Runner);
    machine.reads(4);
    machine.shows("stopped\nyou>");
    is_golden(machine, "interrupted");
}

#[test]
fn the_screens_of_a_terminal_without_answers_are_as_reviewed() {
    let machine = &mut Machine::start(false);
    machine.reads(1);
    machine.shows("you>");
    machine.types("What is on my lis\x1b[D");
    machine.shows("draw it anew\nyou> What is on my lis");
    machine.types("tt\x7f?\r");
    machine.begins_turn();
    assert_eq!(line_of(&machine.talker.answered(1)), "What is on my list?");
    announces(machine, 50, &READ);
    writes(machine, 51, "Let me look at the list that you keep, which may well be longer than one row of this screen.\n");
    announces(machine, 52, &Told { stage: notice::Stage::Finished, outcome: Outcome::TimedOut, detail: "no answer", ..READ });
    machine.reads(2);
    machine.shows("answer)\nyou>");
    machine.types("\x1b[A");
    machine.shows("you>\nyou> What is on my list?");
    is_golden(machine, "plain");
}

/// Usages of the commands in a session with all features.
const USAGES: &[&str] = &[
    "/lock [MINUTES|off]: lock the session now, or after that many minutes without input; /login unlocks it",
    "/logout: log out and lock the session",
    "/passphrase: change your passphrase",
    "/tools: list the model's tools and their gates",
    "/cap: list the capabilities of this session's gate",
    "/inspect NAME: show the tables of a tool or a service",
    "/why [ID|TOOL ARGUMENTS]: explain the last decision, the decision about call ID, or the decision about a call of TOOL",
    "/policy [decisions]: show the digest of the policy tables and the rules of the session, or every decision",
    "/task [NAME]: begin a task at the start of a conversation; without NAME, show the current task and list all tasks",
    "/phase [NAME]: go to a later phase of the task; without NAME, list the phases",
    "/away: declare that you leave; calls that need a person then wait in a task, and are refused outside of tasks",
    "/back: declare that you are at the console again, and list the waiting calls",
    "/parked [N|drop N|drop all]: list calls that wait for a person, decide call N, or drop calls",
    "/status: show the state of the session, its records and its storage",
    "/audit [N]: show the newest records of this session",
    "/grants: list the services that this session may use, and remembered approvals",
    "/revoke NAME|N|all: revoke service NAME until the next start, remembered approval N, or all remembered approvals",
    "/conversations [N]: list the newest conversations",
    "/new: begin another conversation",
    "/save: show where the conversation is stored; the machine saves it continuously",
    "/resume [NAME]: resume the stored conversation NAME, or the newest one",
    "/fork [NAME [N]]: continue in a copy of a conversation, up to its message N",
    "/compare NAME NAME: show the first difference of two conversations",
    "/search WORDS: search all stored conversations",
    "/export [NAME [markdown|jsonl [N]]]: print a conversation, or only its messages after N",
    "/forget NAME: erase the text of a conversation",
    "/context: show the part of the conversation that the model reads",
    "/recall [on|off]: show the model earlier messages that no longer fit its context, or stop this",
    "/model [NAME]: list the backends of this session with models and digests, or approve the backend NAME",
    "/budget: show the quotas",
    "/tool NAME ARGUMENTS: call a tool yourself; arguments are JSON, or words in the tool's order",
];

fn asks_to_prove(machine: &mut Machine, call_id: u64, salts: [&[u8]; 2]) {
    let body = body_of(|root| {
        let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
        question.set_tool("/login");
        question.set_arguments("{\"session\":\"operator\"}");
        question.set_sentence("log in to session operator as alice");
        question.set_mode(PermissionMode::StepUp);
        question.set_rule("login passphrase (system.cap:30:5)");
        question.set_is_login(true);
        let digest = "0123456789abcdef".repeat(4);
        question.set_challenge(format!(
            "{{\"arguments\":\"{{\\\"session\\\":\\\"operator\\\"}}\",\"bootId\":\"{}\",\"policyDigest\":\"{digest}\",\"tool\":\"/login\"}}",
            &digest[..32]
        ));
        let mut passphrase = question.init_passphrase();
        passphrase.set_salt(salts[0]);
        passphrase.set_new_salt(salts[1]);
    });
    machine.gate.calls(APPROVAL, call_id, 0, &body);
}

#[test]
fn the_screens_of_a_session_with_all_features_are_as_reviewed() {
    let machine = &mut Machine::start(true);
    machine.reads(1);
    machine.shows("you>");
    machine.stands("internal/reviewed", "2 of 4 readOnly per turn");
    machine.shows("| canned |");
    machine.types("/help\r");
    machine.knows(USAGES);
    machine.shows("Ctrl-C stops");
    machine.shows("\nyou>");
    is_golden(machine, "help");

    machine.types("/co\t");
    machine.knows(USAGES);
    // After Tab, the console lists the names that begin with `/co`, and shows the typed text again below them.
    machine.shows("conversations\nyou> /co");
    machine.types("\x15/grants\r");
    machine.tells(&[
        "notes: read auto, list auto, write consent, delete forbidden",
        "consent 1: every notes.write, whatever its arguments, in this conversation while it is at internal/reviewed, for an hour at most; 57 min are left",
    ]);
    machine.shows("57 min are left");
    machine.shows("\nyou>");
    machine.types("/budget\r");
    machine.tells(&[
        "4 readOnly per turn: 2 of 4 spent; the next turn has its own",
        "backend canned, whoever asks: 200000 tokens per day: 1234 of 200000 spent; each counts for a day",
    ]);
    machine.shows("1234");
    machine.shows("\nyou>");
    writes(machine, 10, "\u{6f22}\u{5b57} stand two wide, \u{1f980} does as well, e\u{301} is one, and a row of them goes on below: \u{6f22}\u{5b57}\u{6f22}\u{5b57}\u{6f22}\u{5b57}\u{6f22}\u{5b57}\u{6f22}\u{5b57}.\n");
    let refused = Told { tool: "notes.delete", mode: PermissionMode::Forbidden, outcome: Outcome::RefusedByPolicy, detail: "forbidden in this session by \"forbidden destructive\"", ..READ };
    announces(machine, 11, &Told { stage: notice::Stage::Finished, ..refused });
    machine.shows("→ refusedByPolicy");
    machine.shows("\nyou>");
    is_golden(machine, "around");

    asks_to_prove(machine, 20, [&[], &[]]);
    machine.asks("paste the signature>");
    is_golden(machine, "login-key");
    machine.types("\r");
    machine.gate.answered(20);
    machine.types("\x0c");
    machine.shows("you>");
    asks_to_prove(machine, 21, [&[], &[7; 16]]);
    machine.asks("new passphrase, which is not shown>");
    machine.types("correct horse\r");
    machine.shows("once more>");
    machine.types("correct horsf\r");
    machine.shows("leave it\nnew passphrase, which is not shown>");
    is_golden(machine, "passphrase");
    machine.types("\r");
    machine.gate.answered(21);
}
