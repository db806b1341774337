//! Prevents untrusted text from acting on a screen: it must not move, colour, erase, reorder or hide anything. Each unsafe
//! character is replaced by its number.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_security::MixedScript as _;

/// Maximum combining marks on one letter; no living language needs more. More marks would be drawn over the lines above.
const MOST_MARKS: usize = 4;

/// Filters text that arrives in pieces. Marks are counted across pieces, because a piece may end between a letter and its marks.
#[derive(Default)]
pub struct Filter {
    marks: usize,
}

impl Filter {
    /// Returns the text with every unsafe character spelled out as `‹U+202E›`. Newlines and tabs stay.
    pub fn pass(&mut self, text: &str) -> String {
        let mut safe = String::with_capacity(text.len());
        for character in text.chars() {
            self.marks = if is_mark(character) { self.marks + 1 } else { 0 };
            if self.marks > MOST_MARKS || is_unsafe(character) {
                spell(&mut safe, character);
            } else {
                safe.push(character);
            }
        }
        safe
    }
}

/// Filters a whole text.
pub fn filtered(text: &str) -> String {
    Filter::default().pass(text)
}

/// Filters a text like `filtered` into one line: newlines are escaped too.
pub fn filtered_line(text: &str) -> String {
    filtered(text).replace('\n', "‹U+000A›")
}

/// Filters one line that a person reads before a decision. No text can imitate an escape.
/// In a word whose letters mix scripts that no language combines, every letter beyond
/// ASCII is escaped. A word of one script that looks like another word is not detected.
pub fn judged_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in words(text) {
        let is_mixed = !word.is_single_script();
        for character in word.chars() {
            if character == '‹' || (is_mixed && character.is_alphanumeric() && !character.is_ascii()) {
                spell(&mut line, character);
            } else {
                line.push(character);
            }
        }
    }
    filtered_line(&line)
}

/// Splits the text into words: a word ends after a character that is not a letter, a digit or a mark. The letter of a JSON escape, such as `\n`, also ends a word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut is_escaped = false;
    text.split_inclusive(move |character: char| {
        let is_letter_of_escape = is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_letter_of_escape || !(character.is_alphanumeric() || is_mark(character))
    })
}

pub(super) fn spell(safe: &mut String, character: char) {
    safe.push_str(&format!("‹U+{:04X}›", u32::from(character)));
}

/// Returns whether a character is a mark on the letter before it.
pub fn is_mark(character: char) -> bool {
    !character.is_ascii() && character.general_category_group() == GeneralCategoryGroup::Mark
}

fn is_unsafe(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() && character != '\n' && character != '\t';
    }
    match character.general_category() {
        // These categories of Unicode contain terminal commands, tags, line breaks, changes of direction, and characters without a glyph.
        GeneralCategory::Control
        | GeneralCategory::Format
        | GeneralCategory::LineSeparator
        | GeneralCategory::ParagraphSeparator
        | GeneralCategory::PrivateUse
        | GeneralCategory::Surrogate
        | GeneralCategory::Unassigned => true,
        _ => is_drawn_as_nothing(character),
    }
}

/// Returns whether a letter or mark is invisible, and so could hide bytes.
fn is_drawn_as_nothing(character: char) -> bool {
    matches!(
        character,
        '\u{34f}' // the joiner of graphemes
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
        | '\u{17b4}' | '\u{17b5}' // Khmer vowels
        | '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' // variation selectors
        | '\u{2800}' // Braille without a dot
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_stays_unchanged() {
        let text = "Grüße, 世界, Привет, שלום, ไม่ — 1\t2\n3 🙂";
        assert_eq!(filtered(text), text);
        let line = "{\"a\":\"naïve Füße\\nПривет мир\",\"b\":\"東京タワー 10 µm\"}";
        assert_eq!(judged_line(line), line);
    }

    #[test]
    fn each_kind_of_unsafe_character_is_spelled_out() {
        for (character, drawn) in [
            ('\u{1b}', "‹U+001B›"),
            ('\r', "‹U+000D›"),
            ('\u{7f}', "‹U+007F›"),
            ('\u{9b}', "‹U+009B›"),
            ('\u{202e}', "‹U+202E›"),
            ('\u{200b}', "‹U+200B›"),
            ('\u{feff}', "‹U+FEFF›"),
            ('\u{e0041}', "‹U+E0041›"),
            ('\u{e000}', "‹U+E000›"),
            ('\u{10ffff}', "‹U+10FFFF›"),
            ('\u{fe0f}', "‹U+FE0F›"),
            ('\u{2028}', "‹U+2028›"),
            ('\u{2800}', "‹U+2800›"),
            ('\u{378}', "‹U+0378›"),
        ] {
            assert_eq!(filtered(&format!("a{character}b")), format!("a{drawn}b"));
        }
    }

    /// `default-ignorable.txt` is Unicode's own list; a test in TypeScript compares it with another implementation.
    #[test]
    fn every_default_ignorable_character_is_spelled_out() {
        let hexadecimal = |number: &str| u32::from_str_radix(number, 16).unwrap();
        let mut seen = 0;
        for range in include_str!("default-ignorable.txt").lines() {
            let (first, last) = range.split_once("..").unwrap_or((range, range));
            for number in hexadecimal(first)..=hexadecimal(last) {
                let character = char::from_u32(number).unwrap();
                assert_eq!(filtered(&character.to_string()), format!("‹U+{number:04X}›"));
                seen += 1;
            }
        }
        assert!(seen > 4000);
    }

    #[test]
    fn no_control_character_of_the_first_planes_remains() {
        for number in 0..0x20000u32 {
            let Some(character) = char::from_u32(number) else { continue };
            if character.is_control() && character != '\n' && character != '\t' {
                assert!(!filtered(&character.to_string()).contains(character), "U+{number:04X}");
            }
        }
    }

    #[test]
    fn the_limit_of_marks_on_one_letter_applies_however_the_text_is_split() {
        let tower = format!("a{}b\u{301}", "\u{301}".repeat(6));
        let drawn = format!("a{}‹U+0301›‹U+0301›b\u{301}", "\u{301}".repeat(4));
        assert_eq!(filtered(&tower), drawn);
        let mut filter = Filter::default();
        let pieces: String = tower.chars().map(|character| filter.pass(&character.to_string())).collect();
        assert_eq!(pieces, drawn);
    }

    #[test]
    fn a_filtered_line_contains_no_newline() {
        assert_eq!(filtered_line("a\nb"), "a‹U+000A›b");
    }

    #[test]
    fn in_a_judged_line_mixed_words_are_spelled_out_and_escapes_cannot_be_forged() {
        for (text, drawn) in [
            ("p\u{430}ypal.com", "p‹U+0430›ypal.com"),
            ("a\u{3bf} b\u{43e}", "a‹U+03BF› b‹U+043E›"),
            ("\\\\\u{440}aypal", "\\\\‹U+0440›aypal"),
            ("\\n\u{440}\u{430}", "\\n\u{440}\u{430}"),
            ("‹U+202E›", "‹U+2039›U+202E›"),
            ("a\u{202e}\nb", "a‹U+202E›‹U+000A›b"),
        ] {
            assert_eq!(judged_line(text), drawn);
        }
    }
}
