use super::*;
use crate::chance::Chance;
use crate::console::keyboard::Keyboard;

fn typed(bytes: &str) -> (LineEditor, Vec<Edit>) {
    let (mut keyboard, mut editor) = (Keyboard::default(), LineEditor::default());
    let strokes: Vec<Stroke> = bytes.bytes().filter_map(|byte| keyboard.feed(byte)).collect();
    let edits = strokes.into_iter().map(|stroke| editor.apply(stroke)).collect();
    (editor, edits)
}

fn line(bytes: &str) -> String {
    match typed(bytes).1.pop() {
        Some(Edit::Line(line)) => line.text().to_owned(),
        other => panic!("no line: {other:?}"),
    }
}

const LEFT: &str = "\x1b[D";
const HOME: &str = "\x01";

#[test]
fn letters_are_inserted_and_removed_at_the_cursor() {
    assert_eq!(line(&format!("acd{LEFT}{LEFT}b\r")), "abcd");
    assert_eq!(line(&format!("xabc{HOME}\x1b[3~\r")), "abc");
    assert_eq!(line(&format!("abXc{LEFT}\x7f\r")), "abc");
    assert_eq!(line(&format!("bc{HOME}a\x05d\r")), "abcd");
    assert_eq!(line("\x7f\x7fx\r"), "x");
}

#[test]
fn words_can_be_skipped_and_killed_and_yanked() {
    assert_eq!(line("one two  three\x17\x17four\r"), "one four");
    assert_eq!(line("one two\x1bb\x1bbzero \r"), "zero one two");
    assert_eq!(line(&format!("one two{HOME}\x1bf!\r")), "one! two");
    assert_eq!(line(&format!("one two{HOME}\x1bd\x05\x19\r")), " twoone");
    assert_eq!(line(&format!("one two{HOME}\x1b[1;5C\x0b\x19\x19\r")), "one two two");
    assert_eq!(line("gone\x15kept\r"), "kept");
}

#[test]
fn the_cursor_moves_over_a_letter_and_its_marks_in_one_step() {
    assert_eq!(line("ae\u{301}\u{7f}b\r"), "ab");
    assert_eq!(line(&format!("ae\u{301}{LEFT}{LEFT}x\r")), "xae\u{301}");
    assert_eq!(line("世\u{8}x\r"), "x");
}

#[test]
fn control_d_removes_a_letter_and_ends_an_empty_line() {
    assert_eq!(line(&format!("xab{HOME}\x04\r")), "ab");
    assert_eq!(typed("\x04").1, [Edit::End]);
    assert_eq!(line("ab\x04\r"), "ab");
}

#[test]
fn edits_at_the_end_of_the_line_report_the_added_and_removed_text() {
    assert_eq!(typed("aü").1, [Edit::Appended('a'), Edit::Appended('ü')]);
    assert_eq!(typed("ab c\x17").1.pop(), Some(Edit::Taken("c".into())));
    assert_eq!(typed("e\u{301}").1.pop(), Some(Edit::Changed));
}

#[test]
fn a_paste_beyond_the_limit_is_cut() {
    assert_eq!(line(&format!("{}\r", "x".repeat(MOST_BYTES + 10))).len(), MOST_BYTES);
}

/// Returns the parts of the entered line.
fn pieces(bytes: &str) -> Vec<(String, bool)> {
    match typed(bytes).1.pop() {
        Some(Edit::Line(line)) => line.pieces().iter().map(|piece| (piece.text.to_owned(), piece.is_pasted)).collect(),
        other => panic!("no line: {other:?}"),
    }
}

#[test]
fn pasted_text_that_is_moved_stays_marked_as_pasted() {
    let of = |parts: &[(&str, bool)]| parts.iter().map(|(text, is_pasted)| ((*text).to_owned(), *is_pasted)).collect::<Vec<_>>();
    assert_eq!(pieces("to \x1b[200~eve\x1b[201~ now\r"), of(&[("to ", false), ("eve", true), (" now", false)]));
    // A letter that the person types into pasted text counts as typed, and splits the pasted text.
    assert_eq!(pieces(&format!("\x1b[200~eve\x1b[201~{LEFT}x\r")), of(&[("ev", true), ("x", false), ("e", true)]));
    // Text that is killed and yanked is still marked as pasted.
    assert_eq!(pieces("\x1b[200~eve\x1b[201~\x17to \x19\r"), of(&[("to ", false), ("eve", true)]));
    assert_eq!(pieces("typed\x15\x1b[200~a\x1b[201~\x19\r"), of(&[("a", true), ("typed", false)]));
}

const STROKES: [Stroke; 20] = [
    Stroke::Pasted('é'),
    Stroke::Text('a'),
    Stroke::Text(' '),
    Stroke::Text('世'),
    Stroke::Text('\u{301}'),
    Stroke::Text('\u{202e}'),
    Stroke::Left,
    Stroke::Right,
    Stroke::WordLeft,
    Stroke::WordRight,
    Stroke::Home,
    Stroke::End,
    Stroke::Backspace,
    Stroke::Delete,
    Stroke::KillWord,
    Stroke::KillWordRight,
    Stroke::KillRight,
    Stroke::KillAll,
    Stroke::Yank,
    Stroke::Close,
];

/// A model of the line that stores it in another form: as the parts before and after the cursor.
#[derive(Default)]
struct Halves {
    before: Vec<char>,
    after: Vec<char>,
}

impl Halves {
    fn apply(&mut self, stroke: Stroke) {
        match stroke {
            Stroke::Text(character) => self.before.push(character),
            Stroke::Left => while self.before.pop().map(|character| self.after.insert(0, character)).is_some() && self.after.first().is_some_and(|c| is_mark(*c)) {},
            Stroke::Backspace => while self.before.pop().is_some_and(is_mark) {},
            Stroke::Home => self.after.splice(0..0, self.before.drain(..)).for_each(drop),
            Stroke::End => self.before.append(&mut self.after),
            _ => unreachable!("not in this model"),
        }
    }
}

#[test]
fn property_the_editor_agrees_with_a_model_and_its_cursor_never_splits_a_character() {
    for seed in 0..200 {
        let mut chance = Chance::new(seed);
        let (mut editor, mut halves) = (LineEditor::default(), Halves::default());
        for _ in 0..60 {
            let stroke = *chance.pick(&[Stroke::Text('a'), Stroke::Text('\u{301}'), Stroke::Text('世'), Stroke::Left, Stroke::Backspace, Stroke::Home, Stroke::End]);
            editor.apply(stroke);
            halves.apply(stroke);
            assert_eq!(editor.before().chars().collect::<Vec<_>>(), halves.before);
            assert_eq!(editor.line().chars().collect::<Vec<_>>(), [&halves.before[..], &halves.after].concat());
        }
        let mut editor = LineEditor::default();
        for _ in 0..200 {
            editor.apply(*chance.pick(&STROKES));
            let told = editor.said().pieces();
            assert!(told.iter().all(|piece| piece.text.contains('é') <= piece.is_pasted && piece.text.contains('a') <= !piece.is_pasted) || told.len() == 64);
            assert!(editor.line().is_char_boundary(editor.cursor) && editor.line().len() <= MOST_BYTES);
        }
    }
}
