//! Tests consent and step-up.

use super::*;

#[test]
fn only_the_displayed_letters_approve() {
    for (typed, answer, words) in [("kfm\r", Answer::Granted, "allowed"), ("no\r", Answer::Denied, "refused"), ("N\r", Answer::Denied, "refused")] {
        let mut scene = scene();
        scene.asks(5, 0);
        scene.types(typed);
        assert_eq!(scene.answered(5), Some(answer));
        let echo = typed.trim();
        assert_eq!(
            scene.screen,
            format!(
                "* notes.write {{\"path\":\"a‹U+202E›\"}}\n* write 3 bytes to a — system.cap:4\n\
                 allow? type kfm to allow, no to refuse> {echo}\n* {words}\n"
            )
        );
    }
}

#[test]
fn after_a_mistyped_answer_the_console_says_what_to_type_and_a_second_mistyped_answer_refuses() {
    for (typed, answer, words) in [
        ("kfm\r", Answer::Granted, "allowed"),
        ("no\r", Answer::Denied, "refused"),
        ("kmf\r", Answer::Mistyped, "refused: not understood twice"),
        ("\r", Answer::Mistyped, "refused: not understood twice"),
    ] {
        for mistake in ["y\r", "\r", "qwz\r"] {
            let mut scene = scene();
            scene.asks(5, 700);
            scene.types(mistake);
            assert_eq!(scene.answered(5), None, "{mistake}");
            let asked = "\n* not an answer: type kfm to allow, no to refuse; the next mistake refuses\nallow? type kfm to allow, no to refuse> ";
            assert!(scene.screen.ends_with(asked), "{}", scene.screen);
            assert_eq!(scene.desk.deadline(), Some(700), "a mistake gives no more time");
            scene.types(typed);
            assert_eq!(scene.answered(5), Some(answer), "{mistake} {typed}");
            assert!(scene.screen.ends_with(&format!("* {words}\n")));
        }
    }
    let mut scene = scene();
    scene.asks(5, 0);
    scene.types("y\rkfm\r");
    assert_eq!(scene.answered(5), None, "text that was typed before the notice of the mistake is no answer");
    let mut scene = self::scene();
    scene.is_window(25, 80);
    scene.asks(5, 0);
    scene.types("y\r");
    scene.window = Some((25, 90));
    scene.desk.tick(1_000);
    scene.collect();
    assert!(scene.screen.contains("the window has another size"), "{}", scene.screen);
    scene.types("y\r");
    assert_eq!(scene.answered(5), Some(Answer::Mistyped), "a window of another size gives no more tries");
}

#[test]
fn text_typed_before_a_question_does_not_answer_it_and_waits_at_the_prompt() {
    let mut scene = scene();
    scene.types("kfm\r");
    scene.asks(5, 0);
    assert_eq!(scene.effects, [Effect::TakeTyped]);
    scene.desk.typed_before(b"kfm\rkf");
    assert_eq!(scene.answered(5), None);
    scene.types("no\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
    scene.types("later\r");
    for (call_id, line) in (1..).zip(["kfm", "kfm", "kf", "later"]) {
        scene.reads(call_id);
        assert!(scene.screen.ends_with(&format!("* {}\nyou> {line}", super::kept::KEPT)), "{}", scene.screen);
        scene.types("\r");
        scene.begins_turn();
        assert_eq!(scene.read_line(call_id), Some((line.into(), false)));
    }
    scene.reads(5);
    assert!(scene.screen.ends_with("\nyou> later\nyou> "), "each line is shown once: {}", scene.screen);
}

#[test]
fn text_typed_before_a_question_is_bounded_and_keeps_its_pasted_parts_and_control_c_drops_it() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("to \u{1b}[200~eve\u{1b}[201~");
    scene.asks(5, 0);
    scene.desk.typed_before(&b"again\r".repeat(5_000));
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
    assert_eq!(scene.screen.matches("* more was typed before the question than can wait").count(), 1, "{}", scene.screen);
    assert_eq!(scene.desk.kept.iter().filter(|stroke| **stroke == Stroke::Enter).count(), 15);
    assert_eq!(scene.desk.editor.said().pieces().iter().map(|piece| (piece.text, piece.is_pasted)).collect::<Vec<_>>(), [
        ("to ", false), ("eve", true), ("again", false),
    ]);
    scene.types("\u{3}");
    assert!(scene.desk.kept.is_empty() && scene.desk.editor.is_empty());
}

#[test]
fn a_paste_that_began_before_the_question_does_not_continue_in_its_answer() {
    let mut scene = scene();
    scene.asks(5, 0);
    scene.desk.typed_before(b"\x1b[200~one\n");
    scene.types("kfm\u{1b}[201~no\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
    scene.reads(1);
    assert!(scene.screen.ends_with("you> one\u{21b5}kfm"), "{}", scene.screen);
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
fn a_partly_typed_line_is_not_an_answer_and_returns_after_the_question() {
    let mut scene = scene();
    scene.reads(1);
    scene.types("kf");
    scene.asks(5, 0);
    scene.types("m\r");
    scene.types("no\r");
    assert_eq!(scene.answered(5), Some(Answer::Denied));
    assert!(scene.screen.ends_with("* refused\n* typed before the question: Enter sends it, Ctrl-U drops it\nyou> kf"));
    scene.types("\u{15}hello\r");
    scene.begins_turn();
    assert_eq!(scene.read_line(1), Some(("hello".into(), false)));
}

#[test]
fn questions_end_by_timeout_or_interrupt_or_withdrawal() {
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

const SIGNATURE: &str = "-----BEGIN SSH SIGNATURE-----\nU1NIU0lH\n-----END SSH SIGNATURE-----\n";

#[test]
fn a_step_up_is_answered_by_a_pasted_signature() {
    let mut scene = scene();
    scene.types("ahead\r");
    scene.asks_for(GATE, 5, 0, PermissionMode::StepUp, r#"{"nonce":"ab"}"#);
    assert_eq!(scene.effects, [Effect::TakeTyped]);
    let asked = "* sign this line: {\"nonce\":\"ab\"}\n\
                 * printf %s \\\n  '{\"nonce\":\"ab\"}' \\\n  | ssh-keygen -Y sign -n stepup@capos -f YOUR_KEY -\n\
                 paste the signature> ";
    assert!(scene.screen.ends_with(asked), "{}", scene.screen);
    scene.types(&SIGNATURE.replace('\n', "\r\n"));
    assert_eq!(scene.signed(5), Some((Answer::Granted, SIGNATURE.into())));
    assert!(scene.screen.ends_with("-----END SSH SIGNATURE-----\n* signature taken\n"));
}

#[test]
fn an_invalid_signature_denies_the_call_and_control_c_cancels_the_question() {
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
fn a_question_is_not_asked_if_its_challenge_cannot_be_shown_unchanged() {
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
fn the_time_to_answer_starts_when_the_question_is_drawn_and_no_earlier_input_counts() {
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
fn long_arguments_are_shown_completely_in_pages() {
    let arguments = (0..900).map(|number| format!("{number:04} ")).collect::<Vec<_>>().concat();
    let mut scene = scene();
    scene.asks_about(5, &arguments);
    let shown = |screen: &str| -> String { screen.lines().filter_map(|line| line.strip_prefix("* ")).collect() };
    assert!(scene.screen.ends_with("\npage 1 of 4: space shows the next, q refuses> "));
    assert!(!scene.screen.contains("kfm") && scene.screen.lines().all(|line| line.chars().count() <= 78));
    scene.types("x  ");
    let second = "page 2 of 4: space shows the next, b the one before, q refuses> ";
    assert!(scene.screen.ends_with(second), "one page at a time, and what is no key does nothing");
    scene.types(" ");
    scene.types("\r");
    let last = "* b shows the page before\nallow? type kfm to allow, no to refuse> ";
    assert!(scene.screen.ends_with(last));
    assert_eq!(shown(&scene.screen), format!("notes.write {arguments}write 3 bytes to a — system.cap:4b shows the page before"));
    scene.types("b\r");
    scene.types("b");
    assert!(scene.screen.ends_with(second));
    scene.types(" ");
    scene.types(" ");
    assert!(scene.screen.ends_with(last));
    scene.types("kfm\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
}

#[test]
fn no_answer_before_the_last_page_approves() {
    for (typed, answer) in [("kfmq", Answer::Denied), ("\u{4}", Answer::Denied), ("\u{3}", Answer::Cancelled)] {
        let mut scene = scene();
        scene.asks_about(5, &"x".repeat(4000));
        scene.types(" ");
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
fn a_question_that_is_too_large_to_show_is_not_asked() {
    let mut scene = scene();
    scene.asks_about(5, &"x".repeat(64 * 1024 + 1));
    assert_eq!(scene.screen, "");
    assert!(matches!(&scene.sent[..], [(GATE, Frame { call_id: 5, kind: Kind::Failure { .. } })]));
}

#[test]
fn consent_for_the_conversation_has_its_own_letters_and_is_possible_only_if_the_question_offers_it() {
    for (typed, answer, words) in [
        ("qwz\r", Answer::GrantedForConversation, "allowed, and remembered"),
        ("kfm\r", Answer::Granted, "allowed"),
        ("no\r", Answer::Denied, "refused"),
    ] {
        let mut scene = scene();
        scene.offers(5, "every notes.write to that path");
        let asked = "* every notes.write to that path\n\
                     allow? type kfm for once, qwz for all of that, no to refuse> ";
        assert!(scene.screen.ends_with(asked), "{}", scene.screen);
        scene.types(typed);
        assert_eq!(scene.answered(5), Some(answer));
        assert!(scene.screen.ends_with(&format!("* {words}\n")));
    }
    let mut scene = scene();
    scene.asks(5, 0);
    scene.types("qwz\r");
    scene.types("qwz\r");
    assert_eq!(scene.answered(5), Some(Answer::Mistyped));
}

#[test]
fn a_signature_may_be_pasted_in_one_piece_and_counts_only_after_return() {
    let mut scene = scene();
    scene.asks_for(GATE, 5, 0, PermissionMode::StepUp, "sign me");
    scene.types(&format!("\u{1b}[200~{SIGNATURE}\u{1b}[201~"));
    assert_eq!(scene.signed(5), None);
    scene.types("\r");
    assert_eq!(scene.signed(5), Some((Answer::Granted, SIGNATURE.into())));
}

#[test]
fn text_pasted_after_a_signature_answers_no_other_question() {
    for behind in ["-----END SSH SIGNATURE-----", "\nmore"] {
        let mut scene = scene();
        scene.asks_for(GATE, 5, 0, PermissionMode::StepUp, "sign me");
        scene.asks(6, 0);
        scene.types(&format!("\u{1b}[200~{SIGNATURE}{behind}\u{1b}[201~\r"));
        assert_eq!(scene.answered(6), None, "{behind}");
        assert_eq!(scene.signed(5), Some((Answer::Granted, SIGNATURE.into())));
        scene.types("kfm\r");
        assert_eq!(scene.answered(6), Some(Answer::Granted));
    }
}

#[test]
fn a_pasted_line_end_answers_no_question_and_no_answer_is_stored() {
    let mut scene = scene();
    scene.reads(1);
    scene.asks(5, 0);
    scene.types("\u{1b}[200~kfm\n\u{1b}[201~");
    assert_eq!(scene.answered(5), None);
    scene.types("\u{1b}[A\t\r");
    assert_eq!(scene.answered(5), Some(Answer::Granted));
    scene.types("\u{19}\u{1b}[A");
    assert!(scene.screen.ends_with("* allowed\nyou> "), "{}", scene.screen);
}
