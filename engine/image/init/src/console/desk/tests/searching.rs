//! Tests the search in the history, lines of several rows, and lists of completions.

use super::*;

fn enters(scene: &mut Scene, lines: &[&str]) {
    for (call_id, line) in (1..).zip(lines) {
        scene.reads(call_id);
        scene.types(&format!("{line}\r"));
        scene.begins_turn();
        assert_eq!(scene.read_line(call_id), Some(((*line).into(), false)));
    }
    scene.reads(90);
}

#[test]
fn a_search_finds_entered_lines_while_it_is_typed() {
    let mut scene = scene();
    scene.is_window(25, 80);
    enters(&mut scene, &["call Ada", "call Bob", "water the plants"]);
    scene.types("dra\u{12}");
    assert_eq!(scene.rows()[3], "search> dra → no line with that");
    scene.types("\u{7f}\u{7f}\u{7f}ca");
    assert_eq!(scene.rows()[3], "search> ca → call Bob");
    scene.types("\u{12}");
    assert_eq!(scene.rows()[3], "search> ca → call Ada");
    scene.types("\u{12}\u{12}");
    assert_eq!(scene.rows()[3], "search> ca → call Ada", "the oldest stays");
    scene.types("\u{1b}[D");
    assert_eq!(scene.rows()[3], "you> call Ada");
    scene.types("!\r");
    scene.begins_turn();
    assert_eq!(scene.read_line(90), Some(("call Ada!".into(), false)));
}

#[test]
fn enter_submits_the_found_line_and_ctrl_g_restores_the_typed_line() {
    let mut scene = scene();
    scene.is_window(25, 80);
    enters(&mut scene, &["call Ada"]);
    scene.types("dra\u{12}\u{7f}\u{7f}\u{7f}Ada\u{7}");
    assert_eq!(scene.rows()[1], "you> dra");
    scene.types("\u{15}\u{12}Ada\r");
    scene.begins_turn();
    assert_eq!(scene.read_line(90), Some(("call Ada".into(), false)));
}

#[test]
fn output_and_a_question_end_a_search_and_the_search_text_is_not_an_answer() {
    let mut scene = scene();
    scene.is_window(25, 80);
    enters(&mut scene, &["call Ada"]);
    scene.types("dra\u{12}");
    scene.writes(2, "psst\n");
    assert_eq!(scene.rows()[1..3], ["agent> psst", "you> dra"]);
    scene.types("\u{12}");
    scene.asks(5, 0);
    scene.types("\u{12}no\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
}

#[test]
fn a_backslash_or_alt_enter_continues_the_line_in_another_row() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene.types("one\\\rtwo\u{1b}\rthree");
    assert_eq!((scene.rows()[0].as_str(), scene.read_line(1)), ("you> one↵two↵three", None));
    scene.types("\r");
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("one\ntwo\nthree".into(), false)));
    assert_eq!(scene.rows()[..4], ["you> one", "  two", "  three", ""]);
}

#[test]
fn a_backslash_answers_a_question_like_any_text() {
    let mut scene = scene();
    scene.asks(5, 0);
    scene.types("kfm\\\r");
    assert_eq!(scene.answered(5), None);
    assert!(scene.screen.contains("* not an answer"));
}

#[test]
fn tab_lists_the_matching_names_and_inserts_their_common_beginning() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/session \t");
    let (call_id, ..) = scene.called(SESSION);
    scene.answers(SESSION, call_id, body_of(|root| {
        root.init_as::<session::vocabulary_results::Builder>();
    }));
    assert!(scene.screen.ends_with("* operator  visitor\nyou> /session "), "{}", scene.screen);
    scene.types("\u{15}/con\t");
    let (call_id, ..) = scene.called(SESSION);
    scene.answers(SESSION, call_id, body_of(|root| {
        let mut commands = root.init_as::<session::vocabulary_results::Builder>().init_commands(100);
        (0..100).for_each(|number| commands.reborrow().get(number).set_name(format!("context{number:02}")));
    }));
    assert!(scene.screen.ends_with("  context58  context59  and 40 more\nyou> /context"), "{}", scene.screen);
}
