//! Tests a question in a window: a person cannot approve text that was not completely drawn in the present window.

use super::*;
use crate::chance::Chance;
use crate::console::screen::{CLEAR, SIZE_PROBE};

fn numbers(count: usize) -> String {
    (0..count).map(|number| format!("{number:04} ")).collect::<Vec<_>>().concat()
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Returns the rows that a window of this size shows now.
fn shown(screen: &str, (rows, columns): (u16, u16)) -> Vec<String> {
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    terminal.process(screen.replace('\n', "\r\n").as_bytes());
    terminal.screen().rows(0, columns).map(|row| row.trim_end().to_owned()).collect()
}

/// Returns the question from its first page to its last, as the window shows each page.
fn leafed(scene: &mut Scene) -> String {
    let window = scene.window.unwrap();
    let mut whole = String::new();
    loop {
        let rows = shown(&scene.screen, window);
        let is_last = !rows.iter().any(|row| row.starts_with("page "));
        whole += &rows.iter().filter(|row| row.starts_with("* ") || row.starts_with("  ")).map(|row| &row[2..]).collect::<Vec<_>>().join(" ");
        whole.push(' ');
        if is_last {
            return whole;
        }
        scene.screen = String::from(CLEAR);
        scene.types(" ");
    }
}

#[test]
fn property_each_page_fits_the_window_and_all_pages_together_show_everything_that_is_approved() {
    for seed in 0..30 {
        let mut chance = Chance::new(seed);
        let mut scene = scene();
        scene.is_window(10 + chance.below(30) as u16, 40 + chance.below(100) as u16);
        let (arguments, sentence, remembers) = (numbers(chance.below(400)), numbers(chance.below(300)), numbers(chance.below(60)));
        let body = body_of(|root| {
            let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
            question.set_tool("t");
            question.set_arguments(&arguments);
            question.set_sentence(&sentence);
            question.set_rule("system.cap:4");
            question.set_mode(PermissionMode::Consent);
            question.set_may_remember(true);
            question.set_remembers(&remembers);
        });
        scene.screen = String::from(CLEAR);
        scene.call(GATE, request::APPROVAL, 5, 0, body);
        let whole = leafed(&mut scene);
        assert_eq!(digits(&whole), digits(&format!("{arguments}{sentence}4{remembers}")), "seed {seed}, {:?}: {whole}", scene.window);
        let window = scene.window.unwrap();
        assert!(shown(&scene.screen, window).iter().any(|row| row.starts_with("allow? ")), "{:?}", shown(&scene.screen, window));
        scene.types("kfm\r");
        assert_eq!(scene.answered(5), Some(Answer::Granted));
    }
}

#[test]
fn a_step_up_question_is_drawn_completely_in_a_narrow_window() {
    let mut scene = scene();
    scene.is_window(12, 44);
    scene.screen = String::from(CLEAR);
    let challenge = "0123456789".repeat(40);
    scene.asks_for(GATE, 5, 0, PermissionMode::StepUp, &challenge);
    let whole = leafed(&mut scene);
    let (line, command) = whole.split_once("printf").expect("the command stands below the line");
    for part in [line.split_once("sign this line").unwrap().1, command] {
        assert_eq!(digits(part), challenge, "{whole}");
    }
    assert!(whole.trim_end().ends_with("-n stepup@capos -f YOUR_KEY -"), "{whole}");
}

#[test]
fn a_window_that_shrank_before_a_question_is_detected_before_an_answer_counts() {
    let mut scene = scene();
    scene.is_window(25, 100);
    scene.window = Some((25, 44));
    scene.asks_about(5, "{\"content\":\"call Ada\\n\",\"path\":\"a path that is longer than the window.txt\"}");
    let rows = shown(&scene.screen, (25, 44)).join(" ").replace("  ", "");
    assert!(rows.contains("a path that is longer than the window.txt\"}"), "{rows}");
    assert!(rows.contains("the window has another size"), "{rows}");
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn if_the_window_shrinks_during_a_question_the_question_is_drawn_again_and_its_time_restarts() {
    let mut scene = scene();
    scene.is_window(25, 100);
    scene.desk.at(1_000);
    scene.desk.frame(GATE, Frame { call_id: 5, kind: asking(&numbers(900), 60_000) });
    scene.collect_at(1_000);
    assert_eq!(scene.desk.asked[0].deadline, Some(61_000));
    scene.types("  ");
    scene.window = Some((30, 60));
    // The console asks for the size even if no key is pressed.
    assert_eq!(scene.desk.deadline(), Some(2_000));
    scene.screen.clear();
    scene.desk.at(30_000);
    scene.desk.tick(30_000);
    scene.collect_at(30_000);
    assert!(scene.screen.starts_with(CLEAR), "{}", scene.screen);
    assert_eq!(scene.desk.asked[0].deadline, Some(90_000));
    let whole = leafed(&mut scene);
    assert_eq!(digits(&whole), digits(&numbers(900)) + "34", "{whole}");
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn an_approval_counts_only_if_the_window_is_still_the_one_that_the_question_was_drawn_in() {
    for (mode, typed) in [(PermissionMode::Consent, "kfm\r"), (PermissionMode::StepUp, "-----BEGIN\r-----END SSH SIGNATURE-----\r")] {
        let mut scene = scene();
        scene.is_window(25, 100);
        let challenge = if mode == PermissionMode::StepUp { "sign me" } else { "" };
        scene.asks_for(GATE, 5, 0, mode, challenge);
        scene.window = Some((25, 60));
        scene.types(typed);
        assert_eq!(scene.answered(5), None);
        assert!(scene.screen.contains("the window has another size"), "{}", scene.screen);
        scene.types(typed);
        assert_eq!(scene.answered(5), Some(Answer::Granted));
    }
}

#[test]
fn a_refusal_and_control_c_count_before_the_terminal_reports_its_window() {
    for (typed, answer) in [("no\r", Answer::Denied), ("\u{3}", Answer::Cancelled)] {
        let mut scene = scene();
        scene.is_window(25, 100);
        scene.asks(5, 0);
        scene.window = None;
        scene.types(typed);
        assert_eq!(scene.answered(5), Some(answer));
    }
}

#[test]
fn no_answer_counts_before_the_terminal_has_confirmed_that_the_question_is_shown() {
    let mut scene = scene();
    scene.is_window(25, 100);
    scene.window = None;
    scene.asks(5, 700);
    assert!(scene.screen.ends_with(SIZE_PROBE));
    scene.types("kfm\r");
    assert_eq!((scene.answered(5), scene.desk.asked[0].deadline), (None, None));
    scene.types("\u{1b}[25;100R");
    assert_eq!(scene.desk.asked[0].deadline, Some(700));
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), None, "the window may have changed since");
    scene.types("\u{1b}[25;100R");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn if_a_terminal_stops_answering_the_person_is_informed_and_rows_fit_eighty_columns() {
    let mut scene = scene();
    scene.is_window(25, 100);
    scene.window = None;
    scene.asks_about(5, &"x".repeat(300));
    assert_eq!(scene.desk.deadline(), Some(5_000));
    scene.types("kfm\r");
    scene.screen.clear();
    scene.desk.tick(5_000);
    scene.collect_at(5_000);
    assert_eq!(scene.answered(5), None);
    assert!(scene.screen.contains("* the terminal no longer says how large it is"), "{}", scene.screen);
    assert!(!scene.screen.contains('\u{1b}') && scene.screen.lines().all(|row| row.chars().count() < 80), "{}", scene.screen);
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn a_person_at_a_terminal_of_unknown_size_is_informed_once() {
    let mut scene = narrow();
    scene.desk.probes.told_unknown = false;
    for call_id in [5, 6] {
        scene.asks(call_id, 0);
        scene.types("kfm\r");
        assert_eq!(scene.answered(call_id), Some(Answer::Granted));
    }
    assert_eq!(scene.screen.matches("* this terminal does not say how large it is").count(), 1, "{}", scene.screen);
}

#[test]
fn a_window_that_is_too_small_for_a_question_accepts_only_a_refusal() {
    let mut scene = scene();
    scene.is_window(25, 100);
    scene.window = Some((25, 20));
    scene.asks(5, 700);
    assert!(scene.screen.ends_with("* this window is too small to ask in, it takes 40 columns and 10 rows; q refuses\nq refuses> "), "{}", scene.screen);
    scene.types("kfm\r \r");
    assert_eq!((scene.answered(5), scene.desk.asked[0].deadline), (None, Some(700)));
    scene.window = Some((25, 80));
    scene.desk.tick(10);
    scene.desk.at(1_000);
    scene.desk.tick(1_000);
    scene.collect();
    // The deadline of the question, 700, had passed.
    assert_eq!(scene.answered(5), Some(Answer::TimedOut));
    scene.window = Some((5, 80));
    scene.asks(6, 0);
    scene.types("q");
    assert_eq!(scene.answered(6), Some(Answer::Denied));
}

#[test]
fn control_l_draws_the_page_again_and_drops_a_partly_typed_answer() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.asks_about(5, &numbers(900));
    scene.types(" ");
    scene.screen.clear();
    scene.types("\x0c");
    assert!(scene.screen.starts_with(CLEAR) && scene.screen.contains("page 2 of 4"), "{}", scene.screen);
    for typed in [" ", " ", "k", "\x0c", "kfm\r"] {
        scene.types(typed);
    }
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn output_after_an_entered_line_fits_the_present_window() {
    let mut scene = scene();
    scene.is_window(25, 100);
    scene.reads(1);
    scene.window = Some((25, 44));
    scene.types("hello\r");
    scene.writes(2, &"word ".repeat(30));
    assert_eq!(scene.desk.pen.screen().columns, 44);
    assert!(shown(&scene.screen, (25, 44)).join(" ").matches("word").count() == 30);
}

#[test]
fn a_prompt_is_drawn_again_if_the_window_changes_while_nobody_types() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene.types("/session nobody\r");
    scene.types(&"word ".repeat(14));
    assert_eq!(scene.desk.deadline(), Some(3_000));
    scene.window = Some((25, 60));
    scene.desk.at(3_000);
    scene.desk.tick(3_000);
    scene.collect_at(3_000);
    let row = scene.screen.rsplit('\r').next().unwrap_or_default();
    assert!(row.contains("you> <") && row.chars().filter(|character| !character.is_control()).count() < 90, "{row:?}");
    assert_eq!((scene.desk.pen.screen().columns, scene.desk.deadline()), (60, Some(6_000)));
}
