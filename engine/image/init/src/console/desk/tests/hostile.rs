//! Tests hostile text, which tries to control the screen, in every place that accepts text.

use super::*;

/// Control characters, changes of direction, tags, hidden and private characters, a line break, stacked marks, and imitated text of the console.
const HOSTILE: &str = "\u{1b}[2J\u{9b}31m\u{7}\u{8}\r\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{e000}\u{2028}\u{ad}\u{fe0f}\
    \n* allowed\nyou> a\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\nallow? type kfm to allow, no to refuse> ";

fn is_harmless(scene: &Scene) {
    for row in scene.screen.split('\n') {
        let first = ["agent> ", "loop> ", "[tool] ", "capos: ", "* ", "  "].iter().find(|mark| row.starts_with(**mark));
        let asks = row.starts_with("allow? type kfm to allow, no") || row.starts_with("paste the signature> ");
        assert!(first.is_some() || asks || row.starts_with("you> ") || row.is_empty(), "{row:?}");
        assert!(row != "* allowed" && row != "you> a", "{row:?}");
        let is_hidden = |character: char| character.is_control() || "\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{e000}\u{2028}\u{ad}\u{fe0f}".contains(character);
        assert!(!row.chars().any(|character| is_hidden(character) && !"\t\u{8}".contains(character)), "{row:?}");
        assert!(!row.contains("\u{301}\u{301}\u{301}\u{301}\u{301}"), "{row:?}");
    }
}

#[test]
fn no_text_controls_the_screen_or_appears_in_the_place_of_a_mark() {
    let mut scene = narrow();
    for speaker in [Speaker::Model, Speaker::Runner, Speaker::Tool] {
        scene.speaks(LOOP, 1, HOSTILE, speaker);
    }
    scene.told(1, &[HOSTILE]);
    for stage in [notice::Stage::Running, notice::Stage::Finished] {
        let body = body_of(|root| {
            let mut notice = root.init_as::<approval::announce_params::Builder>().init_notice();
            notice.set_tool(HOSTILE);
            notice.set_arguments(HOSTILE);
            notice.set_detail(HOSTILE);
            notice.set_result(HOSTILE);
            notice.set_stage(stage);
        });
        scene.call(GATE, request::APPROVAL, 2, 1, body);
    }
    scene.reads(3);
    scene.types("/tools\r");
    let (call_id, ..) = scene.called(SESSION);
    let lines = body_of(|root| root.init_as::<session::command_results::Builder>().init_lines(1).set(0, HOSTILE));
    scene.answers(SESSION, call_id, lines);
    scene.types(&HOSTILE.replace(['\r', '\n', '\u{8}', '\u{1b}', '\u{7}'], ""));
    scene.types("\u{15}");
    is_harmless(&scene);
    assert!(scene.screen.contains("‹U+202E›") && scene.screen.contains("‹U+000A›"));
}

#[test]
fn no_field_of_a_question_controls_the_screen_or_imitates_a_mark() {
    for challenge in ["", "sign me"] {
        let mut scene = narrow();
        let body = body_of(|root| {
            let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
            question.set_tool(HOSTILE);
            question.set_arguments(HOSTILE);
            question.set_sentence(HOSTILE);
            question.set_rule(HOSTILE);
            question.set_mode(if challenge.is_empty() { PermissionMode::Consent } else { PermissionMode::StepUp });
            question.set_challenge(challenge);
        });
        scene.call(GATE, request::APPROVAL, 1, 0, body);
        is_harmless(&scene);
        assert!(scene.screen.contains("‹U+202E›"), "{}", scene.screen);
    }
}

#[test]
fn no_completed_or_listed_name_controls_the_screen_or_imitates_a_mark() {
    let mut scene = narrow();
    scene.reads(1);
    for line in ["/x\t", "\u{15}/help\r"] {
        scene.types(line);
        let (call_id, ..) = scene.called(SESSION);
        let words = body_of(|root| {
            let mut command = root.init_as::<session::vocabulary_results::Builder>().init_commands(1).get(0);
            command.set_name(format!("x{HOSTILE}"));
            command.set_usage(HOSTILE);
        });
        scene.answers(SESSION, call_id, words);
    }
    is_harmless(&scene);
    assert!(scene.screen.contains("* ‹U+001B›[2J"), "{}", scene.screen);
}
