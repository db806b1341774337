//! Tests commands of a person to a gate and to init.

use super::*;

#[test]
fn a_command_goes_to_the_gate_and_not_to_the_loop() {
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
fn a_command_that_waits_during_a_question_has_no_time_limit() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/tool notes.write {}\r");
    let (call_id, ..) = scene.called(SESSION);
    scene.desk.tick(1_000_000);
    scene.collect();
    scene.asks(5, 0);
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
    assert!(!scene.screen.ends_with("you> "));
    let body = body_of(|root| root.init_as::<session::command_results::Builder>().init_lines(1).set(0, "done"));
    scene.answers(SESSION, call_id, body);
    assert!(scene.screen.ends_with("* allowed\n* done\nyou> "));
}

#[test]
fn control_c_abandons_a_command_and_notifies_its_gate() {
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
fn the_prompt_returns_when_the_process_that_was_restarted_serves() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/restart notes\r");
    let (call_id, interface_id, method, body) = scene.called(SUPERVISOR);
    assert_eq!((interface_id, method, body), (supervision::SUPERVISOR, supervision::RESTART, supervision::restart("notes")));
    assert_eq!(scene.screen, "you> /restart notes\n");
    scene.answers(SUPERVISOR, call_id, Vec::new());
    assert!(scene.screen.ends_with("* notes serves again\nyou> "));
}

#[test]
fn the_console_asks_init_to_stop_a_process() {
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
fn the_number_of_waiting_commands_is_bounded() {
    let mut scene = scene();
    for _ in 0..9 {
        scene.types("/tools\r");
    }
    assert_eq!(scene.sent.iter().filter(|(line, _)| *line == SESSION).count(), 8);
    assert!(scene.screen.ends_with("command> /tools\n* too many commands wait for their answers\n"));
}

#[test]
fn answers_to_several_waiting_commands_name_their_command() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/tool store a 1\r/tool store b 2\r/tool store c 3\r");
    let asked: Vec<u64> = scene.sent.iter().filter(|(line, _)| *line == SESSION).map(|(_, frame)| frame.call_id).collect();
    assert_eq!(asked.len(), 3);
    for (call_id, said) in asked.into_iter().zip(["one", "two", "three"]) {
        let body = body_of(|root| root.init_as::<session::command_results::Builder>().init_lines(1).set(0, said));
        scene.answers(SESSION, call_id, body);
    }
    assert!(
        scene.screen.ends_with("* /tool store a 1:\n* one\n* /tool store b 2:\n* two\n* /tool store c 3:\n* three\nyou> "),
        "{}",
        scene.screen
    );
}

#[test]
fn a_long_paste_of_commands_does_not_start_many_turns() {
    let mut scene = scene();
    scene.reads(1);
    for second in 0..10 {
        scene.desk.at(second * 500);
        scene.types(&"/tool store a 1\r".repeat(500));
        // After each paste, one command is answered.
        let (call_id, ..) = scene.called(SESSION);
        let body = body_of(|root| {
            root.init_as::<session::command_results::Builder>();
        });
        scene.answers(SESSION, call_id, body);
    }
    assert_eq!(scene.sent.iter().filter(|(line, _)| *line == SESSION).count(), 8);
    assert_eq!(scene.screen.matches("* too many commands wait for their answers").count(), 1, "{}", scene.screen);
    scene.desk.at(10_000);
    scene.types("/status\r");
    assert_eq!(scene.sent.iter().filter(|(line, _)| *line == SESSION).count(), 9);
}
