use super::*;
use crate::chance::Chance;
use crate::console::keyboard::Keyboard;
use crate::console::line::LineEditor;
use crate::console::screen::Font;

const MODEL: &str = "agent> ";
const RUNNER: &str = "* ";

fn drawn(draw: impl FnOnce(&mut Pen)) -> String {
    let mut pen = Pen::default();
    draw(&mut pen);
    String::from_utf8(pen.drawn().to_vec()).unwrap()
}

#[test]
fn every_line_has_the_mark_of_its_speaker() {
    assert_eq!(drawn(|pen| pen.text(MODEL, "one\nyou> two\n")), "agent> one\nagent> you> two\n");
    assert_eq!(drawn(|pen| pen.line(RUNNER, "a\nb")), "* a‹U+000A›b\n");
}

#[test]
fn text_that_arrives_in_pieces_stays_on_one_line() {
    let text = drawn(|pen| {
        pen.text(MODEL, "he");
        pen.text(MODEL, "llo");
        pen.text(RUNNER, "stopped\n");
    });
    assert_eq!(text, "agent> hello\n* stopped\n");
}

#[test]
fn text_of_another_session_has_the_name_of_its_session_and_never_continues_a_line_of_the_current_one() {
    for voice in [Voice::Console, Voice::Loop, Voice::Model, Voice::Tool] {
        assert!(voice.mark(Some("visitor")).contains("(visitor)") && !voice.mark(None).contains('('));
    }
    let text = drawn(|pen| {
        pen.text(&Voice::Model.mark(None), "one");
        pen.text(&Voice::Model.mark(Some("visitor")), "two\n");
    });
    assert_eq!(text, "agent> one\nagent (visitor)> two\n");
}

#[test]
fn text_that_arrives_at_a_prompt_is_drawn_in_a_row_of_its_own() {
    for (moves, left) in [(false, "\n"), (true, "\r\x1b[K")] {
        let text = drawn(|pen| {
            pen.set_screen(Screen { columns: 80, moves, ..Screen::default() });
            pen.prompt("you> ", true);
            pen.echo("ab");
            pen.line(MODEL, "hi");
            pen.prompt("you> ", true);
        });
        assert_eq!(text.replace(NEVER_WRAPS, "").replace(WRAPS, ""), format!("you> ab{left}agent> hi\nyou> "));
    }
}

const VT: Screen = Screen { columns: 80, rows: 25, is_small: false, moves: true, paints: false, font: Font::Terminal };

/// Returns the rows of a real terminal's screen, including those that were scrolled away.
fn rows(columns: u16, bytes: &[u8]) -> Vec<String> {
    let mut terminal = vt100::Parser::new(200, columns, 0);
    terminal.process(&with_returns(bytes));
    terminal.screen().rows(0, columns).map(|row| row.trim_end().to_owned()).collect()
}

/// Adds a carriage return to each line end, like the terminal's driver.
fn with_returns(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect()
}

#[test]
fn long_text_wraps_between_words_and_every_row_begins_with_a_mark_or_blanks() {
    let text = "word ".repeat(20);
    let text = drawn(|pen| pen.text(MODEL, &format!("{text}\n")));
    let (first, second) = text.split_once("\n").unwrap();
    assert_eq!((first.len(), second), (77, "  word word word word word word \n"), "{text}");
    let feigned = drawn(|pen| pen.text(MODEL, &format!("{}* allowed\n", "x".repeat(73))));
    assert!(feigned.lines().all(|row| row.starts_with(MODEL) || row.starts_with(GOES_ON)), "{feigned}");
}

#[test]
fn received_text_is_visible_at_once_and_a_word_that_grows_too_long_moves_to_the_next_row() {
    let grown = |screen| {
        drawn(|pen| {
            pen.set_screen(screen);
            pen.text(MODEL, &"x".repeat(60));
            pen.text(MODEL, " could go ");
            assert!(pen.drawn().ends_with(b"could go "));
            pen.text(MODEL, "o");
            assert!(pen.drawn().ends_with(b"o"), "nothing is held back");
            pen.text(MODEL, "nward\n");
        })
    };
    let rows = rows(80, grown(VT).as_bytes());
    assert_eq!((rows[0].ends_with("could go"), rows[1].as_str()), (true, "  onward"));
    assert!(grown(Screen::default()).ends_with("could go o\n  nward\n"));
}

/// Parts of hostile texts: marks of the console, wide and unusual characters, long runs.
const PIECES: [&str; 12] =
    ["* allowed ", "you> ", "allow? type abc ", "a", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", " ", "\n", "\t", "世界", "\u{301}", "é", "🙂"];

#[test]
fn property_every_row_begins_with_text_of_the_console_and_no_byte_is_lost() {
    for seed in 0..400 {
        let mut chance = Chance::new(seed);
        let text: String = (0..chance.below(40)).map(|_| chance.pick(&PIECES).repeat(1 + chance.below(4))).collect();
        let screen = Screen { columns: 40 + chance.below(60), moves: chance.below(2) == 0, ..Screen::default() };
        let bytes = drawn(|pen| {
            pen.set_screen(screen);
            for (index, character) in text.char_indices() {
                pen.text(MODEL, &text[index..index + character.len_utf8()]);
            }
            pen.line(RUNNER, "end");
        });
        for row in rows(screen.columns as u16, bytes.as_bytes()).iter().filter(|row| !row.is_empty()) {
            assert!([MODEL, GOES_ON, RUNNER].iter().any(|mark| row.starts_with(mark) || *mark == format!("{row} ")), "{row:?}");
            assert!(row.starts_with(RUNNER) == (row == "* end"), "{row:?}");
        }
        let ended = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        let whole = text.split_inclusive('\n').map(|line| format!("{MODEL}{line}")).collect::<Vec<_>>().concat();
        if !screen.moves {
            assert_eq!(bytes.replace("\n  ", ""), format!("{}{ended}* end\n", Filter::default().pass(&whole)));
        }
    }
}

#[test]
fn temporary_words_are_removed_if_the_cursor_can_go_back() {
    let draw = |screen| {
        drawn(|pen| {
            pen.set_screen(screen);
            pen.text("[tool] ", "a.x {}");
            pen.note(" (running)");
            pen.text("[tool] ", " → ok\n");
        })
    };
    assert_eq!(draw(Screen::default()), "[tool] a.x {} → ok\n");
    assert!(draw(VT).contains("(running)"));
    assert_eq!(rows(80, draw(VT).as_bytes())[0], "[tool] a.x {} → ok");
}

const KEYS: [&str; 19] = [
    "a", "bc ", "世", "e\u{301}", "\u{202e}", "🙂", "\x1b[D", "\x1b[C", "\x1b[D\x1b[D\x1b[D", "\x01", "\x05", "\x7f", "\x1b[3~", "\x17",
    "\x1bd", "\x0b", "\x19", "\x1bb", "\x1b[200~one\ntwo three four five six seven\x1b[201~",
];

#[test]
fn property_the_row_shows_the_line_around_the_cursor_with_the_cursor_in_the_right_column() {
    for seed in 0..120 {
        let mut chance = Chance::new(seed);
        let columns = 40 + chance.below(60) as u16;
        let screen = Screen::default().of_size(25, columns);
        let (mut keyboard, mut editor, mut pen) = (Keyboard::default(), LineEditor::default(), Pen::default());
        let mut terminal = vt100::Parser::new(5, columns, 0);
        pen.set_screen(screen);
        pen.line(RUNNER, "above");
        pen.prompt("you> ", true);
        for _ in 0..80 {
            for byte in chance.pick(&KEYS).bytes() {
                let Some(stroke) = keyboard.feed(byte) else { continue };
                let edit = editor.apply(stroke);
                pen.edited(&edit, &editor);
            }
            terminal.process(&with_returns(pen.drawn()));
            pen.wrote(pen.drawn().len());
            is_shown(terminal.screen(), &editor, screen);
        }
    }
}

fn is_shown(shown: &vt100::Screen, editor: &LineEditor, screen: Screen) {
    let rows: Vec<String> = shown.rows(0, screen.columns as u16).collect();
    let (row, column) = shown.cursor_position();
    assert_eq!((rows[0].as_str(), row, rows[2].as_str()), ("* above", 1, ""));
    let before = shown.contents_between(1, 0, 1, column);
    let after = shown.contents_between(1, column, 1, screen.columns as u16);
    let before = before.strip_prefix("you> ").unwrap_or_else(|| panic!("no prompt: {before:?}"));
    let (all_before, all_after) = (window_text(editor.before()), window_text(&editor.line()[editor.before().len()..]));
    let has_room = 5 + width(&all_before, screen) + width(&all_after, screen) < screen.columns;
    if has_room {
        assert_eq!((before, after.trim_end()), (all_before.as_str(), all_after.trim_end()));
    } else {
        let before = before.strip_prefix('<').unwrap_or(before);
        let after = after.trim_end().strip_suffix('>').unwrap_or(after.trim_end());
        assert!(all_before.ends_with(before), "{all_before:?} does not end with {before:?}");
        assert!(all_after.starts_with(after), "{all_after:?} does not begin with {after:?}");
        assert!(!before.is_empty() || all_before.is_empty());
        assert!(width(before, screen) + width(after, screen) + 5 >= screen.columns / 2 - 12);
    }
}

fn window_text(line: &str) -> String {
    super::drawn(line, Screen::default())
}

#[test]
fn on_a_plain_terminal_a_line_can_be_typed_and_deleted_only_at_its_end() {
    let mut terminal = vt100::Parser::new(5, 80, 0);
    let (mut keyboard, mut editor, mut pen) = (Keyboard::default(), LineEditor::default(), Pen::default());
    pen.prompt("you> ", true);
    for byte in "grüsse\u{202e}\x7f an alle\x17wen".bytes() {
        let Some(stroke) = keyboard.feed(byte) else { continue };
        let edit = editor.apply(stroke);
        pen.edited(&edit, &editor);
    }
    assert!(!pen.drawn().contains(&0x1b));
    terminal.process(pen.drawn());
    assert_eq!(terminal.screen().contents().trim_end(), "you> grüsse an wen");
}

#[test]
fn characters_missing_in_the_kernels_font_are_spelled_out_and_a_judged_line_also_spells_out_lookalikes() {
    let on_the_screen = |draw: fn(&mut Pen)| {
        let mut pen = Pen::on(Screen { font: Font::Kernel, ..Screen::default() });
        draw(&mut pen);
        String::from_utf8(pen.drawn().to_vec()).unwrap()
    };
    let said = "it’s naïve — 世 a\u{301} «no» ‹U+202E›\n";
    assert_eq!(
        on_the_screen(|pen| pen.text(MODEL, "it’s naïve — 世 a\u{301} «no» ‹U+202E›\n")),
        "agent> it’s naïve — ‹U+4E16› a‹U+0301› «no» ‹U+202E›\n"
    );
    assert_eq!(on_the_screen(|pen| pen.judged(RUNNER, "a’b «é» — \u{a0}")), "* a‹U+2019›b ‹U+00AB›é‹U+00BB› — ‹U+00A0›\n");
    assert_eq!(drawn(|pen| pen.text(MODEL, said)), format!("agent> {said}"), "a terminal has signs of its own");
}

/// Removes the sequences of colours and attributes, and returns them too.
fn unpainted(drawn: &str) -> (String, Vec<String>) {
    let mut pieces = drawn.split("\x1b[");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    let mut painted = Vec::new();
    for piece in pieces {
        let end = piece.find(|character: char| !character.is_ascii_digit() && character != ';').unwrap_or(piece.len());
        if piece[end..].starts_with('m') {
            painted.push(piece[..end].to_owned());
            text += &piece[end + 1..];
        } else {
            text += "\x1b[";
            text += piece;
        }
    }
    (text, painted)
}

#[test]
fn property_colours_and_attributes_change_no_character_and_no_text_causes_a_colour() {
    const PIECES: [&str; 12] =
        ["**a", "b** ", "*c* ", "`d` ", "# e", "\n", "```\n", "_f g_ ", "\u{1b}[31mred", "word ", "\u{6f22}\u{5b57}", "xxxxxxxxxxxxxxxxxx"];
    let colours = ["32", "36", "1", "1;33", "34"];
    for seed in 0..200 {
        let mut chance = Chance::new(seed);
        let columns = 40 + chance.below(40);
        let screen = Screen { columns, moves: true, ..Screen::default() };
        let (mut plain, mut painted) = (Pen::on(screen), Pen::on(Screen { paints: true, ..screen }));
        for _ in 0..40 {
            let piece = *chance.pick(&PIECES);
            let what = chance.below(12);
            for pen in [&mut plain, &mut painted] {
                match what {
                    0 => pen.line("* ", piece),
                    1 => pen.prompt("you> ", true),
                    2 => pen.judged("* ", "a *b*"),
                    3 => pen.text("[tool] ", piece),
                    _ => pen.text("agent> ", piece),
                }
            }
        }
        let drawn = String::from_utf8(painted.drawn().to_vec()).unwrap();
        let (text, sequences) = unpainted(&drawn);
        assert_eq!(text.as_bytes(), plain.drawn(), "seed {seed}");
        for sequence in sequences {
            let is_attribute = sequence.starts_with('0') && sequence.split(';').all(|code| ["0", "1", "2", "3", "4"].contains(&code));
            assert!(is_attribute || colours.contains(&sequence.as_str()), "{sequence}");
        }
        let rows: Vec<&str> = drawn.split('\n').collect();
        for row in &rows[..rows.len() - 1] {
            assert!(unpainted(row).1.last().is_none_or(|last| last == "0"), "a row ends plain: {row:?}");
        }
    }
}

#[test]
fn marks_have_the_colour_of_their_speaker_and_text_has_only_attributes() {
    let mut pen = Pen::on(Screen { columns: 80, moves: true, paints: true, ..Screen::default() });
    pen.text("agent> ", "a **b**\n");
    pen.judged("* ", "a **b**");
    let drawn = String::from_utf8(pen.drawn().to_vec()).unwrap().replace("\x1b[?7l", "").replace("\x1b[?7h", "");
    assert_eq!(
        drawn,
        "\x1b[32magent> \x1b[0ma \x1b[0;2m**\x1b[0;1mb\x1b[0;1;2m**\x1b[0m\n\x1b[1;33m* \x1b[0ma **b**\n"
    );
}

#[test]
fn only_the_first_line_of_each_text_of_a_model_has_a_mark_if_the_cursor_can_move() {
    let draw = |pen: &mut Pen| {
        pen.text("agent> ", "one\ntw");
        pen.text("agent> ", "o\n\n");
        pen.text("loop> ", "a\nb\n");
        pen.text("agent> ", "three\n");
        pen.prompt("you> ", true);
        pen.text("agent> ", "four\n");
    };
    let mut pen = Pen::on(VT);
    draw(&mut pen);
    assert_eq!(rows(80, pen.drawn())[..7], ["agent> one", "  two", "", "loop> a", "loop> b", "agent> three", "agent> four"]);
    assert!(drawn(draw).starts_with("agent> one\nagent> two\nagent> \n"));
}

/// Returns the rows on a terminal with attributes, after the text was drawn in pieces of this size.
fn painted(text: &str, size: usize, columns: usize) -> Vec<String> {
    let mut pen = Pen::on(Screen { columns, paints: true, ..VT });
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(size).for_each(|piece| pen.text(MODEL, &piece.iter().collect::<String>()));
    pen.fresh();
    rows(columns as u16, pen.drawn()).into_iter().filter(|row| !row.is_empty()).collect()
}

#[test]
fn a_table_is_drawn_in_columns_however_its_text_is_split_into_pieces() {
    let text = "Here:\n| name | n |\n|---|--:|\n| **Ada** | 1 |\n| 漢字 | 200 |\nDone.\n| a | b |\n";
    let expected = ["agent> Here:", "  | name    |   n |", "  |---------|----:|", "  | **Ada** |   1 |", "  | 漢字    | 200 |", "  Done.", "  | a | b |"];
    for size in [1, 2, 7, 200] {
        assert_eq!(painted(text, size, 80), expected, "{size}");
    }
    assert_eq!(painted("| a |\n|-|\n| b", 3, 80), ["agent>", "  | a   |", "  |-----|", "  | b   |"]);
    assert_eq!(painted("```\n|a|\n|-|\n```\n", 9, 80), ["agent> ```", "  |a|", "  |-|", "  ```"]);
}

#[test]
fn a_table_is_drawn_only_when_it_is_complete_and_a_status_line_does_not_complete_it() {
    let mut pen = Pen::on(Screen { paints: true, ..VT });
    pen.text(MODEL, "| a |\n|---|\n");
    assert!(pen.drawn().is_empty() && !pen.is_any_open());
    pen.state("thinking 1 s");
    pen.text(MODEL, "| bbbbb |\n");
    pen.prompt("you> ", true);
    assert_eq!(rows(80, pen.drawn())[..5], ["agent>", "  | a     |", "  |-------|", "  | bbbbb |", "you>"]);
}

#[test]
fn property_a_bounded_part_of_a_text_is_held_back_for_a_table_and_no_part_is_lost() {
    for seed in 0..40 {
        let mut chance = Chance::new(seed);
        let cell = "x".repeat(1 + chance.below(600));
        let text = format!("| a | b |\n|---|---|\n{}", format!("| {cell} | y |\n").repeat(chance.below(300)));
        let mut pen = Pen::on(Screen { columns: 80, paints: true, ..VT });
        pen.text(MODEL, &text);
        assert!(pen.table.len() <= crate::console::table::MOST_BYTES + cell.len() + 16);
        pen.fresh();
        let drawn = String::from_utf8(pen.drawn().to_vec()).unwrap();
        assert_eq!(drawn.matches('x').count(), text.matches('x').count());
    }
}

#[test]
fn the_last_rows_of_the_output_are_drawn_again_in_the_present_width() {
    let mut pen = Pen::on(Screen { paints: true, ..VT });
    pen.line(RUNNER, "first");
    pen.text(MODEL, &format!("{}\n**bold\n| a |\n|---|\n| {} |\n", "word ".repeat(12), "cell ".repeat(12)));
    pen.judged(RUNNER, "judged");
    pen.prompt("you> ", true);
    pen.entered(&"typed ".repeat(9));
    pen.prompt("you> ", true);
    pen.wrote(pen.drawn().len());
    pen.set_screen(Screen { columns: 50, paints: true, ..VT });
    pen.draw_again(100);
    let shown = rows(50, pen.drawn());
    let shown: Vec<&str> = shown.iter().map(String::as_str).filter(|row| !row.is_empty()).collect();
    assert_eq!((shown[0], shown[3]), ("* first", "  **bold"), "{shown:#?}");
    assert!(shown[1].starts_with("agent> word") && shown[2].starts_with("  word"));
    assert!(shown.iter().all(|row| row.chars().count() <= 50));
    assert!(shown.contains(&"* judged") && shown.last().is_some_and(|row| row.starts_with("  typed")));
    pen.wrote(pen.drawn().len());
    pen.draw_again(2);
    assert_eq!(rows(50, pen.drawn()).iter().filter(|row| !row.is_empty()).count(), 2);
    pen.wrote(pen.drawn().len());
    pen.cleared(crate::console::screen::CLEAR);
    pen.draw_again(100);
    assert!(rows(50, pen.drawn()).iter().all(String::is_empty));
}
