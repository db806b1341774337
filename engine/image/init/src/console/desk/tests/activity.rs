//! Tests what the console draws while a person waits.

use super::*;

/// Lets the time pass until `now`.
fn passes(scene: &mut Scene, now: u64) {
    scene.desk.at(now);
    scene.desk.tick(now);
    scene.collect_at(now);
}

/// Answers the console's question about the start of the machine. Returns `false` if the console did not ask.
fn starts(scene: &mut Scene, processes: &[(&str, bool, bool)]) -> bool {
    let asked = |(line, frame): &&(Line, Frame)| *line == SUPERVISOR && matches!(frame.kind, Kind::Call { method: supervision::FACTS, .. });
    let Some(call_id) = scene.sent.iter().rev().find(asked).map(|(_, frame)| frame.call_id) else { return false };
    let facts: Vec<supervision::ProcessFacts<'_>> = processes
        .iter()
        .map(|(name, is_alive, serves)| supervision::ProcessFacts { name, role: "files", is_alive: *is_alive, serves: *serves })
        .collect();
    scene.answers(SUPERVISOR, call_id, supervision::facts(1, 2, &facts));
    scene.sent.clear();
    true
}

fn thinks(scene: &mut Scene) {
    scene.reads(1);
    scene.types("hello\r");
    scene.begins_turn();
}

#[test]
fn a_turn_shows_its_time_each_second_until_there_is_output() {
    let mut scene = scene();
    scene.is_window(25, 80);
    thinks(&mut scene);
    assert_eq!(scene.desk.deadline(), Some(1_000));
    passes(&mut scene, 999);
    assert_eq!(scene.rows()[1], "");
    passes(&mut scene, 1_000);
    assert_eq!((scene.rows()[1].as_str(), scene.desk.deadline()), ("* thinking 1 s, Ctrl-C stops", Some(2_000)));
    passes(&mut scene, 12_300);
    assert_eq!((scene.rows()[1].as_str(), scene.rows()[2].as_str()), ("* thinking 12 s, Ctrl-C stops", ""));
    scene.writes(2, "Hi. ");
    passes(&mut scene, 20_000);
    assert_eq!((scene.rows()[1].as_str(), scene.rows()[2].as_str()), ("agent> Hi. ", ""), "growing text shows its work itself");
    scene.writes(3, "\n");
    scene.reads(4);
    passes(&mut scene, 30_000);
    assert_eq!(scene.rows()[2], "you> ");
}

#[test]
fn a_running_call_shows_its_time_behind_its_line_or_below_a_long_line() {
    for columns in [80, 42] {
        let mut scene = scene();
        scene.is_window(25, columns);
        thinks(&mut scene);
        scene.announces(notice::Stage::Running, Outcome::Ok);
        passes(&mut scene, 3_000);
        let shown = "[tool] notes.read {\"path\":\"a\"} auto";
        let expected = match columns {
            80 => [format!("{shown} (running 3 s, Ctrl-C stops)"), String::new()],
            _ => [shown.into(), "  running 3 s, Ctrl-C stops".into()],
        };
        assert_eq!(scene.rows()[1..3], expected);
        scene.announces(notice::Stage::Finished, Outcome::Ok);
        let rows = scene.rows();
        assert!(rows[1].starts_with(shown) && !rows.concat().contains("Ctrl-C stops"), "{rows:?}");
        assert!(rows.concat().split_whitespace().collect::<Vec<_>>().join(" ").contains("→ ok in 3.0 s"), "{rows:?}");
    }
}

#[test]
fn a_command_that_waits_for_the_start_of_the_machine_shows_the_progress_of_the_start() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene.types("/status\r");
    let waiting = scene.commanded(SESSION, "status");
    passes(&mut scene, 1_000);
    assert_eq!(scene.rows()[1], "* starting 1 s, Ctrl-C stops");
    assert!(starts(&mut scene, &[("audit", true, true), ("gate.operator", false, false), ("notes", true, false)]));
    passes(&mut scene, 2_500);
    assert_eq!(scene.rows()[1], "* starting notes (2 of 3) 2 s, Ctrl-C stops");
    scene.answers(SESSION, waiting, lines(&["well"]));
    assert_eq!(scene.rows()[..3], ["you> /status", "* well", "you> "]);
    scene.types("/status\r");
    passes(&mut scene, 5_500);
    assert_eq!(scene.rows()[3], "* waiting for /status 3 s, Ctrl-C stops");
}

#[test]
fn a_terminal_that_does_not_answer_gets_one_line_about_the_start_and_none_about_work() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/status\r");
    passes(&mut scene, 1_000);
    assert!(starts(&mut scene, &[("notes", true, false)]));
    assert_eq!(scene.screen, "you> /status\n");
    for now in [2_000, 3_000, 60_000] {
        passes(&mut scene, now);
    }
    assert_eq!(scene.screen, "you> /status\n* starting notes (1 of 1): what you typed waits for that\n");
    let mut known = self::scene();
    known.call(GATE, request::APPROVAL, 3, 2, Vec::new());
    thinks(&mut known);
    passes(&mut known, 60_000);
    assert_eq!((known.screen.as_str(), known.desk.deadline()), ("you> hello\n", None));
}

#[test]
fn init_is_asked_once_a_second_and_names_from_init_do_not_control_the_screen() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene.types("/status\r");
    passes(&mut scene, 1_000);
    assert!(starts(&mut scene, &[("x\u{1b}[2J\ny", true, false)]));
    passes(&mut scene, 1_001);
    assert!(!starts(&mut scene, &[]));
    passes(&mut scene, 2_000);
    assert_eq!(scene.rows()[1], "* starting x‹U+001B›[2J‹U+000A›y (1 of 1) 2 s, Ctrl-C stops");
}
