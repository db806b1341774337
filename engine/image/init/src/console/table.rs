//! Lays out a table of markdown in columns. The layout changes only blanks and the dashes below the header: every other
//! character stays in its cell.

/// Maximum rows of a table that is held back until its columns are known; the next two constants limit its bytes and columns.
pub const MOST_ROWS: usize = 100;
pub const MOST_BYTES: usize = 16 * 1024;
const MOST_COLUMNS: usize = 24;
/// Minimum width of a column; a table that needs narrower columns is not laid out.
const LEAST_COLUMN: usize = 8;
/// Columns that each cell needs for the blanks around it, and for the vertical line before it.
const AROUND: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Centre,
    Right,
}

/// Returns whether a row is the delimiter below a header, such as `|---|:-:|`.
pub fn is_delimiter(row: &str) -> bool {
    let cells = cells(row);
    !cells.is_empty() && cells.iter().all(|cell| side(cell).is_some())
}

/// Returns the rows of a table, each in at most `room` columns. Returns `None` if the text is not a table, or the table does not fit.
pub fn layout(text: &str, room: usize, width: impl Fn(char) -> usize) -> Option<Vec<String>> {
    let rows: Vec<Vec<String>> = text.lines().map(cells).collect();
    let delimiter = rows.get(1).filter(|_| text.lines().nth(1).is_some_and(is_delimiter))?;
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    if count > MOST_COLUMNS {
        return None;
    }
    let columns = |text: &str| text.chars().map(&width).sum::<usize>();
    let body = || rows.iter().enumerate().filter(|(index, _)| *index != 1).map(|(_, row)| row);
    let natural: Vec<usize> = (0..count).map(|at| body().filter_map(|row| row.get(at)).map(|cell| columns(cell)).max().unwrap_or(0).max(3)).collect();
    let widths = shrink(&natural, room.checked_sub(AROUND * count + 1)?)?;
    let sides: Vec<Side> = (0..count).map(|at| delimiter.get(at).and_then(|cell| side(cell)).unwrap_or(Side::Left)).collect();
    let mut laid = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if index == 1 {
            laid.push(draw_delimiter(&widths, delimiter));
            continue;
        }
        let lines: Vec<Vec<String>> = (0..count).map(|at| wrap(row.get(at).map_or("", String::as_str), widths[at], &width)).collect();
        for line in 0..lines.iter().map(Vec::len).max().unwrap_or(1) {
            let cells = (0..count).map(|at| {
                let cell = lines[at].get(line).map_or("", String::as_str);
                format!("| {} ", pad(cell, widths[at].saturating_sub(columns(cell)), sides[at]))
            });
            laid.push(cells.collect::<String>() + "|");
        }
    }
    Some(laid)
}

/// Returns the cells of a row without the blanks around them; `\|` does not separate cells.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut cells, mut cell, mut escaped) = (Vec::new(), String::new(), false);
    for character in row.chars() {
        if character == '|' && !escaped {
            cells.push(std::mem::take(&mut cell));
        } else {
            cell.push(if character == '\t' { ' ' } else { character });
        }
        escaped = character == '\\' && !escaped;
    }
    if !cell.trim().is_empty() || cells.is_empty() {
        cells.push(cell);
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// Returns the alignment that a cell of the delimiter row states, or `None` if the text is not such a cell.
fn side(cell: &str) -> Option<Side> {
    let dashes = cell.trim_start_matches(':').trim_end_matches(':');
    let colons = (cell.starts_with(':'), cell.ends_with(':'));
    let is_whole = !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-') && cell.len() == dashes.len() + usize::from(colons.0) + usize::from(colons.1);
    is_whole.then_some(match colons {
        (true, true) => Side::Centre,
        (false, true) => Side::Right,
        (_, false) => Side::Left,
    })
}

/// Returns column widths whose sum is at most `room`; the widest columns shrink first. Returns `None` if columns of `LEAST_COLUMN` do not fit.
fn shrink(natural: &[usize], room: usize) -> Option<Vec<usize>> {
    let most = natural.iter().copied().max().unwrap_or(0);
    let total = |cap: usize| natural.iter().map(|width| (*width).min(cap)).sum::<usize>();
    let cap = (LEAST_COLUMN.min(most)..=most).rev().find(|&cap| total(cap) <= room)?;
    Some(natural.iter().map(|width| (*width).min(cap)).collect())
}

/// Splits a cell into lines of at most `most` columns: between words, or inside of a word that is longer.
fn wrap(cell: &str, most: usize, width: impl Fn(char) -> usize) -> Vec<String> {
    let (mut lines, mut line, mut used) = (Vec::new(), String::new(), 0);
    for word in cell.split_inclusive(' ') {
        let wanted: usize = word.trim_end_matches(' ').chars().map(&width).sum();
        if used > 0 && used + wanted > most && wanted <= most {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
            used = 0;
        }
        for character in word.chars() {
            let columns = width(character);
            if used + columns > most && used > 0 {
                if character == ' ' {
                    continue;
                }
                lines.push(std::mem::take(&mut line).trim_end().to_owned());
                used = 0;
            }
            line.push(character);
            used += columns;
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

fn pad(cell: &str, free: usize, side: Side) -> String {
    let before = match side {
        Side::Left => 0,
        Side::Centre => free / 2,
        Side::Right => free,
    };
    format!("{}{cell}{}", " ".repeat(before), " ".repeat(free - before))
}

fn draw_delimiter(widths: &[usize], cells: &[String]) -> String {
    let drawn = widths.iter().enumerate().map(|(at, width)| {
        let cell = cells.get(at).map_or("", String::as_str);
        let sign = |is_set: bool| if is_set { ":" } else { "-" };
        format!("|{}{}{}", sign(cell.starts_with(':')), "-".repeat(*width), sign(cell.ends_with(':')))
    });
    drawn.collect::<String>() + "|"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use unicode_width::UnicodeWidthChar as _;

    fn width(character: char) -> usize {
        character.width().unwrap_or(0)
    }

    fn laid(text: &str, room: usize) -> Option<String> {
        layout(text, room, width).map(|rows| rows.join("\n"))
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell_and_wide_characters_count_twice() {
        assert_eq!(
            laid("| name | n |\n|:--|--:|\n| 漢字 | 1 |\n| Alice\\|B | 200 |\n", 80).unwrap(),
            "| name     |   n |\n|:---------|----:|\n| 漢字     |   1 |\n| Alice\\|B | 200 |"
        );
        assert_eq!(laid("|a|b\n|-|:-:\n|x|yyyyy", 80).unwrap(), "| a   |   b   |\n|-----|:-----:|\n| x   | yyyyy |");
    }

    #[test]
    fn a_row_with_more_cells_than_the_header_keeps_all_cells_and_a_row_with_fewer_gets_blanks() {
        assert_eq!(laid("|a|\n|-|\n|x|more|\n||", 80).unwrap(), "| a   |      |\n|-----|------|\n| x   | more |\n|     |      |");
    }

    #[test]
    fn cells_of_a_table_that_is_too_wide_are_wrapped_and_a_table_of_too_many_columns_is_unchanged() {
        let text = "| k | what it says |\n|---|---|\n| a | one two three four five |\n";
        assert_eq!(
            laid(text, 25).unwrap(),
            "| k   | what it says    |\n|-----|-----------------|\n| a   | one two three   |\n|     | four five       |"
        );
        assert_eq!(laid(text, 12), None);
        let many = format!("{}\n{}\n", "|aaaaaaaaaaaa".repeat(9), "|-".repeat(9));
        assert_eq!((laid(&many, 80), laid(&many, 400).is_some()), (None, true));
        assert_eq!(laid(&format!("{}\n{}\n", "|a".repeat(25), "|-".repeat(25)), 400), None);
    }

    #[test]
    fn rows_without_a_delimiter_below_the_first_are_not_a_table() {
        for text in ["| a | b |\n| c | d |\n", "| a |\n", "| a |\n| --x |\n", "", "|\n|\n"] {
            assert_eq!(laid(text, 80), None, "{text:?}");
        }
        assert!(is_delimiter("|---|") && is_delimiter("| :-: | -- |") && !is_delimiter("|::|") && !is_delimiter("||") && !is_delimiter("|::-|"));
    }

    #[test]
    fn property_a_layout_makes_all_rows_equally_wide_and_changes_only_blanks_and_dashes() {
        const PIECES: [&str; 9] = ["|", "|", "a", " word ", "漢字", "\\|", "e\u{301}", "xxxxxxxxxxxxxxxx", "\n| "];
        for seed in 0..400 {
            let mut chance = Chance::new(seed);
            let body: String = (0..chance.below(40)).map(|_| *chance.pick(&PIECES)).collect();
            let text = format!("| a | b | c |\n|---|:-:|--:|\n| {body}");
            let room = 20 + chance.below(100);
            let Some(rows) = layout(&text, room, width) else { continue };
            let columns: Vec<usize> = rows.iter().map(|row| row.chars().map(width).sum()).collect();
            assert!(columns.iter().all(|one| *one == columns[0] && *one <= room), "{rows:#?}");
            // Wrapping moves parts of a cell to rows below, so the sorted characters are compared instead of the texts.
            let signs = |text: &str| {
                let mut signs: Vec<char> = text.chars().filter(|sign| !matches!(sign, ' ' | '-' | '|' | '\n' | '\\' | ':')).collect();
                signs.sort_unstable();
                signs
            };
            assert_eq!(signs(&rows.join("\n")), signs(&text), "{text}");
        }
    }
}
