//! Tests the console from the side of a person and two processes.

mod activity;
mod commands;
mod drawing;
mod editing;
mod hostile;
mod prompt;
mod questions;
mod searching;
mod sessions;
mod size;
mod standing;
mod unseen;
mod walk;

use super::*;
use crate::capos_capnp::{Outcome, PermissionMode};
use crate::console::keyboard::Stroke;
use crate::console::request;
use crate::frame::{Frame, Frames, Kind, body_of, with_body};
use crate::supervise::request as supervision;
use crate::wire_capnp::{Speaker, approval, notice, session, terminal};

const SESSION: Line = 0;
const VISITOR: Line = 1;
const SUPERVISOR: Line = 2;
const LOOP: Line = 3;
const GATE: Line = 4;
const VISITORS_LOOP: Line = 5;
const VISITORS_GATE: Line = 6;

struct Scene {
    desk: Desk,
    screen: String,
    sent: Vec<(Line, Frame)>,
    /// The console's calls that request init's notices.
    notices: Vec<(Line, Frame)>,
    /// The console's calls that request the status of a session.
    standings: Vec<(Line, Frame)>,
    effects: Vec<Effect>,
    /// Numbers of rows and columns that the terminal reports; `None` if it reports none. Requests for the size are not drawn.
    window: Option<(u16, u16)>,
    /// Whether the gates confirm the locks of their sessions at once.
    locks_at_once: bool,
}

fn scene() -> Scene {
    let mut scene = scene_without_a_visitor();
    scene.desk.granted(VISITORS_LOOP, request::TERMINAL, "loop.visitor");
    scene.collect();
    scene
}

/// Returns a scene whose second session has a gate but no loop.
fn scene_without_a_visitor() -> Scene {
    let sessions = vec![("operator".into(), SESSION), ("visitor".into(), VISITOR)];
    let mut desk = Desk::new(HeldLines { sessions, supervisor: Some(SUPERVISOR) }, Font::Terminal, {
        let mut letters = ["kfm", "qwz"].into_iter().cycle();
        move || letters.next().expect("there is always one more").into()
    });
    // The screen is so wide that no line is split; the tests of `pen` cover split lines.
    desk.pen.set_screen(Screen { columns: 1_000_000, moves: false, ..Screen::default() });
    // A separate test covers the notice that the size is unknown.
    desk.probes.told_unknown = true;
    for (line, interface_id, holder) in [
        (LOOP, request::TERMINAL, "loop.operator"),
        (GATE, request::APPROVAL, "gate.operator"),
        (VISITORS_GATE, request::APPROVAL, "gate.visitor"),
    ] {
        desk.granted(line, interface_id, holder);
    }
    let (sent, notices, standings, effects) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut scene = Scene { desk, screen: String::new(), sent, notices, standings, effects, window: None, locks_at_once: true };
    scene.collect();
    scene
}

/// Returns a scene with a screen of 80 columns.
fn narrow() -> Scene {
    let mut scene = scene();
    scene.desk.pen.set_screen(Screen::default());
    scene
}

impl Scene {
    /// Returns the rows that a terminal of 25 rows and 80 columns shows.
    fn rows(&self) -> Vec<String> {
        let mut terminal = vt100::Parser::new(25, 80, 0);
        terminal.process(self.screen.replace('\n', "\r\n").as_bytes());
        terminal.screen().rows(0, 80).collect()
    }

    /// Sets the terminal's size, which it reports from now on.
    fn is_window(&mut self, rows: u16, columns: u16) {
        self.window = Some((rows, columns));
        self.desk.pen.set_screen(Screen::default().of_size(rows, columns));
    }

    fn collect(&mut self) {
        self.collect_at(0);
    }

    fn collect_at(&mut self, now: u64) {
        while !self.desk.drawn().is_empty() {
            let drawn = std::str::from_utf8(self.desk.drawn()).unwrap().to_owned();
            self.desk.wrote(drawn.len(), now);
            let Some((rows, columns)) = self.window else {
                self.screen += &drawn;
                continue;
            };
            self.screen += &drawn.replace(crate::console::screen::SIZE_PROBE, "");
            let asked = drawn.matches(crate::console::screen::SIZE_PROBE).count();
            self.desk.typed(format!("\x1b[{rows};{columns}R").repeat(asked).as_bytes());
        }
        let mut locks = Vec::new();
        for effect in self.desk.effects() {
            if let Effect::Send(line, bytes) = &effect {
                let mut frames = Frames::default();
                frames.feed(bytes);
                let frame = frames.take_frame().unwrap().unwrap();
                let is_notices = matches!(frame.kind, Kind::Call { method: supervision::READ_NOTICES, .. });
                if self.locks_at_once && command_in(&frame).as_deref() == Some("lock") {
                    locks.push((*line, frame.call_id));
                }
                let is_standing = matches!(frame.kind, Kind::Call { interface_id: request::SESSION, method: request::STANDING, .. });
                let sent = match (is_notices, is_standing) {
                    (true, _) => &mut self.notices,
                    (_, true) => &mut self.standings,
                    (false, false) => &mut self.sent,
                };
                sent.push((*line, frame));
            } else {
                self.effects.push(effect);
            }
        }
        locks.into_iter().for_each(|(line, call_id)| self.answers(line, call_id, lines(&[])));
    }

    /// Returns the commands of the calls on a connection, in order.
    fn commands(&self, line: Line) -> Vec<String> {
        self.sent.iter().filter(|(to, _)| *to == line).filter_map(|(_, frame)| command_in(frame)).collect()
    }

    /// Returns the id of the last call with this command on a connection.
    fn commanded(&self, line: Line, name: &str) -> u64 {
        let is_meant = |(to, frame): &&(Line, Frame)| *to == line && command_in(frame).as_deref() == Some(name);
        self.sent.iter().rev().find(is_meant).expect("the command was sent").1.call_id
    }

    fn types(&mut self, text: &str) {
        self.desk.typed(text.as_bytes());
        self.collect();
    }

    /// Makes the gate of the current session begin the last requested turn.
    fn begins_turn(&mut self) {
        let line = [SESSION, VISITOR][self.desk.current];
        let asked = self.sent.iter().rev().find(|(to, _)| *to == line).expect("the session was asked");
        let Kind::Call { method, body, .. } = &asked.1.kind else { panic!("no call") };
        assert_eq!(*method, request::BEGIN_TURN);
        let said = crate::frame::with_body(body, |root| Ok(root.get_as::<session::begin_turn_params::Reader>()?.get_said()?.to_vec()));
        assert_eq!(said.unwrap().len(), 32);
        let answer = Frame { call_id: asked.1.call_id, kind: Kind::Answer { body: Vec::new() } };
        self.desk.frame(line, answer);
        self.collect();
    }

    fn call(&mut self, line: Line, interface_id: u64, call_id: u64, method: u16, body: Vec<u8>) {
        let frame = Frame { call_id, kind: Kind::Call { interface_id, method, body } };
        self.desk.frame(line, frame);
        self.collect();
    }

    fn reads(&mut self, call_id: u64) {
        self.call(LOOP, request::TERMINAL, call_id, 0, Vec::new());
    }

    fn answers(&mut self, line: Line, call_id: u64, body: Vec<u8>) {
        self.desk.frame(line, Frame { call_id, kind: Kind::Answer { body } });
        self.collect();
    }

    fn ends(&mut self, line: Line) {
        self.desk.closed(line);
        self.collect();
    }

    /// Returns the last call of the console on one of its connections to other processes.
    fn called(&self, line: Line) -> (u64, u64, u16, Vec<u8>) {
        let (_, frame) = self.sent.iter().rev().find(|(to, _)| *to == line).expect("a call");
        match &frame.kind {
            Kind::Call { interface_id, method, body } => (frame.call_id, *interface_id, *method, body.clone()),
            other => panic!("no call: {other:?}"),
        }
    }

    fn writes(&mut self, call_id: u64, text: &str) {
        self.writes_as(LOOP, call_id, text);
    }

    fn writes_as(&mut self, line: Line, call_id: u64, text: &str) {
        self.speaks(line, call_id, text, Speaker::Model);
    }

    fn speaks(&mut self, line: Line, call_id: u64, text: &str, speaker: Speaker) {
        let body = body_of(|root| {
            let mut params: terminal::write_params::Builder = root.init_as();
            params.set_text(text);
            params.set_speaker(speaker);
        });
        self.call(line, request::TERMINAL, call_id, 1, body);
    }

    fn asks(&mut self, call_id: u64, timeout: u32) {
        self.asks_for(GATE, call_id, timeout, PermissionMode::Consent, "");
    }

    fn asks_for(&mut self, line: Line, call_id: u64, timeout: u32, mode: PermissionMode, challenge: &str) {
        let body = body_of(|root| {
            let params: approval::ask_params::Builder = root.init_as();
            let mut question = params.init_question();
            question.set_tool("notes.write");
            question.set_arguments("{\"path\":\"a\u{202e}\"}");
            question.set_sentence("write 3 bytes to a");
            question.set_mode(mode);
            question.set_challenge(challenge);
            question.set_rule("system.cap:4");
            question.set_timeout_ms(timeout);
        });
        self.call(line, request::APPROVAL, call_id, 0, body);
    }

    fn announces(&mut self, stage: notice::Stage, outcome: Outcome) {
        let body = body_of(|root| {
            let params: approval::announce_params::Builder = root.init_as();
            let mut notice = params.init_notice();
            notice.set_tool("notes.read");
            notice.set_arguments("{\"path\":\"a\"}");
            notice.set_has_mode(outcome != Outcome::UnknownTool);
            notice.set_stage(stage);
            notice.set_outcome(outcome);
            if stage == notice::Stage::Finished && outcome == Outcome::Ok && self.desk.now > 0 {
                notice.set_result("{\"content\":\"b\nc\"}");
            }
        });
        self.call(GATE, request::APPROVAL, 90, 1, body);
    }

    /// Returns the line that the loop gets, and whether the input has ended; `None` if this call has no answer yet.
    fn read_line(&self, call_id: u64) -> Option<(String, bool)> {
        self.line_of(LOOP, call_id)
    }

    fn line_of(&self, reader: Line, call_id: u64) -> Option<(String, bool)> {
        let body = self.answer(reader, call_id)?;
        let read = with_body(&body, |root| {
            let results: terminal::read_line_results::Reader = root.get_as()?;
            Ok((results.get_line()?.to_string()?, results.get_end()))
        });
        Some(read.unwrap())
    }

    fn answered(&self, call_id: u64) -> Option<Answer> {
        self.signed(call_id).map(|(answer, _)| answer)
    }

    fn signed(&self, call_id: u64) -> Option<(Answer, String)> {
        let body = self.answer(GATE, call_id)?;
        let read = with_body(&body, |root| {
            let results: approval::ask_results::Reader = root.get_as()?;
            Ok((results.get_answer()?, results.get_signature()?.to_string()?))
        });
        Some(read.unwrap())
    }

    fn answer(&self, line: Line, call_id: u64) -> Option<Vec<u8>> {
        self.sent.iter().find_map(|(to, frame)| match &frame.kind {
            Kind::Answer { body } if *to == line && frame.call_id == call_id => Some(body.clone()),
            _ => None,
        })
    }

    /// Makes a loop write while the terminal accepts nothing.
    fn floods(&mut self, calls: std::ops::Range<u64>) {
        for call_id in calls {
            let body = body_of(|root| {
                let mut params: terminal::write_params::Builder = root.init_as();
                params.set_text("\u{1}".repeat(16 * 1024));
                params.set_speaker(Speaker::Model);
            });
            let kind = Kind::Call { interface_id: request::TERMINAL, method: 1, body };
            self.desk.frame(LOOP, Frame { call_id, kind });
        }
    }

    fn asks_about(&mut self, call_id: u64, arguments: &str) {
        self.desk.frame(GATE, Frame { call_id, kind: asking(arguments, 0) });
        self.collect();
    }

    fn offers(&mut self, call_id: u64, remembers: &str) {
        let body = body_of(|root| {
            let params: approval::ask_params::Builder = root.init_as();
            let mut question = params.init_question();
            question.set_tool("notes.write");
            question.set_mode(PermissionMode::Consent);
            question.set_may_remember(true);
            question.set_remembers(remembers);
        });
        self.call(GATE, request::APPROVAL, call_id, 0, body);
    }

    fn asks_undrawn(&mut self, call_id: u64, timeout: u32) {
        self.desk.frame(GATE, Frame { call_id, kind: asking("{}", timeout) });
    }

    /// Sends notices of init; the console confirms the drawing by its next request.
    fn told(&mut self, first: u64, lines: &[&str]) {
        let (line, Frame { call_id, .. }) = self.notices.pop().expect("the console asks");
        assert_eq!(line, SUPERVISOR);
        let body = body_of(|root| {
            let results: crate::wire_capnp::supervisor::read_notices_results::Builder = root.init_as();
            let mut list = results.init_lines(lines.len() as u32);
            for (index, text) in (0..).zip(lines) {
                list.reborrow().get(index).set_sequence(first + u64::from(index));
                list.reborrow().get(index).set_text(text);
            }
        });
        self.answers(SUPERVISOR, call_id, body);
    }
}

/// Returns the name of the command in a call to a gate; `None` for any other frame.
fn command_in(frame: &Frame) -> Option<String> {
    let Kind::Call { interface_id: request::SESSION, method: request::COMMAND, body } = &frame.kind else { return None };
    let read = with_body(body, |root| Ok(root.get_as::<session::command_params::Reader>()?.get_name()?.to_string()?));
    Some(read.unwrap())
}

/// Returns a gate's response to a command.
fn lines(texts: &[&str]) -> Vec<u8> {
    body_of(|root| {
        let mut lines = root.init_as::<session::command_results::Builder>().init_lines(texts.len() as u32);
        (0..).zip(texts).for_each(|(index, text)| lines.set(index, text));
    })
}

fn asking(arguments: &str, timeout: u32) -> Kind {
    let body = body_of(|root| {
        let params: approval::ask_params::Builder = root.init_as();
        let mut question = params.init_question();
        question.set_tool("notes.write");
        question.set_arguments(arguments);
        question.set_sentence("write 3 bytes to a");
        question.set_mode(PermissionMode::Consent);
        question.set_rule("system.cap:4");
        question.set_timeout_ms(timeout);
    });
    Kind::Call { interface_id: request::APPROVAL, method: 0, body }
}
