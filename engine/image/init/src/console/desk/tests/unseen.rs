//! Tests a passphrase that is typed unseen: what the console then draws, stores, receives from processes and sends.

use super::*;
use crate::console::passphrase::sign;

const SALT: [u8; 16] = [7; 16];
const NEW_SALT: [u8; 16] = [8; 16];
const LINE: &str = "{\"tool\":\"/login\"}";

impl Scene {
    fn asks_unseen(&mut self, known: &[u8], chosen: &[u8]) {
        let body = body_of(|root| {
            let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
            question.set_tool("/login");
            question.set_arguments("{\"session\":\"operator\"}");
            question.set_sentence("log in to session operator");
            question.set_mode(PermissionMode::StepUp);
            question.set_challenge(LINE);
            question.set_rule("system.cap:4");
            question.set_is_login(true);
            let mut passphrase = question.init_passphrase();
            passphrase.set_salt(known);
            passphrase.set_new_salt(chosen);
        });
        self.call(GATE, request::APPROVAL, 5, 0, body);
    }

    fn signature(&self) -> String {
        with_body(&self.answer(GATE, 5).expect("an answer"), |root| {
            Ok(root.get_as::<approval::ask_results::Reader>()?.get_signature()?.to_string()?)
        })
        .unwrap()
    }
}

fn by(words: &str, salt: &[u8]) -> String {
    sign(words.as_bytes(), salt, "login@capos", LINE).unwrap()
}

#[test]
fn a_passphrase_is_never_drawn_or_stored_and_only_a_signature_leaves_the_console() {
    let mut scene = scene();
    scene.is_window(25, 400);
    scene.types("before");
    scene.asks_unseen(&SALT, &[]);
    let asked = scene.screen.clone();
    assert!(asked.ends_with("log in to session operator — system.cap:4\x1b[?7h\npassphrase, which is not shown> "), "{asked:?}");
    scene.types("corrext\x7f\x7f\x7fect horsf\x1b[D\x1b[A\t\x7fe");
    assert_eq!(scene.screen, asked);
    scene.types("\r");
    assert_eq!(scene.signature(), by("correct horse", &SALT));
    scene.reads(1);
    scene.types("\x1b[A\x19");
    assert!(scene.desk.editor.is_empty());
    assert!(!scene.screen.contains("horse") && scene.screen.contains("* passphrase taken"));
}

#[test]
fn a_new_passphrase_is_announced_in_capitals_and_typed_twice() {
    let mut scene = scene();
    scene.asks_unseen(&[], &NEW_SALT);
    assert!(scene.screen.contains("* THERE IS NO PASSPHRASE YET"));
    scene.types("correct horse\r");
    assert!(scene.screen.ends_with("new passphrase, which is not shown> \nthe new passphrase once more> "));
    scene.types("correct horse\r");
    assert_eq!(scene.signature(), by("correct horse", &NEW_SALT));
}

#[test]
fn a_change_of_the_passphrase_is_signed_with_the_old_and_the_new_one() {
    let mut scene = scene();
    scene.asks_unseen(&SALT, &NEW_SALT);
    assert!(!scene.screen.contains("THERE IS NO"));
    scene.types("correct horse\rbattery staple\rbattery staple\r");
    assert_eq!(scene.signature(), by("correct horse", &SALT) + &by("battery staple", &NEW_SALT));
}

#[test]
fn an_unusable_passphrase_denies_the_question_and_signs_nothing() {
    let long = format!("{}\r", "x".repeat(513));
    for (known, chosen, typed, words) in [
        (&SALT[..], &[][..], "\r", "refused: no passphrase"),
        (&SALT, &[], long.as_str(), "refused: that is longer than any passphrase"),
        (&SALT, &[], "half\x04", "refused"),
        (&[], &NEW_SALT, "seven77\r\r", "refused: no passphrase"),
        (&[], &NEW_SALT, "correct horse\rcorrect hors\r\r", "refused: no passphrase"),
    ] {
        let mut scene = scene();
        scene.asks_unseen(known, chosen);
        scene.types(typed);
        assert_eq!((scene.answered(5), scene.signature().as_str()), (Some(Answer::Denied), ""));
        assert!(scene.screen.contains(words), "{}", scene.screen);
    }
    let mut scene = scene();
    scene.asks_unseen(&SALT, &[]);
    scene.types("half\x03");
    assert_eq!(scene.answered(5), Some(Answer::Cancelled));
}

#[test]
fn an_unacceptable_new_passphrase_is_asked_for_again_without_echo() {
    for (known, old) in [(&[][..], ""), (&SALT, "old one\r")] {
        let mut scene = scene();
        scene.asks_unseen(known, &NEW_SALT);
        scene.types(&format!("{old}seven77\r"));
        assert!(scene.screen.ends_with("8 characters at least; once more, or Enter to leave it\nnew passphrase, which is not shown> "));
        scene.types("correct horse\rcorrect hors\r");
        assert!(scene.screen.ends_with("the two are not the same; once more, or Enter to leave it\nnew passphrase, which is not shown> "));
        assert_eq!(scene.answered(5), None);
        // Input from before the mistake does not become part of the new passphrase.
        scene.types("battery staple\rbattery staple\r");
        let old = if old.is_empty() { String::new() } else { by("old one", &SALT) };
        assert_eq!(scene.signature(), old + &by("battery staple", &NEW_SALT));
        assert!(!scene.screen.contains("horse") && !scene.screen.contains("seven77"));
    }
}

#[test]
fn text_typed_before_the_prompt_is_not_part_of_the_passphrase_and_a_pasted_line_end_does_not_end_it() {
    let mut scene = scene();
    scene.types("wrong\r");
    scene.asks_unseen(&SALT, &[]);
    scene.types("\x1b[200~correct \nhorse\x1b[201~");
    assert_eq!(scene.answered(5), None);
    scene.types("\r");
    assert_eq!(scene.signature(), by("correct horse", &SALT));
    scene.reads(1);
    assert!(scene.screen.ends_with("asked for is dropped\nyou> ") && !scene.screen.contains("wrong"), "{}", scene.screen);
}

#[test]
fn no_process_can_draw_text_that_looks_like_the_passphrase_prompt() {
    let mut scene = narrow();
    scene.writes(1, &format!("{}passphrase, which is not shown> \n", "x".repeat(71)));
    scene.writes(2, "a\npassphrase, which is not shown> ");
    assert!(scene.rows().iter().all(|row| !row.starts_with("passphrase")), "{:?}", scene.rows());
}

#[test]
fn salts_of_another_size_and_a_passphrase_for_anything_but_a_login_are_refused() {
    for size in [1, 15, 65] {
        let mut scene = scene();
        scene.asks_unseen(&vec![1; size], &[]);
        assert!(scene.desk.asked.is_empty());
    }
    let mut scene = scene();
    let body = body_of(|root| {
        let mut question = root.init_as::<approval::ask_params::Builder>().init_question();
        question.set_mode(PermissionMode::StepUp);
        question.set_challenge(LINE);
        question.init_passphrase().set_salt(&SALT);
    });
    scene.call(GATE, request::APPROVAL, 5, 0, body);
    assert!(scene.desk.asked.is_empty());
}
