//! What no text from outside may do to a screen: move, colour, erase, reorder or hide. Such characters are drawn by
//! their number.

/// Returns the text with every unsafe character spelled out as `‹U+202E›`. Newlines and tabs stay.
pub fn filtered(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_unsafe(character) {
            safe.push_str(&format!("‹U+{:04X}›", u32::from(character)));
        } else {
            safe.push(character);
        }
    }
    safe
}

/// As `filtered`, on one line: newlines are spelled out too.
pub fn filtered_line(text: &str) -> String {
    filtered(text).replace('\n', "‹U+000A›")
}

fn is_unsafe(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true, // C0, DEL, C1: terminal commands
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true, // bidirectional
        '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}' => true, // unseen
        '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' => true, // fillers: letters that are drawn as nothing
        '\u{2028}' | '\u{2029}' | '\u{206a}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}' => true, // breaks, old formats
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => true, // variation selectors can carry hidden bytes
        '\u{e0000}'..='\u{e007f}' => true, // tags
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => true, // private use
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_unchanged() {
        let text = "Grüße, 世界 — 1\t2\n3 🙂";
        assert_eq!(filtered(text), text);
    }

    #[test]
    fn each_unsafe_kind_is_spelled_out() {
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
        ] {
            assert_eq!(filtered(&format!("a{character}b")), format!("a{drawn}b"));
        }
    }

    #[test]
    fn no_control_character_of_the_first_planes_survives() {
        for number in 0..0x20000u32 {
            let Some(character) = char::from_u32(number) else { continue };
            if character.is_control() && character != '\n' && character != '\t' {
                assert!(!filtered(&character.to_string()).contains(character), "U+{number:04X}");
            }
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(filtered_line("a\nb"), "a‹U+000A›b");
    }
}
