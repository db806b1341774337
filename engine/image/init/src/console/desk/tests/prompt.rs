//! Tests lines and keys at the prompts, and Ctrl-C.

use super::*;

#[test]
fn a_typed_line_goes_to_the_loop_that_waits_for_one() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("hello\r");
    assert_eq!((scene.screen.as_str(), scene.read_line(1)), ("you> hello\n", None));
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("hello".into(), false)));
}

#[test]
fn text_that_is_typed_ahead_waits_for_the_prompt() {
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
fn text_that_arrives_at_a_prompt_is_drawn_above_it_and_the_typed_text_is_kept() {
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
fn a_prompt_waits_for_the_end_of_a_message() {
    let mut scene = scene();
    scene.reads(1);
    let lines: Vec<String> = (0..64).map(|number| format!("line {number} {}", "x".repeat(200))).collect();
    scene.told(1, &lines.iter().map(String::as_str).collect::<Vec<_>>());
    let shown: Vec<&str> = scene.screen.lines().collect();
    let is_prompt = |line: &&&str| line.starts_with("you> ");
    // The prompt was shown before; it is drawn again below all messages.
    assert_eq!(shown.iter().filter(is_prompt).count(), 2);
    assert_eq!((shown.len(), shown.last()), (66, Some(&"you> ")));
}

#[test]
fn the_exit_command_ends_the_input_of_the_loop_and_then_the_console() {
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
fn control_c_completes_each_call_that_waits_for_an_interrupt() {
    let mut scene = scene();
    scene.call(LOOP, request::TERMINAL, 3, 2, Vec::new());
    scene.call(GATE, request::APPROVAL, 3, 2, Vec::new());
    scene.types("typed ahead\u{3}");
    assert!(scene.answer(LOOP, 3).is_some() && scene.answer(GATE, 3).is_some());
    scene.reads(4);
    assert_eq!(scene.screen, "you> ");
}

#[test]
fn the_loop_does_not_get_a_line_if_the_turn_cannot_begin() {
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
fn control_c_abandons_a_turn_that_has_not_begun() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("hello\r");
    let (call_id, ..) = scene.called(SESSION);
    scene.types("\u{3}");
    assert!(scene.sent.contains(&(SESSION, Frame { call_id, kind: Kind::Cancel })));
    scene.answers(SESSION, call_id, Vec::new());
    assert_eq!((scene.read_line(1), scene.screen.as_str()), (None, "you> hello\n* stopped waiting\nyou> "));
}

#[test]
fn a_command_is_accepted_while_no_loop_waits_for_a_line() {
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
fn an_unfinished_command_is_shown_again_at_the_prompt_and_never_becomes_an_answer_to_a_question() {
    let mut scene = scene();
    scene.types("/stop no");
    scene.reads(1);
    assert_eq!(scene.screen, "command> /stop no\nyou> /stop no");
    let mut scene = self::scene();
    scene.types("/kf");
    scene.asks(5, 0);
    scene.types("m\r");
    scene.types("no\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
    assert!(scene.screen.ends_with("* refused\n"));
    scene.reads(1);
    assert!(scene.screen.ends_with("you> /kf"));
}

#[test]
fn a_second_control_c_shows_a_prompt_for_commands_if_the_loop_never_reads() {
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
fn lines_that_are_typed_ahead_are_bounded_and_the_person_is_informed() {
    let mut scene = scene();
    for _ in 0..5000 {
        scene.types("again\r");
    }
    let mut turns = 0;
    for call_id in 1..=40 {
        scene.desk.at(call_id * 900);
        scene.reads(call_id);
        if scene.sent.last().is_some_and(|(line, frame)| *line == SESSION && matches!(frame.kind, Kind::Call { .. })) {
            turns += 1;
            scene.begins_turn();
            assert_eq!(scene.read_line(call_id), Some(("again".into(), false)));
        }
        scene.sent.clear();
        scene.types("again\r");
    }
    assert_eq!(turns, 16);
    assert_eq!(scene.screen.matches("* more was typed than can wait").count(), 1, "{}", scene.screen);
}

#[test]
fn after_too_much_typing_input_is_dropped_until_a_pause_or_control_c() {
    for ends in ["", "\u{3}"] {
        let mut scene = scene();
        scene.types(&"again\r".repeat(15));
        scene.types(&"x".repeat(5000));
        if ends.is_empty() {
            scene.desk.at(1_000);
        }
        scene.types(ends);
        scene.types("last\r");
        let ahead = scene.desk.ahead.iter().filter(|stroke| **stroke == Stroke::Enter).count();
        assert_eq!(ahead, if ends.is_empty() { 16 } else { 1 });
        assert_eq!(scene.desk.ahead.len(), ahead * "again\r".len() - 1);
    }
}
