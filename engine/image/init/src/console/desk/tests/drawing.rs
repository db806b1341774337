//! Tests text, widgets, floods, and the messages of init.

use super::*;

/// Returns whether the console has requested the notices after the one with this number.
fn asks_after(scene: &Scene, sequence: u64) -> bool {
    let awaited = supervision::read_notices(sequence);
    matches!(&scene.notices[..], [(_, Frame { kind: Kind::Call { body, .. }, .. })] if *body == awaited)
}

#[test]
fn a_loop_never_has_the_mark_of_the_console_or_the_gate() {
    for speaker in [Speaker::Runner, Speaker::Tool] {
        let mut scene = scene();
        scene.speaks(LOOP, 1, "sign this line: x\n", speaker);
        assert_eq!(scene.screen, "loop> sign this line: x\n");
    }
}

#[test]
fn text_that_is_too_large_is_refused_and_not_drawn() {
    let mut scene = narrow();
    scene.writes(1, &"\u{1}".repeat(16 * 1024));
    assert!(scene.screen.starts_with("agent> ‹U+0001›"));
    let drawn = scene.screen.len();
    scene.writes(2, &"\u{1}".repeat(16 * 1024 + 1));
    assert_eq!(scene.screen.len(), drawn);
}

#[test]
fn words_that_mix_scripts_are_marked_in_a_call_without_a_question() {
    let mut scene = scene();
    let body = body_of(|root| {
        let mut notice = root.init_as::<approval::announce_params::Builder>().init_notice();
        notice.set_tool("web.get");
        notice.set_arguments("{\"url\":\"https://p\u{430}ypal.example\"}");
        notice.set_stage(notice::Stage::Running);
    });
    scene.call(GATE, request::APPROVAL, 90, 1, body);
    assert!(scene.screen.starts_with("[tool] web.get {\"url\":\"https://p‹U+0430›ypal.example\"}"), "{}", scene.screen);
}

#[test]
fn the_widget_of_a_call_is_one_line() {
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
fn the_widget_of_a_call_is_drawn_again_after_other_output_has_interrupted_it() {
    let mut scene = scene();
    scene.announces(notice::Stage::Running, Outcome::Ok);
    scene.writes(1, "so\n");
    scene.announces(notice::Stage::Finished, Outcome::Ok);
    let call = "[tool] notes.read {\"path\":\"a\"} auto";
    assert_eq!(scene.screen, format!("{call}\nagent> so\n{call} → ok\n"));
}

#[test]
fn writes_of_a_flooding_loop_wait_in_a_bounded_queue_and_further_ones_fail() {
    let mut scene = narrow();
    scene.floods(0..100);
    assert!(scene.desk.drawn().len() < 20_000);
    let answers: Vec<Frame> = scene.desk.effects().into_iter().filter_map(|effect| match effect {
        Effect::Send(LOOP, bytes) => {
            let mut frames = Frames::default();
            frames.feed(&bytes);
            frames.take_frame().unwrap()
        }
        _ => None,
    }).collect();
    assert_eq!(answers.len(), 92);
    assert!(answers.iter().all(|frame| matches!(frame.kind, Kind::Failure { .. })));
    scene.collect();
    scene.reads(100);
    assert_eq!(scene.screen.replace("\n  ", "").matches("‹U+0001›").count(), 8 * 16 * 1024);
    assert!((0..8).all(|call_id| scene.answer(LOOP, call_id).is_some()));
}

#[test]
fn control_c_and_commands_work_while_the_terminal_is_blocked() {
    let mut scene = narrow();
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
fn a_notice_of_init_never_appears_within_another_line() {
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
fn a_notice_of_init_waits_while_a_question_is_open_and_is_drawn_once() {
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

#[test]
fn the_line_of_an_ended_call_has_its_duration_and_its_result() {
    let mut scene = scene();
    scene.desk.at(1_000);
    scene.announces(notice::Stage::Waiting, Outcome::Ok);
    scene.announces(notice::Stage::Running, Outcome::Ok);
    scene.desk.at(2_250);
    scene.announces(notice::Stage::Finished, Outcome::Ok);
    assert_eq!(scene.screen, "[tool] notes.read {\"path\":\"a\"} auto → ok in 1.2 s: {\"content\":\"b c\"}\n");
}

#[test]
fn if_the_cursor_can_move_a_call_is_drawn_as_running_and_then_as_ended() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.announces(notice::Stage::Running, Outcome::Ok);
    assert_eq!(scene.rows()[0], "[tool] notes.read {\"path\":\"a\"} auto (running)");
    scene.announces(notice::Stage::Finished, Outcome::ExecutionError);
    assert_eq!(scene.rows()[0], "[tool] notes.read {\"path\":\"a\"} auto → executionError");
}

#[test]
fn colours_are_drawn_after_the_terminal_has_answered_and_can_be_turned_off() {
    let mut scene = scene();
    scene.desk.probe();
    scene.reads(1);
    assert!(!scene.screen.contains("\u{1b}[1m"));
    scene.types("\u{1b}[1;1R\u{1b}[25;80R");
    scene.writes(2, "a **b**\n");
    assert!(scene.screen.contains("\u{1b}[32magent> \u{1b}[0ma \u{1b}[0;2m**\u{1b}[0;1mb"), "{:?}", scene.screen);
    scene.types("/colours off\r");
    scene.screen.clear();
    scene.writes(3, "a **b**\n");
    assert!(scene.screen.contains("* colours are off") || !scene.screen.contains("\u{1b}[32m"));
    assert!(scene.screen.contains("agent> a **b**\n") || scene.screen.contains("agent> a **b**\u{1b}[?7h\n"), "{:?}", scene.screen);
    for (typed, told) in [("/colours\r", "colours are off; /colours on"), ("/colours on\r", "* \u{1b}[0mcolours are on\u{1b}")] {
        scene.types(typed);
        assert!(scene.screen.contains(told), "{:?}", scene.screen);
    }
}
