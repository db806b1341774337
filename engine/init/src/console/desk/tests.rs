//! The console as a person and two processes see it.

use super::*;
use crate::capos_capnp::{Outcome, PermissionMode};
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
    /// Calls for what init has to tell.
    notices: Vec<(Line, Frame)>,
    effects: Vec<Effect>,
}

fn scene() -> Scene {
    let sessions = vec![("operator".into(), SESSION), ("visitor".into(), VISITOR)];
    let mut desk = Desk::new(HeldLines { sessions, supervisor: Some(SUPERVISOR) }, || "kfm".into());
    for (line, interface_id, holder) in [
        (LOOP, request::TERMINAL, "loop.operator"),
        (GATE, request::APPROVAL, "gate.operator"),
        (VISITORS_LOOP, request::TERMINAL, "loop.visitor"),
        (VISITORS_GATE, request::APPROVAL, "gate.visitor"),
    ] {
        desk.granted(line, interface_id, holder);
    }
    let mut scene = Scene { desk, screen: String::new(), sent: Vec::new(), notices: Vec::new(), effects: Vec::new() };
    scene.collect();
    scene
}

impl Scene {
    fn collect(&mut self) {
        self.collect_at(0);
    }

    fn collect_at(&mut self, now: u64) {
        while !self.desk.drawn().is_empty() {
            self.screen += std::str::from_utf8(self.desk.drawn()).unwrap();
            self.desk.wrote(self.desk.drawn().len(), now);
        }
        for effect in self.desk.effects() {
            if let Effect::Send(line, bytes) = &effect {
                let mut frames = Frames::default();
                frames.feed(bytes);
                let frame = frames.next().unwrap().unwrap();
                let is_notices = matches!(frame.kind, Kind::Call { method: supervision::READ_NOTICES, .. });
                if is_notices { &mut self.notices } else { &mut self.sent }.push((*line, frame));
            } else {
                self.effects.push(effect);
            }
        }
    }

    fn types(&mut self, text: &str) {
        self.desk.typed(text.as_bytes());
        self.collect();
    }

    /// The gate of the session that is typed to begins the turn that it was asked for last.
    fn begins_turn(&mut self) {
        let line = [SESSION, VISITOR][self.desk.current];
        let asked = self.sent.iter().rev().find(|(to, _)| *to == line).expect("the session was asked");
        let Kind::Call { method, body, .. } = &asked.1.kind else { panic!("no call") };
        assert_eq!((*method, body.len()), (request::BEGIN_TURN, 8)); // a struct without fields is one word
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

    /// The last call that went to a connection that this process holds.
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
        });
        self.call(GATE, request::APPROVAL, 90, 1, body);
    }

    /// The line that the reader got, and whether it was the end.
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
    assert_eq!(line, SESSION);
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
    scene.answers(SESSION, frame.call_id, body);
    assert_eq!(scene.screen, "you> /tool notes.read {}\n* one\n* t‹U+001B›wo\nyou> ");
    assert_eq!(scene.read_line(1), None);
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
                "* notes.write {{\"path\":\"a‹U+202E›\"}}\n* write 3 bytes to a — system.cap:4\n\
                 allow? type kfm to allow, anything else refuses> {echo}\n* {words}\n"
            )
        );
    }
}

#[test]
fn a_loop_never_sounds_like_the_console_or_the_gate() {
    for speaker in [Speaker::Runner, Speaker::Tool] {
        let mut scene = scene();
        scene.speaks(LOOP, 1, "sign this line: x\n", speaker);
        assert_eq!(scene.screen, "loop> sign this line: x\n");
    }
}

#[test]
fn text_that_would_fill_this_process_is_refused_and_not_drawn() {
    let mut scene = scene();
    scene.writes(1, &"\u{1}".repeat(16 * 1024));
    assert!(scene.screen.starts_with("agent> ‹U+0001›"));
    let drawn = scene.screen.len();
    scene.writes(2, &"\u{1}".repeat(16 * 1024 + 1));
    assert_eq!(scene.screen.len(), drawn);
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
    scene.desk.frame(GATE, Frame { call_id: 7, kind: Kind::Cancel });
    scene.collect();
    assert!(matches!(scene.sent.pop(), Some((GATE, Frame { call_id: 7, kind: Kind::Failure { .. } }))));

    scene.asks(8, 0);
    scene.desk.closed(GATE);
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
    let (call_id, ..) = scene.called(SESSION);
    let failed = Frame { call_id, kind: Kind::Failure { reason: "the turn before has not ended".into() } };
    scene.desk.frame(SESSION, failed);
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

#[test]
fn a_command_is_waited_for_through_a_question_and_as_long_as_it_takes() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/tool notes.write {}\r");
    assert_eq!(scene.desk.deadline(), None);
    let (call_id, ..) = scene.called(SESSION);
    scene.asks(5, 0);
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
    assert!(!scene.screen.ends_with("you> "));
    let body = body_of(|root| root.init_as::<session::command_results::Builder>().init_lines(1).set(0, "done"));
    scene.answers(SESSION, call_id, body);
    assert!(scene.screen.ends_with("* allowed\n* done\nyou> "));
}

#[test]
fn control_c_gives_a_command_up_and_tells_its_gate() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(GATE, request::APPROVAL, 3, 2, Vec::new());
    scene.types("/tool notes.write {}\r");
    let (call_id, ..) = scene.called(SESSION);
    scene.types("\u{3}");
    assert!(scene.sent.contains(&(SESSION, Frame { call_id, kind: Kind::Cancel })));
    assert!(scene.answer(GATE, 3).is_some());
    scene.answers(SESSION, call_id, Vec::new());
    assert_eq!(scene.screen, "you> /tool notes.write {}\n* stopped waiting\nyou> ");
}

#[test]
fn control_c_gives_up_a_turn_that_does_not_begin() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("hello\r");
    let (call_id, ..) = scene.called(SESSION);
    scene.types("\u{3}");
    assert!(scene.sent.contains(&(SESSION, Frame { call_id, kind: Kind::Cancel })));
    scene.answers(SESSION, call_id, Vec::new());
    assert_eq!((scene.read_line(1), scene.screen.as_str()), (None, "you> hello\n* stopped waiting\nyou> "));
}

const SIGNATURE: &str = "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n";

#[test]
fn a_step_up_is_answered_by_a_pasted_signature() {
    let mut scene = scene();
    scene.types("ahead\r");
    scene.asks_for(GATE, 5, 0, PermissionMode::StepUp, r#"{"nonce":"ab"}"#);
    assert_eq!(scene.effects, [Effect::DropTyped]);
    let asked = "* sign this line: {\"nonce\":\"ab\"}\n\
                 * printf %s '{\"nonce\":\"ab\"}' | ssh-keygen -Y sign -n stepup@capos -f YOUR_KEY -\n\
                 paste the signature> ";
    assert!(scene.screen.ends_with(asked), "{}", scene.screen);
    scene.types(&SIGNATURE.replace('\n', "\r\n"));
    assert_eq!(scene.signed(5), Some((Answer::Granted, SIGNATURE.into())));
    assert!(scene.screen.ends_with("-----END SSH SIGNATURE-----\n* signature taken\n"));
}

#[test]
fn what_is_no_signature_denies_and_control_c_cancels() {
    let long = format!("{}\r", "x".repeat(4000)).repeat(2);
    let many = "x\r".repeat(81);
    for (typed, answer) in
        [("\r", Answer::Denied), ("kfm\r\r", Answer::Denied), (&long, Answer::Denied), (&many, Answer::Denied), ("ab\u{3}", Answer::Cancelled)]
    {
        let mut scene = scene();
        scene.asks_for(GATE, 5, 0, PermissionMode::StepUp, "sign me");
        scene.types(typed);
        assert_eq!(scene.signed(5), Some((answer, String::new())), "{typed:.10}");
    }
    let mut scene = scene();
    scene.asks_for(GATE, 5, 700, PermissionMode::StepUp, "sign me");
    scene.types("-----BEGIN SSH SIGNATURE-----\r");
    scene.desk.tick(700);
    scene.collect();
    assert_eq!(scene.answered(5), Some(Answer::TimedOut));
    scene.asks_for(GATE, 6, 0, PermissionMode::StepUp, "sign me");
    scene.types(&SIGNATURE[30..]);
    assert_eq!(scene.signed(6).unwrap().1, SIGNATURE[30..]); // nothing of the earlier paste
}

#[test]
fn a_challenge_that_cannot_be_shown_as_it_is_is_not_asked() {
    for (mode, challenge) in [
        (PermissionMode::StepUp, ""),
        (PermissionMode::StepUp, "it's"),
        (PermissionMode::StepUp, "a\nb"),
        (PermissionMode::StepUp, "a\u{202e}b"),
        (PermissionMode::Consent, "sign me"),
    ] {
        let mut scene = scene();
        scene.asks_for(GATE, 5, 0, mode, challenge);
        assert!(matches!(&scene.sent[..], [(GATE, Frame { call_id: 5, kind: Kind::Failure { .. } })]), "{challenge}");
        assert_eq!(scene.screen, "");
    }
}

#[test]
fn the_person_types_to_one_session_at_a_time() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("/session nobody\r/session visitor\rhello\r");
    scene.begins_turn();
    assert_eq!(scene.line_of(VISITORS_LOOP, 1), Some(("hello".into(), false)));
    assert_eq!((scene.read_line(1), scene.called(VISITOR).2), (None, request::BEGIN_TURN));
    assert!(scene.sent.iter().all(|(line, _)| *line != SESSION));
    let shown = "you> /session nobody\n* sessions: operator, visitor\nyou> /session visitor\n* session visitor\nyou (visitor)> hello\n";
    assert_eq!(scene.screen, shown);
    scene.writes_as(VISITORS_LOOP, 2, "hi\n");
    scene.writes_as(LOOP, 2, "psst\n");
    assert_eq!(scene.screen, format!("{shown}agent> hi\nagent (operator)> psst\n"));
}

#[test]
fn control_c_reaches_the_session_that_is_typed_to_or_that_asks() {
    let mut scene = scene();
    for line in [LOOP, VISITORS_LOOP] {
        scene.call(line, request::TERMINAL, 3, 2, Vec::new());
    }
    scene.types("\u{3}");
    assert!(scene.answer(LOOP, 3).is_some() && scene.answer(VISITORS_LOOP, 3).is_none());
    scene.call(LOOP, request::TERMINAL, 4, 2, Vec::new());
    scene.asks_for(VISITORS_GATE, 5, 0, PermissionMode::Consent, "");
    assert!(scene.screen.contains("* (visitor) write 3 bytes to a"));
    scene.types("\u{3}");
    assert!(scene.answer(LOOP, 4).is_none() && scene.answer(VISITORS_LOOP, 3).is_some());
    assert!(scene.answer(VISITORS_GATE, 5).is_some());
}

#[test]
fn a_session_ends_with_its_gate_or_its_loop_and_is_told_of_once() {
    for (first, second, why) in [(VISITOR, VISITORS_GATE, "gate"), (VISITORS_LOOP, VISITOR, "loop")] {
        let mut scene = scene();
        scene.reads(1);
        scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
        scene.types("/session visitor\r");
        scene.types("/tools\r");
        scene.screen.clear();
        scene.ends(first);
        scene.ends(second);
        assert_eq!(scene.screen, format!("* session visitor has ended: {why} stopped\nyou> "));
        scene.types("/session visitor\r");
        assert!(scene.screen.ends_with("* session visitor has ended\nyou> "));
        if why == "gate" {
            assert_eq!(scene.line_of(VISITORS_LOOP, 1), Some((String::new(), true)));
        }
    }
}

#[test]
fn the_end_of_a_session_is_not_drawn_over_a_question() {
    let mut scene = scene();
    scene.asks(5, 0);
    let before = scene.screen.clone();
    scene.ends(VISITOR);
    assert_eq!(scene.screen, before);
    scene.types("kfm\r");
    assert!(scene.screen.ends_with("* allowed\n* session visitor has ended: gate stopped\n"));
}

#[test]
fn when_the_machine_stops_no_session_is_said_to_have_ended() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("/exit\r");
    for line in [SESSION, VISITOR, LOOP, VISITORS_LOOP] {
        scene.ends(line);
    }
    assert_eq!(scene.screen, "you> /exit\n");
    assert_eq!(scene.line_of(VISITORS_LOOP, 1), Some((String::new(), true)));
}

#[test]
fn a_process_is_stopped_by_init() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/stop notes\r");
    let (call_id, interface_id, method, body) = scene.called(SUPERVISOR);
    assert_eq!((interface_id, method, body), (supervision::SUPERVISOR, supervision::STOP, supervision::stop("notes")));
    scene.answers(SUPERVISOR, call_id, supervision::nothing());
    assert_eq!(scene.screen, "you> /stop notes\n* notes is stopped\nyou> ");
    scene.types("/stop notes\r");
    scene.ends(SUPERVISOR);
    assert!(scene.screen.ends_with("* no answer: the connection has ended\nyou> "));
    scene.types("/stop notes\r");
    assert!(scene.screen.ends_with("* nothing can be stopped from here\nyou> "));
}

#[test]
fn nothing_is_served_to_a_holder_of_no_session() {
    for (interface_id, holder) in [
        (request::TERMINAL, "loop.nobody"),
        (request::TERMINAL, "gate.operator"),
        (request::APPROVAL, "loop.operator"),
        (request::SESSION, "gate.operator"),
        (request::TERMINAL, "notes"),
    ] {
        let mut scene = scene();
        scene.desk.granted(9, interface_id, holder);
        scene.collect();
        assert!(matches!(&scene.effects[..], [Effect::CutOff(9, _)]), "{holder}");
        scene.call(9, interface_id, 1, 0, Vec::new());
        assert!(scene.sent.is_empty());
    }
}

#[test]
fn a_command_needs_nobody_who_reads() {
    let mut scene = scene();
    scene.announces(notice::Stage::Running, Outcome::Ok);
    scene.types("\r\n/stop notes\r");
    let (call_id, interface_id, method, _) = scene.called(SUPERVISOR);
    assert_eq!((interface_id, method), (supervision::SUPERVISOR, supervision::STOP));
    scene.answers(SUPERVISOR, call_id, supervision::nothing());
    scene.announces(notice::Stage::Finished, Outcome::ExecutionError);
    let call = "[tool] notes.read {\"path\":\"a\"} auto";
    let shown = format!("{call}\ncommand> /stop notes\n* notes is stopped\n{call} → executionError\n");
    assert_eq!(scene.screen, shown);
    scene.types("/");
    scene.types("\u{8}hello\r");
    assert!(scene.screen.ends_with("hello\n* the agent does not listen; commands only\n"));
    scene.reads(1);
    assert_eq!((scene.read_line(1), scene.screen.ends_with("only\nyou> ")), (None, true));
}

#[test]
fn a_command_does_not_overtake_a_line_that_was_typed_before_it() {
    let mut scene = scene();
    scene.types("hello\r/session visitor\r");
    assert_eq!(scene.screen, "");
    scene.reads(1);
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("hello".into(), false)));
    scene.reads(2);
    assert!(scene.screen.ends_with("you> /session visitor\n* session visitor\n"));
}

#[test]
fn what_was_typed_for_the_commands_goes_on_at_the_prompt_and_not_at_a_question() {
    let mut scene = scene();
    scene.types("/stop no");
    scene.reads(1);
    assert_eq!(scene.screen, "command> /stop no\nyou> /stop no");
    let mut scene = self::scene();
    scene.types("/kf");
    scene.asks(5, 0);
    scene.types("m\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
    assert!(scene.screen.ends_with("* refused\n"));
}

#[test]
fn control_c_once_more_brings_a_prompt_for_commands_where_a_loop_never_reads() {
    let mut scene = scene();
    scene.writes(1, "and on ");
    scene.types("hello\r\u{3}");
    assert_eq!(scene.screen, "agent> and on ");
    scene.types("\u{3}");
    assert_eq!(scene.screen, "agent> and on \n* the agent does not listen; commands only\ncommand> ");
    scene.types("/exit\r");
    assert_eq!(scene.effects, [Effect::Leave]);
    let mut heard = self::scene();
    heard.types("\u{3}");
    heard.reads(1);
    heard.types("hello\r");
    heard.begins_turn();
    heard.types("\u{3}");
    assert_eq!(heard.screen, "you> hello\n");
}

#[test]
fn a_line_goes_to_the_session_that_it_was_typed_to() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("hello\r/session visitor\r");
    let (call_id, ..) = scene.called(SESSION);
    scene.answers(SESSION, call_id, Vec::new());
    assert_eq!(scene.read_line(1), Some(("hello".into(), false)));
    assert_eq!(scene.line_of(VISITORS_LOOP, 1), None);
    scene.types("/session operator\r/tools\r/session visitor\r");
    let (call_id, ..) = scene.called(SESSION);
    let failed = Frame { call_id, kind: Kind::Failure { reason: "no".into() } };
    scene.desk.frame(SESSION, failed);
    scene.collect();
    assert!(scene.screen.ends_with("\n* (operator) no\nyou (visitor)> "), "{}", scene.screen);
}

#[test]
fn commands_that_wait_are_bounded() {
    let mut scene = scene();
    for _ in 0..9 {
        scene.types("/tools\r");
    }
    assert_eq!(scene.sent.iter().filter(|(line, _)| *line == SESSION).count(), 8);
    assert!(scene.screen.ends_with("command> /tools\n* too many commands wait for their answers\n"));
}

impl Scene {
    /// A loop writes, and the terminal takes nothing.
    fn floods(&mut self, calls: std::ops::Range<u64>) {
        for call_id in calls {
            let body = body_of(|root| {
                let mut params: terminal::write_params::Builder = root.init_as();
                params.set_text(&"\u{1}".repeat(16 * 1024));
                params.set_speaker(Speaker::Model);
            });
            let kind = Kind::Call { interface_id: request::TERMINAL, method: 1, body };
            self.desk.frame(LOOP, Frame { call_id, kind });
        }
    }
}

#[test]
fn a_flood_is_held_back_and_stays_small() {
    let mut scene = scene();
    scene.floods(0..100);
    assert!(scene.desk.drawn().len() < 20_000);
    let answers: Vec<Frame> = scene.desk.effects().into_iter().filter_map(|effect| match effect {
        Effect::Send(LOOP, bytes) => {
            let mut frames = Frames::default();
            frames.feed(&bytes);
            frames.next().unwrap()
        }
        _ => None,
    }).collect();
    assert_eq!(answers.len(), 92);
    assert!(answers.iter().all(|frame| matches!(frame.kind, Kind::Failure { .. })));
    scene.collect();
    assert_eq!(scene.screen.matches("‹U+0001›").count(), 8 * 16 * 1024);
    assert!((0..8).all(|call_id| scene.answer(LOOP, call_id).is_some()));
}

#[test]
fn control_c_and_commands_are_heeded_while_the_terminal_takes_nothing() {
    let mut scene = scene();
    scene.floods(0..8);
    scene.call(GATE, request::APPROVAL, 3, 2, Vec::new());
    let mut scene = Scene { screen: String::new(), ..scene };
    scene.floods(100..108);
    scene.desk.typed(b"\x03\x03/exit\r");
    assert!(scene.desk.effects().contains(&Effect::Leave));
    scene.collect();
    assert!(scene.answer(GATE, 3).is_none() && scene.screen.len() < 20_000);
    assert!(scene.screen.contains("\n* the rest of the text is not shown\n"));
}

#[test]
fn the_time_to_answer_runs_from_when_the_question_is_drawn_and_nothing_counts_before() {
    let mut scene = scene();
    scene.floods(0..8);
    scene.desk.effects();
    let size = scene.desk.drawn().len();
    scene.asks_undrawn(5, 700);
    scene.desk.typed(b"kfm\r");
    scene.desk.tick(1_000_000);
    scene.desk.wrote(size, 1_000_000);
    assert_eq!(scene.desk.deadline(), None);
    scene.desk.typed(b"kfm\r");
    scene.collect_at(2_000_000);
    assert_eq!((scene.answered(5), scene.desk.deadline()), (None, Some(2_000_700)));
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn long_arguments_are_shown_in_pages_and_all_of_them() {
    let arguments: String = (0..900).map(|number| format!("{number:04} ")).collect();
    let mut scene = scene();
    scene.asks_about(5, &arguments);
    let shown = |screen: &str| -> String { screen.lines().filter_map(|line| line.strip_prefix("* ")).collect() };
    assert!(scene.screen.ends_with("\npage 1 of 4: return shows the next, anything else refuses> "));
    assert!(!scene.screen.contains("kfm") && scene.screen.lines().all(|line| line.chars().count() <= 78));
    scene.types("\r\r");
    assert!(scene.screen.ends_with("page 2 of 4: return shows the next, anything else refuses> "), "one page at a time");
    scene.types("\r");
    scene.types("\r");
    assert!(scene.screen.ends_with("allow? type kfm to allow, anything else refuses> "));
    assert_eq!(shown(&scene.screen), format!("notes.write {arguments}write 3 bytes to a — system.cap:4"));
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn before_the_last_page_nothing_allows() {
    for (typed, answer) in [("kfm\r", Answer::Denied), ("\u{4}", Answer::Denied), ("\u{3}", Answer::Cancelled)] {
        let mut scene = scene();
        scene.asks_about(5, &"x".repeat(4000));
        scene.types("\r");
        scene.types(typed);
        assert_eq!(scene.answered(5), Some(answer));
    }
}

#[test]
fn words_that_mix_scripts_are_marked_in_a_question() {
    let mut scene = scene();
    scene.asks_about(5, "{\"to\":\"p\u{430}ypal\"}");
    assert!(scene.screen.contains("p‹U+0430›ypal"));
}

#[test]
fn what_cannot_be_shown_for_its_size_is_not_asked() {
    let mut scene = scene();
    scene.asks_about(5, &"x".repeat(64 * 1024 + 1));
    assert_eq!(scene.screen, "");
    assert!(matches!(&scene.sent[..], [(GATE, Frame { call_id: 5, kind: Kind::Failure { .. } })]));
}

impl Scene {
    fn asks_about(&mut self, call_id: u64, arguments: &str) {
        self.desk.frame(GATE, Frame { call_id, kind: asking(arguments, 0) });
        self.collect();
    }

    fn asks_undrawn(&mut self, call_id: u64, timeout: u32) {
        self.desk.frame(GATE, Frame { call_id, kind: asking("{}", timeout) });
    }

    /// Init tells; the console says what it has drawn by asking again.
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

/// Whether the console waits for what comes after this line.
fn asks_after(scene: &Scene, sequence: u64) -> bool {
    let awaited = supervision::read_notices(sequence);
    matches!(&scene.notices[..], [(_, Frame { kind: Kind::Call { body, .. }, .. })] if *body == awaited)
}

#[test]
fn what_init_has_to_say_never_stands_within_another_line() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("he");
    scene.writes(2, "so ");
    scene.told(1, &["notes stopped (signal 9)", "notes said: \u{1b}[2J"]);
    scene.types("y\r");
    scene.begins_turn();
    assert_eq!(
        scene.screen,
        "you> he\nagent> so \nyou> he\ncapos: notes stopped (signal 9)\ncapos: notes said: ‹U+001B›[2J\nyou> hey\n"
    );
    assert_eq!(scene.read_line(1), Some(("hey".into(), false)));
    assert!(asks_after(&scene, 2));
}

#[test]
fn what_init_has_to_say_waits_for_a_question_and_is_drawn_once() {
    let mut scene = scene();
    scene.asks(5, 0);
    let before = scene.screen.clone();
    scene.told(1, &["notes expired"]);
    assert!(scene.screen == before && scene.notices.is_empty());
    scene.types("kfm\r");
    assert!(scene.screen.ends_with("* allowed\ncapos: notes expired\n") && asks_after(&scene, 1));
    scene.types("\u{3}\u{3}");
    scene.told(2, &["last"]);
    scene.types("/exit\r");
    assert!(asks_after(&scene, 2) && scene.screen.matches("last").count() == 1);
}
