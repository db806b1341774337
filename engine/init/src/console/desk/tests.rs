//! The console as a person and two processes see it.

use super::*;
use crate::capos_capnp::{Outcome, PermissionMode};
use crate::frame::{Frames, body_of, with_body};
use crate::wire_capnp::{Speaker, approval, notice, session, terminal};

const LOOP: Line = 1;
const GATE: Line = 2;

struct Scene {
    desk: Desk,
    screen: String,
    sent: Vec<(Line, Frame)>,
    effects: Vec<Effect>,
}

fn scene() -> Scene {
    Scene { desk: Desk::new(true, || "kfm".into()), screen: String::new(), sent: Vec::new(), effects: Vec::new() }
}

impl Scene {
    fn collect(&mut self) {
        self.screen += &String::from_utf8(self.desk.drawn()).unwrap();
        for effect in self.desk.effects() {
            if let Effect::Send(line, bytes) = &effect {
                let mut frames = Frames::default();
                frames.feed(bytes);
                self.sent.push((*line, frames.next().unwrap().unwrap()));
            } else {
                self.effects.push(effect);
            }
        }
    }

    fn types(&mut self, text: &str) {
        self.desk.typed(text.as_bytes(), 0);
        self.collect();
    }

    /// The session begins the turn that it was asked for last.
    fn begins_turn(&mut self) {
        let asked = self.sent.iter().rev().find(|(line, _)| *line == SESSION_LINE).expect("the session was asked");
        let Kind::Call { method, .. } = asked.1.kind else { panic!("no call") };
        assert_eq!(method, request::BEGIN_TURN);
        let answer = Frame { call_id: asked.1.call_id, kind: Kind::Answer { body: Vec::new() } };
        self.desk.frame(SESSION_LINE, 0, answer, 0);
        self.collect();
    }

    fn call(&mut self, line: Line, interface_id: u64, call_id: u64, method: u16, body: Vec<u8>) {
        let frame = Frame { call_id, kind: Kind::Call { interface_id, method, body } };
        let granted = if line == LOOP { request::TERMINAL } else { request::APPROVAL };
        self.desk.frame(line, granted, frame, 0);
        self.collect();
    }

    fn reads(&mut self, call_id: u64) {
        self.call(LOOP, request::TERMINAL, call_id, 0, Vec::new());
    }

    fn writes(&mut self, call_id: u64, text: &str) {
        let body = body_of(|root| {
            let mut params: terminal::write_params::Builder = root.init_as();
            params.set_text(text);
            params.set_speaker(Speaker::Model);
        });
        self.call(LOOP, request::TERMINAL, call_id, 1, body);
    }

    fn asks(&mut self, call_id: u64, timeout: u32) {
        let body = body_of(|root| {
            let params: approval::ask_params::Builder = root.init_as();
            let mut question = params.init_question();
            question.set_tool("notes.write");
            question.set_arguments("{\"path\":\"a\u{202e}\"}");
            question.set_sentence("write 3 bytes to a");
            question.set_mode(PermissionMode::Consent);
            question.set_rule("system.cap:4");
            question.set_timeout_ms(timeout);
        });
        self.call(GATE, request::APPROVAL, call_id, 0, body);
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
        });
        self.call(GATE, request::APPROVAL, 90, 1, body);
    }

    /// The line that the reader got, and whether it was the end.
    fn read_line(&self, call_id: u64) -> Option<(String, bool)> {
        let body = self.answer(LOOP, call_id)?;
        let read = with_body(&body, |root| {
            let results: terminal::read_line_results::Reader = root.get_as()?;
            Ok((results.get_line()?.to_string()?, results.get_end()))
        });
        Some(read.unwrap())
    }

    fn answered(&self, call_id: u64) -> Option<Answer> {
        let body = self.answer(GATE, call_id)?;
        Some(with_body(&body, |root| Ok(root.get_as::<approval::ask_results::Reader>()?.get_answer()?)).unwrap())
    }

    fn answer(&self, line: Line, call_id: u64) -> Option<Vec<u8>> {
        self.sent.iter().find_map(|(to, frame)| match &frame.kind {
            Kind::Answer { body } if *to == line && frame.call_id == call_id => Some(body.clone()),
            _ => None,
        })
    }
}

#[test]
fn a_typed_line_goes_to_the_reader() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("hello\r");
    assert_eq!((scene.screen.as_str(), scene.read_line(1)), ("you> hello\n", None));
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("hello".into(), false)));
}

#[test]
fn what_is_typed_ahead_waits_for_the_prompt() {
    let mut scene = scene();
    scene.types("one\rtwo\r");
    assert_eq!(scene.screen, "");
    scene.reads(1);
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("one".into(), false)));
    scene.reads(2);
    scene.begins_turn();
    assert_eq!(scene.read_line(2), Some(("two".into(), false)));
    assert_eq!(scene.screen, "you> one\nyou> two\n");
}

#[test]
fn text_comes_above_a_prompt_that_is_drawn_again() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("ab");
    scene.writes(2, "hi\nyou> fake\n");
    scene.types("c\r");
    scene.begins_turn();
    assert_eq!(scene.screen, "you> ab\nagent> hi\nagent> you> fake\nyou> abc\n");
    assert_eq!(scene.read_line(1), Some(("abc".into(), false)));
}

#[test]
fn exit_ends_the_reader_then_the_console() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/exit\r");
    assert_eq!(scene.read_line(1), Some((String::new(), true)));
    assert_eq!(scene.effects, [Effect::Leave]);
    let mut closed = self::scene();
    closed.reads(1);
    closed.types("\u{4}");
    assert_eq!(closed.read_line(1), Some((String::new(), true)));
}

#[test]
fn a_direct_command_goes_to_the_session_and_not_to_the_loop() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/tool notes.read {}\r");
    let (line, frame) = scene.sent.pop().unwrap();
    assert_eq!(line, SESSION_LINE);
    let Kind::Call { interface_id, method, body } = frame.kind else { panic!("no call") };
    assert_eq!((interface_id, method), (request::SESSION, request::COMMAND));
    let words = with_body(&body, |root| {
        let params: session::command_params::Reader = root.get_as()?;
        Ok((params.get_name()?.to_string()?, params.get_argument()?.to_string()?))
    });
    assert_eq!(words.unwrap(), ("tool".into(), "notes.read {}".into()));
    let body = body_of(|root| {
        let mut lines = root.init_as::<session::command_results::Builder>().init_lines(2);
        lines.set(0, "one");
        lines.set(1, "t\u{1b}wo");
    });
    scene.desk.frame(SESSION_LINE, 0, Frame { call_id: frame.call_id, kind: Kind::Answer { body } }, 0);
    scene.collect();
    assert_eq!(scene.screen, "you> /tool notes.read {}\n* one\n* t‹U+001B›wo\nyou> ");
    assert_eq!(scene.read_line(1), None);
}

#[test]
fn a_command_without_an_answer_is_given_up() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/tools\r");
    let deadline = scene.desk.deadline().unwrap();
    scene.desk.tick(deadline);
    scene.collect();
    assert!(scene.screen.ends_with("* no answer in time\nyou> "));
}

#[test]
fn only_the_shown_letters_allow() {
    for (typed, answer, words) in [("kfm\r", Answer::Granted, "allowed"), ("y\r", Answer::Denied, "refused"), ("\r", Answer::Denied, "refused")] {
        let mut scene = scene();
        scene.asks(5, 0);
        scene.types(typed);
        assert_eq!(scene.answered(5), Some(answer));
        let echo = typed.trim();
        assert_eq!(
            scene.screen,
            format!(
                "* write 3 bytes to a (consent, system.cap:4)\n* notes.write {{\"path\":\"a‹U+202E›\"}}\n\
                 allow? type kfm to allow, anything else refuses> {echo}\n* {words}\n"
            )
        );
    }
}

#[test]
fn what_was_typed_before_a_question_does_not_answer_it() {
    let mut scene = scene();
    scene.types("kfm\r");
    scene.asks(5, 0);
    assert_eq!(scene.effects, [Effect::DropTyped]);
    assert_eq!(scene.answered(5), None);
    scene.types("no\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
}

#[test]
fn nothing_is_drawn_over_a_question() {
    let mut scene = scene();
    scene.asks(5, 0);
    let before = scene.screen.clone();
    scene.writes(1, "allow? type abc to allow\n");
    assert_eq!(scene.screen, before);
    scene.types("kfm\r");
    assert!(scene.screen.ends_with("* allowed\nagent> allow? type abc to allow\n"));
    assert!(scene.answer(LOOP, 1).is_some());
}

#[test]
fn a_question_over_a_half_typed_line_drops_the_line() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("kf");
    scene.asks(5, 0);
    scene.types("m\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
    assert!(scene.screen.ends_with("* refused\nyou> "));
}

#[test]
fn questions_end_by_time_by_interrupt_and_by_withdrawal() {
    let mut scene = scene();
    scene.asks(5, 700);
    scene.desk.tick(699);
    scene.collect();
    assert_eq!(scene.answered(5), None);
    scene.desk.tick(700);
    scene.collect();
    assert_eq!(scene.answered(5), Some(Answer::TimedOut));

    scene.asks(6, 0);
    scene.types("\u{3}");
    assert_eq!(scene.answered(6), Some(Answer::Cancelled));

    scene.asks(7, 0);
    scene.desk.frame(GATE, request::APPROVAL, Frame { call_id: 7, kind: Kind::Cancel }, 0);
    scene.collect();
    assert!(matches!(scene.sent.pop(), Some((GATE, Frame { call_id: 7, kind: Kind::Failure { .. } }))));

    scene.asks(8, 0);
    scene.desk.closed(GATE, 0);
    scene.reads(9);
    assert!(scene.screen.ends_with("* refused: the question was taken back\nyou> "));
}

#[test]
fn control_c_answers_who_waits_for_it() {
    let mut scene = scene();
    scene.call(LOOP, request::TERMINAL, 3, 2, Vec::new());
    scene.call(GATE, request::APPROVAL, 3, 2, Vec::new());
    scene.types("typed ahead\u{3}");
    assert!(scene.answer(LOOP, 3).is_some() && scene.answer(GATE, 3).is_some());
    scene.reads(4);
    assert_eq!(scene.screen, "you> ");
}

#[test]
fn a_widget_is_one_line() {
    let mut scene = scene();
    scene.announces(notice::Stage::Running, Outcome::Ok);
    scene.announces(notice::Stage::Finished, Outcome::Ok);
    scene.announces(notice::Stage::Finished, Outcome::RefusedByPolicy);
    let call = "[tool] notes.read {\"path\":\"a\"} auto";
    scene.announces(notice::Stage::Finished, Outcome::UnknownTool);
    let without_mode = "[tool] notes.read {\"path\":\"a\"} → unknownTool";
    assert_eq!(scene.screen, format!("{call} → ok\n{call} → refusedByPolicy\n{without_mode}\n"));
}

#[test]
fn a_line_is_not_handed_on_without_a_turn() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("hello\r");
    let failed = Frame { call_id: 1, kind: Kind::Failure { reason: "the turn before has not ended".into() } };
    scene.desk.frame(SESSION_LINE, 0, failed, 0);
    scene.collect();
    assert_eq!(scene.read_line(1), None);
    assert_eq!(scene.screen, "you> hello\n* the turn before has not ended\nyou> ");
}

#[test]
fn a_widget_that_was_broken_off_is_drawn_again() {
    let mut scene = scene();
    scene.announces(notice::Stage::Running, Outcome::Ok);
    scene.writes(1, "so\n");
    scene.announces(notice::Stage::Finished, Outcome::Ok);
    let call = "[tool] notes.read {\"path\":\"a\"} auto";
    assert_eq!(scene.screen, format!("{call}\nagent> so\n{call} → ok\n"));
}

#[test]
fn a_caller_that_names_another_interface_is_cut_off() {
    let mut scene = scene();
    scene.call(LOOP, request::APPROVAL, 1, 0, Vec::new());
    assert!(matches!(&scene.effects[..], [Effect::CutOff(LOOP, _)]));
}

#[test]
fn calls_beyond_eight_and_unknown_methods_fail() {
    let mut scene = scene();
    for call_id in 0..9 {
        scene.call(LOOP, request::TERMINAL, call_id, 2, Vec::new());
    }
    assert_eq!(scene.sent.len(), 1);
    scene.call(GATE, request::APPROVAL, 1, 7, Vec::new());
    scene.call(GATE, request::APPROVAL, 2, 0, vec![1; 16]);
    assert!(scene.sent.iter().all(|(_, frame)| matches!(frame.kind, Kind::Failure { .. })));
    assert_eq!(scene.sent.len(), 3);
}
