//! Lists the glyphs of a screen that the kernel draws. The font of such a screen has only the 256 glyphs of code page
//! 437, and no terminal adds others. init maps characters to glyphs, and the console escapes characters without one.

/// Characters by their index in the font. 0, 32 and 255 are blank; U+FFFD means that the index has no character.
const FONT: &str = concat!(
    "\u{fffd}☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼",
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~⌂",
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡\u{fffd}\u{fffd}░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├\u{fffd}┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀",
    "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{fffd}",
);

/// Characters that the console itself writes, but the font lacks. Each is drawn with an unused glyph, whose index is stated.
/// An escape, such as `‹U+001B›`, begins with `‹`. In a judged line, a `‹` of the text is itself escaped, so no text can imitate an escape.
const OWN: [(char, u16); 4] = [('‹', 0xae), ('›', 0xaf), ('—', 0xc4), ('↵', 0x11)];

/// Characters that may be drawn as similar characters, except in lines that a person decides about.
const ALIKE: [(&str, char); 18] = [
    ("‘’‚′", '\''),
    ("“”„«»″", '"'),
    ("‐‑‒–―─−", '-'),
    ("…", '.'),
    ("\u{a0}\u{2009}\u{202f}", ' '),
    ("ÀÁÂÃĀ", 'A'),
    ("ãā", 'a'),
    ("ÈÊËĒĚ", 'E'),
    ("ēěę", 'e'),
    ("ÌÍÎÏ", 'I'),
    ("ÒÓÔÕØŌ", 'O'),
    ("õøō", 'o'),
    ("ÙÚÛŪ", 'U'),
    ("šś", 's'),
    ("ŠŚ", 'S'),
    ("žźż", 'z'),
    ("ŽŹŻ", 'Z'),
    ("čć", 'c'),
];

/// How a character is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Own,
    /// The character is drawn as a similar one, such as `…` as a dot.
    Alike,
    None,
}

pub fn sign_of(character: char) -> Sign {
    let is_own = character != char::REPLACEMENT_CHARACTER && FONT.contains(character) && character != '◄';
    if is_own || OWN.iter().any(|(own, _)| *own == character) {
        return Sign::Own;
    }
    if ALIKE.iter().any(|(alike, _)| alike.contains(character)) { Sign::Alike } else { Sign::None }
}

/// Returns the characters that can be drawn, with the indexes of their glyphs in the font.
pub fn places() -> Vec<(u16, u16)> {
    let font = FONT.chars().zip(0u16..).filter(|(character, _)| sign_of(*character) == Sign::Own);
    let place = |wanted: char| FONT.chars().zip(0u16..).find(|(character, _)| *character == wanted).map(|(_, place)| place);
    let alike = ALIKE.iter().flat_map(|(all, as_drawn)| all.chars().filter_map(|each| Some((each, place(*as_drawn)?))));
    // All these characters are in Unicode's first plane, whose numbers have two bytes.
    font.chain(OWN).chain(alike).map(|(character, place)| (u32::from(character) as u16, place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_256_glyphs_with_ascii_at_its_own_numbers() {
        assert_eq!(FONT.chars().count(), 256);
        for character in ' '..='~' {
            assert!(places().contains(&(character as u16, character as u16)), "{character:?}");
        }
        assert_eq!(FONT.chars().nth(0xe1), Some('ß'));
        assert_eq!((FONT.chars().nth(0x80), FONT.chars().nth(0xfe)), (Some('Ç'), Some('■')));
    }

    #[test]
    fn each_character_has_one_glyph_and_each_glyph_of_the_console_has_one_character() {
        let places = places();
        let mut characters: Vec<u16> = places.iter().map(|(character, _)| *character).collect();
        characters.sort_unstable();
        characters.dedup();
        assert_eq!(characters.len(), places.len());
        assert!(places.len() < 400, "the kernel takes 65535, and no more than these are meant");
        for (character, place) in OWN {
            let drawn: Vec<u16> = places.iter().filter(|(_, at)| *at == place).map(|(character, _)| *character).collect();
            assert_eq!(drawn, [character as u16], "{character:?}");
        }
    }

    #[test]
    fn a_character_counts_as_drawable_if_and_only_if_init_has_a_glyph_for_it() {
        let places = places();
        for number in (0x20..0xffff).filter_map(char::from_u32) {
            let has_place = places.iter().any(|(character, _)| u32::from(*character) == u32::from(number));
            assert_eq!(has_place, sign_of(number) != Sign::None, "{number:?}");
        }
        for (character, sign) in [('é', Sign::Own), ('→', Sign::Own), ('’', Sign::Alike), ('«', Sign::Alike), ('世', Sign::None), ('\u{301}', Sign::None)] {
            assert_eq!(sign_of(character), sign, "{character:?}");
        }
    }
}
