//! Finds the attributes of a model's text from its markdown: strong, emphasis, code and headings. Only
//! attributes change, and every character stays in its place. So no text can hide a part of itself,
//! or look like the text of another speaker. Only the console uses colours.

/// Attributes of a character, as bits.
pub type Style = u8;

pub const PLAIN: Style = 0;
pub const STRONG: Style = 1;
pub const EMPHASIS: Style = 2;
pub const CODE: Style = 4;
/// Attribute of characters of the markdown itself, such as `*`.
pub const MARKUP: Style = 8;

/// Returns the sequence that sets exactly these attributes.
pub fn sequence(style: Style) -> String {
    let codes = [(STRONG, ";1"), (EMPHASIS, ";3"), (CODE, ";4"), (MARKUP, ";2")];
    let set: String = codes.iter().filter(|(bit, _)| style & bit != 0).map(|(_, code)| *code).collect();
    format!("\x1b[0{set}m")
}

/// State of the markdown of a text, which may come in pieces of any size.
#[derive(Debug, Clone, Default)]
pub struct Markdown {
    strong: bool,
    emphasis: bool,
    code: bool,
    heading: bool,
    /// Whether the line is in a block of code, between lines of three backticks.
    block: bool,
    /// A run of equal markup characters: the character, their number, and the character before them.
    run: Option<(char, usize, Option<char>)>,
    last: Option<char>,
    /// Whether the line so far contains only blanks and its first run of markup.
    is_begin: bool,
    has_begun: bool,
}

impl Markdown {
    /// Returns the style of the next character of a line.
    pub fn style(&mut self, character: char) -> Style {
        if !std::mem::replace(&mut self.has_begun, true) {
            self.is_begin = true;
        }
        let continues = self.run.is_some_and(|(of, ..)| of == character);
        if !continues {
            self.end_run(Some(character));
        }
        let is_markup = matches!(character, '*' | '_' | '`') || (self.is_begin && character == '#');
        let style = if is_markup && (!self.block || character == '`') {
            let (count, before) = self.run.map_or((0, self.last), |(_, count, before)| (count, before));
            self.run = Some((character, count + 1, before));
            MARKUP | self.present()
        } else {
            self.is_begin &= character == ' ';
            self.present()
        };
        self.last = Some(character);
        style
    }

    /// Returns whether the next line is in a block of code.
    pub fn is_block(&self) -> bool {
        self.block
    }

    /// Ends the line, and all markup except a block of code, which may have many lines.
    pub fn end_line(&mut self) {
        self.end_run(None);
        *self = Self { block: self.block, ..Self::default() };
    }

    fn present(&self) -> Style {
        let bit = |is_set: bool, bit: Style| if is_set { bit } else { PLAIN };
        bit(self.strong || self.heading, STRONG) | bit(self.emphasis, EMPHASIS) | bit(self.code || self.block, CODE)
    }

    /// Begins or ends an attribute, such as strong after `**`, now that the characters around the markup are known.
    fn end_run(&mut self, next: Option<char>) {
        let Some((of, count, before)) = self.run.take() else { return };
        let is_begin = self.is_begin;
        self.is_begin = false;
        let is_word = |side: Option<char>| side.is_some_and(char::is_alphanumeric);
        let is_blank = |side: Option<char>| side.is_none_or(char::is_whitespace);
        match (of, count) {
            ('`', 3..) if is_begin => self.block = !self.block,
            _ if self.block => {}
            ('`', 1) => self.code = !self.code,
            _ if self.code => {}
            ('#', 1..=6) => self.heading = next == Some(' '),
            ('*' | '_', 1..=3) => {
                let opens = (is_word(next) || matches!(next, Some('`' | '"' | '('))) && !is_word(before);
                let closes = !is_blank(before) && !is_word(next);
                let toggle = |is_set: &mut bool| *is_set = if *is_set { !closes } else { opens };
                if count >= 2 {
                    toggle(&mut self.strong);
                }
                if count != 2 {
                    toggle(&mut self.emphasis);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text with a letter below each character: s for strong, e for emphasis, c for code, upper case for markup.
    fn styled(text: &str) -> String {
        let mut markdown = Markdown::default();
        let mut styles = String::new();
        for line in text.split_inclusive('\n') {
            for character in line.trim_end_matches('\n').chars() {
                let style = markdown.style(character);
                styles.push(match style & !MARKUP {
                    _ if style & MARKUP != 0 => 'm',
                    PLAIN => '.',
                    STRONG => 's',
                    EMPHASIS => 'e',
                    CODE => 'c',
                    _ => 'x',
                });
            }
            if line.ends_with('\n') {
                markdown.end_line();
                styles.push('\n');
            }
        }
        styles
    }

    #[test]
    fn strong_text_and_emphasis_and_code_and_headings_each_have_an_attribute_of_the_terminal() {
        for (text, styles) in [
            ("a **b c** d", "..mmsssmm.."),
            ("*a* _b_, `c`", "mem.mem..mcm"),
            ("***a*** b", "mmmxmmm.."),
            ("## A b\nc", "mmssss\n."),
            ("```\na *b*\n```\n*c*", "mmm\nccccc\nmmm\nmem"),
            ("`a *b* _c_`", "mccmcmcmcmm"),
        ] {
            assert_eq!(styled(text), styles, "{text}");
        }
    }

    #[test]
    fn plain_text_with_characters_of_markdown_has_no_attributes() {
        for text in ["rm *.txt", "2 * 3 * 4", "a ** b", "snake_case_name", "__init__.py x", "#1 of 3", "C# is", "* item", "- item", "5*6*7"] {
            let styles = styled(text);
            assert!(styles.chars().all(|style| matches!(style, '.' | 'm' | 's')), "{text}: {styles}");
        }
        assert_eq!(styled("rm *.txt now"), "...m........");
        assert_eq!(styled("a * b*c* d"), "..m..m.m..");
    }

    #[test]
    fn every_attribute_ends_with_its_line_except_that_of_a_block_of_code() {
        assert_eq!(styled("**a\nb"), "mms\n.");
        assert_eq!(styled("`a\nb"), "mc\n.");
    }
}
