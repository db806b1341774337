//! Tests the row below the prompt, and when the console asks for it.

use super::*;

impl Scene {
    /// Answers the last request for the status of a session.
    fn stands(&mut self, line: Line, label: &str, left: &str) {
        let at = self.standings.iter().rposition(|(to, _)| *to == line).expect("the gate is asked");
        let (_, Frame { call_id, .. }) = self.standings.remove(at);
        let body = body_of(|root| {
            let mut standing = root.init_as::<session::standing_results::Builder>().init_standing();
            standing.set_label(label);
            standing.set_model("canned");
            standing.init_left(1).set(0, left);
        });
        self.answers(line, call_id, body);
    }

    fn shown(&self) -> Vec<String> {
        self.rows().into_iter().map(|row| row.trim_end().to_owned()).filter(|row| !row.is_empty()).collect()
    }
}

fn at_prompt() -> Scene {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene
}

const ROW: &str = "* operator | public/reviewed | canned | left: 2 of 4 calls per turn";

#[test]
fn the_status_row_is_below_the_prompt_and_typing_continues_above_it() {
    let mut scene = at_prompt();
    scene.types("hel");
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    assert_eq!(scene.shown(), ["you> hel", ROW]);
    scene.types("lo");
    assert_eq!(scene.shown(), ["you> hello", ROW]);
    scene.types("\x15again");
    assert_eq!(scene.shown(), ["you> again", ROW]);
}

#[test]
fn the_status_row_vanishes_when_the_line_is_entered_and_leaves_no_text() {
    let mut scene = at_prompt();
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    scene.types("hi\r");
    scene.begins_turn();
    scene.writes(2, "Hello.\n");
    assert_eq!(scene.shown(), ["you> hi", "agent> Hello."]);
    scene.reads(3);
    assert_eq!(scene.shown(), ["you> hi", "agent> Hello.", "you>", ROW]);
    scene.stands(SESSION, "secret/reviewed", "1 of 4 calls per turn");
    assert_eq!(scene.shown()[3], "* operator | secret/reviewed | canned | left: 1 of 4 calls per turn");
    let long = "x".repeat(100);
    scene.types(&long);
    scene.types("\r");
    assert_eq!(scene.shown()[2..], [format!("you> {}", &long[..73]), format!("  {}", &long[73..])]);
}

#[test]
fn the_gate_is_asked_once_after_each_change_and_not_during_a_call_of_the_person() {
    let mut scene = at_prompt();
    assert_eq!(scene.standings.len(), 1);
    scene.types("a");
    scene.announces(notice::Stage::Finished, Outcome::Ok);
    assert_eq!(scene.standings.len(), 1, "the first question has no answer yet");
    scene.stands(SESSION, "public/reviewed", "1");
    assert_eq!(scene.standings.len(), 1, "the call may have changed it meanwhile");
    scene.stands(SESSION, "public/reviewed", "1");
    assert!(scene.standings.is_empty());
    scene.types("\x15/tools\r");
    assert!(scene.standings.is_empty());
    let call_id = scene.commanded(SESSION, "tools");
    scene.answers(SESSION, call_id, lines(&["one"]));
    assert_eq!(scene.standings.len(), 1);
}

#[test]
fn each_session_has_its_own_status_row_and_a_lock_removes_the_old_content() {
    let mut scene = at_prompt();
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    scene.types("/session visitor\r");
    assert!(!scene.shown().contains(&ROW.to_owned()));
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.stands(VISITOR, "internal/raw", "9");
    assert_eq!(scene.shown().last().map(String::as_str), Some("* visitor | internal/raw | canned | left: 9"));
    scene.call(VISITORS_GATE, request::APPROVAL, 7, 3, Vec::new());
    assert!(!scene.shown().iter().any(|row| row.contains("internal/raw")), "{:?}", scene.shown());
}

#[test]
fn there_is_no_status_row_during_a_question_or_on_a_terminal_that_does_not_answer() {
    let mut scene = at_prompt();
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    scene.asks(5, 0);
    assert!(!scene.shown().iter().any(|row| row.contains("public/reviewed")), "{:?}", scene.shown());
    let mut asked = at_prompt();
    asked.asks(5, 0);
    asked.stands(SESSION, "public/reviewed", "told during the question");
    assert!(!asked.shown().iter().any(|row| row.contains("public/reviewed")), "{:?}", asked.shown());
    let mut plain = super::scene();
    plain.reads(1);
    plain.announces(notice::Stage::Finished, Outcome::Ok);
    assert!(plain.standings.is_empty());
}

#[test]
fn a_window_of_another_size_shows_the_same_output_again_but_not_after_a_lock() {
    let mut scene = at_prompt();
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    scene.types("hi\r");
    scene.begins_turn();
    scene.writes(2, &format!("{}\n", "word ".repeat(14)));
    scene.reads(3);
    scene.types("ty");
    assert_eq!(scene.shown().len(), 4);
    scene.window = Some((25, 60));
    scene.screen.clear();
    scene.desk.tick(60_000);
    scene.collect_at(60_000);
    let shown = scene.shown();
    assert_eq!((shown[0].as_str(), shown[2].starts_with("  word"), shown[3].as_str()), ("you> hi", true, "you> ty"), "{shown:#?}");
    assert!(shown[1].len() < 60 && shown[1].starts_with("agent> word"));
    scene.call(GATE, request::APPROVAL, 9, 3, Vec::new());
    scene.window = Some((25, 70));
    scene.screen.clear();
    scene.desk.tick(120_000);
    scene.collect_at(120_000);
    assert!(!scene.shown().iter().any(|row| row.contains("word")), "{:?}", scene.shown());
}

#[test]
fn after_a_lock_during_a_text_the_rest_of_the_text_is_never_drawn() {
    for text in ["| secret | b |\n|---|---|\n| secr", "a secretive"] {
        let mut scene = at_prompt();
        scene.desk.pen.set_screen(Screen { paints: true, ..scene.desk.pen.screen() });
        scene.types("hi\r");
        scene.begins_turn();
        scene.writes(2, text);
        scene.call(GATE, request::APPROVAL, 9, 3, Vec::new());
        assert_eq!(scene.shown(), ["* session operator is locked"]);
    }
}

#[test]
fn a_lock_of_another_session_also_deletes_the_record_of_the_output() {
    let mut scene = at_prompt();
    scene.call(VISITORS_LOOP, request::TERMINAL, 1, 0, Vec::new());
    scene.types("/session visitor\r");
    scene.writes_as(VISITORS_LOOP, 2, "secret\n");
    scene.types("/session operator\r");
    scene.call(VISITORS_GATE, request::APPROVAL, 7, 3, Vec::new());
    scene.window = Some((25, 60));
    scene.screen.clear();
    scene.desk.tick(60_000);
    scene.collect_at(60_000);
    assert!(!scene.shown().iter().any(|row| row.contains("secret")), "{:?}", scene.shown());
}

#[test]
fn in_a_window_of_another_size_the_status_row_has_the_parts_that_fit() {
    let mut scene = at_prompt();
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    scene.types("hi\r");
    scene.begins_turn();
    scene.reads(3);
    scene.stands(SESSION, "public/reviewed", "2 of 4 calls per turn");
    for (at, columns, row) in [(60_000, 50, "* operator | public/reviewed | canned"), (120_000, 80, ROW)] {
        scene.window = Some((25, columns));
        scene.screen.clear();
        scene.desk.tick(at);
        scene.collect_at(at);
        assert_eq!(scene.shown().last().map(String::as_str), Some(row));
    }
}
