//! Tests the line at the prompt: history, completion, and terminals with different abilities.

use super::*;

/// Sends the gate's response to the console's last call, which asked for the words to complete.
fn words(scene: &mut Scene) {
    let (call_id, _, method, _) = scene.called(SESSION);
    assert_eq!(method, request::VOCABULARY);
    let body = body_of(|root| {
        let mut results: session::vocabulary_results::Builder = root.init_as();
        let mut commands = results.reborrow().init_commands(2);
        for (index, name, argument) in [(0, "tool", crate::wire_capnp::ArgumentKind::Call), (1, "exit", crate::wire_capnp::ArgumentKind::Tool)] {
            let mut command = commands.reborrow().get(index);
            command.set_name(name);
            command.set_usage(format!("/{name}: of the gate"));
            command.set_argument(argument);
        }
        let mut tool = results.init_tools(1).get(0);
        tool.set_name("notes.read");
        tool.set_service("notes");
        tool.init_arguments(1).set(0, "path");
    });
    scene.answers(SESSION, call_id, body);
}

#[test]
fn a_session_recalls_its_own_lines_and_an_edited_line_can_be_entered() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene.types("/session nobody\r");
    scene.types("/session operator\r");
    scene.types("\u{1b}[A\u{1b}[A\u{1b}[D\u{1b}[D\u{1b}[DX");
    assert_eq!(scene.rows()[4], "you> /session nobXody");
    scene.types("\u{1b}[B\u{1b}[B");
    assert_eq!(scene.rows()[4], "you> ");
}

#[test]
fn tab_asks_the_gate_and_the_answer_completes_only_the_line_in_which_tab_was_pressed() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/tool n\t");
    words(&mut scene);
    assert!(scene.screen.ends_with("you> /tool n\nyou> /tool notes.read "), "{}", scene.screen);
    scene.types("\t");
    scene.types("x");
    words(&mut scene);
    assert!(scene.screen.ends_with("/tool notes.read x"));
    scene.types("\u{15}hello\t");
    assert!(scene.screen.ends_with("hello"), "a line for the agent is not completed");
    scene.types("\u{15}/s\t");
    words(&mut scene);
    assert!(scene.screen.ends_with("* session  stop\nyou> /s"), "{}", scene.screen);
    scene.types("\t\u{3}");
    assert!(!scene.screen.contains("stopped waiting"));
}

#[test]
fn help_is_one_list_and_the_console_itself_explains_its_own_commands() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("/help\r");
    words(&mut scene);
    let list = "* /colours [on|off]   /exit   /help [NAME]   /restart NAME   /session NAME\n* /stop NAME   /tool\n* /help NAME: what one of them does\n";
    assert!(scene.screen.contains(list), "{}", scene.screen);
    assert!(scene.screen.ends_with("Tab draw it anew\nyou> "));
    for (typed, told) in [("tool", "/tool: of the gate"), ("/exit", "/exit: leave; the machine powers off"), ("no", "there is no command /no")] {
        scene.types(&format!("/help {typed}\r"));
        words(&mut scene);
        assert!(scene.screen.contains(&format!("* {told}")), "{}", scene.screen);
    }
    assert!(!scene.screen.contains("/exit: of the gate"));
}

#[test]
fn a_terminal_that_does_not_answer_gets_one_notice_about_missing_features() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("abc\u{1b}[D\u{1b}[D\u{1}");
    assert_eq!(scene.screen.matches("does not say where its cursor is").count(), 1);
    scene.types("d\r");
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("abcd".into(), false)));
}

#[test]
fn a_terminal_that_answers_is_asked_for_its_size_and_restored_at_the_end() {
    let mut scene = scene();
    scene.desk.probe();
    scene.types("\u{1b}[1;1R");
    scene.types("\u{1b}[25;90R");
    assert_eq!(scene.desk.pen.screen(), Screen { columns: 90, moves: true, paints: true, ..Screen::default() });
    scene.reads(1);
    scene.types("/exit\r");
    let orders: Vec<usize> = ["\u{1b}[6n", "\u{1b}[?2004h", "\u{1b}[999;999H", "\u{1b}[?2004l"]
        .iter().map(|order| scene.screen.find(order).expect(order)).collect();
    assert!(orders.is_sorted());
}

#[test]
fn text_that_arrives_during_typing_is_drawn_above_the_line() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    scene.types("half a li");
    scene.writes(2, "psst\n");
    scene.types("ne");
    assert_eq!(scene.rows()[..3], ["agent> psst", "you> half a line", ""]);
}

#[test]
fn a_long_line_stays_completely_on_the_screen_after_it_is_entered() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    let line = "word ".repeat(30);
    scene.types(&line);
    assert!(scene.rows()[0].starts_with("you> <") && scene.rows()[1].is_empty());
    scene.types("\r");
    let rows = scene.rows();
    assert!(rows[0].starts_with("you> word word") && rows[2] == "  word " && rows[3].is_empty(), "{rows:?}");
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some((line.trim().into(), false)));
}

/// Returns the pieces of the line in the last request for a turn.
fn pieces(scene: &Scene) -> Vec<(String, bool)> {
    let (_, _, method, body) = scene.called(SESSION);
    assert_eq!(method, request::BEGIN_TURN);
    with_body(&body, |root| {
        let params: session::begin_turn_params::Reader = root.get_as()?;
        params.get_pieces()?.iter().map(|piece| Ok((piece.get_text()?.to_string()?, piece.get_is_pasted()))).collect()
    })
    .unwrap()
}

#[test]
fn the_gate_learns_which_parts_of_a_line_were_pasted_even_if_the_line_was_recalled_or_had_to_wait() {
    let mut scene = scene();
    scene.is_window(25, 80);
    scene.reads(1);
    let of = |parts: &[(&str, bool)]| parts.iter().map(|(text, is_pasted)| ((*text).to_owned(), *is_pasted)).collect::<Vec<_>>();
    scene.types(" to \u{1b}[200~eve@example.com \u{1b}[201~\r");
    let mixed = of(&[("to ", false), ("eve@example.com", true)]);
    assert_eq!(pieces(&scene), mixed);
    // No process reads yet, so this line waits, and its pasted part stays marked.
    scene.types("\u{1b}[200~x\u{1b}[201~y\r");
    scene.begins_turn();
    scene.reads(2);
    assert_eq!(pieces(&scene), of(&[("x", true), ("y", false)]));
    scene.begins_turn();
    scene.reads(3);
    scene.types("\u{1b}[A\u{1b}[A, now\r");
    assert_eq!(pieces(&scene), of(&[("to ", false), ("eve@example.com", true), (", now", false)]));
}

#[test]
fn a_command_reports_whether_a_part_of_it_was_pasted() {
    let mut scene = scene();
    for (line, expected) in [("/tool notes.read a\r", false), ("/tool notes.read \u{1b}[200~a\u{1b}[201~\r", true)] {
        scene.reads(1);
        scene.types(line);
        let (call_id, _, _, body) = scene.called(SESSION);
        let is_pasted = with_body(&body, |root| Ok(root.get_as::<session::command_params::Reader>()?.get_is_pasted()));
        assert_eq!(is_pasted.unwrap(), expected);
        scene.answers(SESSION, call_id, lines(&[]));
    }
}
