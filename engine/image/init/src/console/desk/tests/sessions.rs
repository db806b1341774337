//! Tests the current session, calls that the console accepts or refuses, and the end of sessions and processes.

use super::*;

#[test]
fn a_caller_that_names_another_interface_than_the_granted_one_is_cut_off() {
    let mut scene = scene();
    scene.call(LOOP, request::APPROVAL, 1, 0, Vec::new());
    assert!(matches!(&scene.effects[..], [Effect::CutOff(LOOP, _)]));
}

#[test]
fn calls_of_unknown_methods_and_more_than_eight_waiting_calls_fail() {
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
fn control_c_reaches_the_session_with_the_open_question_or_else_the_current_session() {
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
fn a_session_ends_with_its_gate_and_is_reported_once() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("/session visitor\r");
    scene.types("/tools\r");
    scene.screen.clear();
    scene.ends(VISITOR);
    scene.ends(VISITORS_GATE);
    assert_eq!(scene.screen, "* session visitor has ended: gate stopped\nyou> ");
    scene.types("/session visitor\r");
    assert!(scene.screen.ends_with("* session visitor has ended\nyou> "));
    assert_eq!(scene.line_of(VISITORS_LOOP, 1), Some((String::new(), true)));
}

const NEW_LOOP: Line = 7;

#[test]
fn a_session_whose_loop_has_ended_waits_for_the_restarted_loop_and_the_console_reports_the_lost_line() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("hello\r");
    scene.ends(LOOP);
    scene.begins_turn();
    assert_eq!(scene.screen, "you> hello\n* the agent is gone, and did not get the line\n");
    scene.types("/session operator\r");
    assert!(scene.screen.ends_with("* session operator has nobody to talk to\n"));
    scene.desk.granted(NEW_LOOP, request::TERMINAL, "loop.operator");
    scene.call(NEW_LOOP, request::TERMINAL, 1, 0, Vec::new());
    assert!(scene.screen.ends_with("* the agent of session operator begins anew, and reads only the open conversation\nyou> "));
    scene.types("hello\r");
    scene.begins_turn();
    assert_eq!(scene.line_of(NEW_LOOP, 1), Some(("hello".into(), false)));
}

#[test]
fn a_person_can_type_commands_to_a_session_without_a_loop() {
    let mut scene = scene_without_a_visitor();
    scene.reads(1);
    scene.types("/session visitor\r");
    scene.types("/revoke notes\r");
    let (call_id, interface_id, method, _) = scene.called(VISITOR);
    assert_eq!((interface_id, method), (request::SESSION, request::COMMAND));
    assert_eq!(scene.screen, "you> /session visitor\n* session visitor has nobody to talk to; commands only\nyou (visitor)> /revoke notes\n");
    let body = body_of(|root| root.init_as::<session::command_results::Builder>().init_lines(1).set(0, "it is revoked"));
    scene.answers(VISITOR, call_id, body);
    scene.screen.clear();
    scene.sent.clear();
    scene.types("hello\r");
    assert_eq!(scene.screen, "hello\n* the agent does not listen; commands only\nyou (visitor)> ");
    assert!(scene.sent.iter().all(|(line, _)| *line != VISITOR));
    scene.types("/session operator\r");
    assert!(scene.screen.ends_with("* session operator\nyou> "));
}

#[test]
fn a_session_whose_first_loop_starts_late_accepts_lines_from_then_on() {
    let mut scene = scene_without_a_visitor();
    scene.types("/session visitor\r");
    scene.desk.granted(VISITORS_LOOP, request::TERMINAL, "loop.visitor");
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("hello\r");
    scene.begins_turn();
    assert_eq!(scene.line_of(VISITORS_LOOP, 1), Some(("hello".into(), false)));
}

#[test]
fn the_end_of_the_old_loop_may_arrive_after_the_start_of_the_new_one() {
    let mut scene = scene();
    scene.desk.granted(NEW_LOOP, request::TERMINAL, "loop.operator");
    scene.call(NEW_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.ends(LOOP);
    scene.types("/session operator\r");
    assert!(scene.screen.ends_with("* session operator\nyou> "));
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
fn no_session_is_reported_as_ended_when_the_machine_stops() {
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
fn a_holder_is_cut_off_if_its_name_contains_no_session_or_does_not_fit_its_interface() {
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
fn a_line_goes_to_the_session_in_which_it_was_typed() {
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
fn a_locked_session_keeps_no_data_of_its_last_user() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("my secret plan\r");
    scene.begins_turn();
    scene.reads(2);
    scene.types("half a li");
    scene.call(GATE, request::APPROVAL, 9, 3, Vec::new());
    assert!(scene.sent.iter().any(|(line, frame)| *line == GATE && frame.call_id == 9));
    assert!(scene.screen.ends_with("* session operator is locked\nyou> "), "{}", scene.screen);
    scene.types("\u{1b}[A\u{19}");
    assert!(scene.screen.ends_with("is locked\nyou> "), "{}", scene.screen);
}

#[test]
fn a_locked_session_draws_no_text_of_its_loop_before_a_turn_begins() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(GATE, request::APPROVAL, 9, 3, Vec::new());
    scene.writes(2, "the plan of who has left\n");
    assert!(!scene.screen.contains("plan"), "{}", scene.screen);
    assert!(scene.sent.iter().any(|(line, frame)| *line == LOOP && matches!(frame.kind, Kind::Failure { .. })));
    scene.types("hello\r");
    scene.begins_turn();
    scene.writes(3, "hello again\n");
    assert!(scene.screen.ends_with("agent> hello again\n"), "{}", scene.screen);
}

#[test]
fn text_that_waits_behind_a_question_is_not_drawn_after_its_session_is_locked() {
    let mut scene = scene();
    scene.asks_for(VISITORS_GATE, 5, 0, PermissionMode::Consent, "");
    scene.announces(notice::Stage::Finished, Outcome::Ok);
    scene.call(GATE, request::APPROVAL, 9, 3, Vec::new());
    scene.types("\u{3}");
    assert!(scene.screen.contains("session operator is locked") && !scene.screen.contains("notes.read"), "{}", scene.screen);
}

#[test]
fn a_lock_of_another_session_keeps_the_question_and_clears_the_screen_if_the_terminal_supports_it() {
    let mut scene = scene();
    scene.reads(1);
    scene.call(VISITORS_GATE, request::APPROVAL, 9, 3, Vec::new());
    assert!(scene.screen.contains("* session visitor is locked\n"), "{}", scene.screen);
    scene.asks(5, 0);
    scene.call(VISITORS_GATE, request::APPROVAL, 10, 3, Vec::new());
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
    scene.is_window(25, 80);
    scene.call(GATE, request::APPROVAL, 11, 3, Vec::new());
    assert!(scene.screen.contains(crate::console::screen::CLEAR));
}

#[test]
fn a_session_that_is_entered_from_another_one_is_locked_before_it_gets_input() {
    let mut scene = scene();
    scene.locks_at_once = false;
    scene.reads(1);
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("/session operator\r");
    assert!(scene.commands(SESSION).is_empty(), "it was typed to before");
    scene.types("/session visitor\r/status\r");
    assert_eq!(scene.commands(VISITOR), ["lock", "status"]);
    scene.ends(VISITOR);
    assert_eq!(scene.commands(SESSION), ["lock"], "nobody knows who is left at the console");
}

/// Returns a scene in which the visitor's session was entered, both loops read, and the gate has not confirmed the lock.
fn entered() -> Scene {
    let mut scene = scene();
    scene.locks_at_once = false;
    scene.reads(1);
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("/session visitor\r");
    assert_eq!(scene.screen, "you> /session visitor\n* session visitor\n");
    scene.screen.clear();
    scene
}

#[test]
fn the_prompt_of_an_entered_session_follows_the_message_of_its_lock() {
    let mut scene = entered();
    scene.call(VISITORS_GATE, request::APPROVAL, 9, 3, Vec::new());
    assert_eq!(scene.screen, "* session visitor is locked\n");
    let lock = scene.commanded(VISITOR, "lock");
    scene.answers(VISITOR, lock, lines(&[]));
    assert_eq!(scene.screen, "* session visitor is locked\nyou (visitor)> ");
    assert_eq!(scene.desk.deadline(), None);
}

#[test]
fn a_session_without_a_login_is_entered_without_a_message() {
    let mut scene = entered();
    let lock = scene.commanded(VISITOR, "lock");
    scene.answers(VISITOR, lock, lines(&["nobody logs in"]));
    assert_eq!(scene.screen, "you (visitor)> ");
}

#[test]
fn text_typed_while_a_session_is_being_locked_reaches_the_session_after_the_lock() {
    let mut scene = entered();
    scene.types("hello\r/log");
    scene.call(VISITORS_GATE, request::APPROVAL, 9, 3, Vec::new());
    let lock = scene.commanded(VISITOR, "lock");
    scene.answers(VISITOR, lock, lines(&[]));
    assert_eq!(scene.screen, "* session visitor is locked\nyou (visitor)> hello\n");
    scene.begins_turn();
    assert_eq!(scene.line_of(VISITORS_LOOP, 1), Some(("hello".into(), false)));
    // A later lock by the gate drops the typed text `/log`.
    scene.call(VISITORS_GATE, request::APPROVAL, 10, 3, Vec::new());
    scene.call(VISITORS_LOOP, request::TERMINAL, 2, 0, Vec::new());
    assert!(scene.screen.ends_with("is locked\nyou (visitor)> "), "{}", scene.screen);
}

#[test]
fn a_gate_that_never_confirms_a_lock_delays_the_prompt_for_a_limited_time_and_the_person_is_informed() {
    let mut scene = entered();
    let due = scene.desk.deadline().expect("the prompt is held for a time");
    scene.desk.tick(due - 1);
    scene.collect();
    assert_eq!(scene.screen, "");
    scene.desk.tick(due);
    scene.collect();
    assert_eq!(scene.screen, "* session visitor may still be open: its gate has not answered for 30 s\nyou (visitor)> ");
    assert_eq!(scene.desk.deadline(), None);
    // The console does not cancel its call that locks the session, so the gate gets `status` after `lock`.
    scene.types("/status\r");
    assert_eq!(scene.commands(VISITOR), ["lock", "status"]);
    assert!(!scene.sent.iter().any(|(_, frame)| frame.kind == Kind::Cancel));
}

#[test]
fn control_c_restores_the_prompt_and_does_not_undo_the_lock() {
    let mut scene = entered();
    scene.types("hello\r\u{3}");
    assert_eq!(scene.screen, "* stopped waiting\nyou (visitor)> ");
    assert!(!scene.sent.iter().any(|(_, frame)| frame.kind == Kind::Cancel));
    let lock = scene.commanded(VISITOR, "lock");
    scene.desk.frame(VISITOR, Frame { call_id: lock, kind: Kind::Failure { reason: "no".into() } });
    scene.collect();
    assert_eq!(scene.screen, "* stopped waiting\nyou (visitor)> \n* session visitor may still be open: no\nyou (visitor)> ");
}

#[test]
fn a_session_is_locked_again_if_it_got_a_call_after_an_unconfirmed_lock() {
    let mut scene = entered();
    scene.types("/session operator\r/session visitor\r");
    assert_eq!((scene.commands(SESSION), scene.commands(VISITOR)), (vec!["lock".into()], vec!["lock".into()]));
    scene.types("/login\r/session operator\r/session visitor\r");
    assert_eq!((scene.commands(SESSION).len(), scene.commands(VISITOR)), (1, vec!["lock".into(), "login".into(), "lock".into()]));
}

#[test]
fn a_lock_waits_until_the_gate_accepts_another_call_and_no_call_overtakes_it() {
    let mut scene = scene();
    scene.locks_at_once = false;
    scene.reads(1);
    scene.types(&"/tool slow\r".repeat(8));
    scene.types("/session visitor\r");
    let visitors = scene.commanded(VISITOR, "lock");
    scene.answers(VISITOR, visitors, lines(&[]));
    scene.types("/session operator\r");
    assert_eq!(scene.commands(SESSION), vec!["tool"; 8], "the gate would end the connection");
    scene.types("/status\r");
    assert!(scene.screen.ends_with("* too many commands wait for their answers\n"), "{}", scene.screen);
    let (_, first) = scene.sent.iter().find(|(line, _)| *line == SESSION).unwrap();
    scene.answers(SESSION, first.call_id, lines(&["done"]));
    assert_eq!(scene.commands(SESSION).last().map(String::as_str), Some("lock"));
    assert!(!scene.screen.ends_with("you> "));
    let lock = scene.commanded(SESSION, "lock");
    scene.answers(SESSION, lock, lines(&[]));
    let to_session = scene.sent.iter().filter(|(line, frame)| *line == SESSION && frame.call_id != lock);
    let others: Vec<u64> = to_session.map(|(_, frame)| frame.call_id).collect();
    others.into_iter().for_each(|call_id| scene.answers(SESSION, call_id, lines(&[])));
    assert!(scene.screen.ends_with("you> "), "{}", scene.screen);
}

#[test]
fn abandoned_commands_count_as_waiting_until_the_gate_answers() {
    let mut scene = scene();
    scene.reads(1);
    scene.types(&"/tool slow\r".repeat(8));
    scene.types("\u{3}");
    scene.types("/status\r");
    assert_eq!(scene.commands(SESSION), vec!["tool"; 8], "the gate would end the connection");
    let (_, first) = scene.sent.iter().find(|(line, _)| *line == SESSION).unwrap();
    scene.answers(SESSION, first.call_id, lines(&["too late"]));
    scene.desk.at(10_000);
    scene.types("/status\r");
    assert_eq!(scene.commands(SESSION).last().map(String::as_str), Some("status"));
    assert!(!scene.screen.contains("too late"), "{}", scene.screen);
}
