//! Draws the part of a typed line that fits behind its prompt, in one row whatever its length. The terminal itself restores the cursor's
//! position, so the widths of characters need not be known.

use super::screen::Screen;
use crate::filter::Filter;

/// Returns the drawn characters of a line: unsafe characters are escaped, and a newline is a visible character.
fn cells(line: &str, screen: Screen) -> impl Iterator<Item = String> + '_ {
    let mut filter = Filter::default();
    line.chars().map(move |character| match character {
        '\n' => "↵".into(),
        _ => screen.fitting(&filter.pass(character.encode_utf8(&mut [0; 4])), false),
    })
}

/// Returns the whole line in its drawn form.
pub fn drawn(line: &str, screen: Screen) -> String {
    cells(line, screen).collect()
}

/// Visible text before and behind the cursor.
#[derive(Debug, PartialEq, Eq)]
pub struct Window {
    pub before: String,
    pub after: String,
}

/// Returns the part of the line around the cursor that fits in `room` columns. It scrolls by half of its width, and so seldom.
pub fn window(line: &str, before: &str, room: usize, screen: Screen) -> Window {
    let cells: Vec<(String, usize)> = cells(line, screen).map(|drawn| { let columns = width(&drawn, screen); (drawn, columns) }).collect();
    let split = before.chars().count();
    let columns = |cells: &[(String, usize)]| cells.iter().map(|(_, columns)| columns).sum::<usize>();
    let text = |cells: &[(String, usize)]| cells.iter().map(|(drawn, _)| drawn.as_str()).collect::<String>();
    if columns(&cells) <= room {
        return Window { before: text(&cells[..split]), after: text(&cells[split..]) };
    }
    // Each of the two marks for more text takes one column, and so does the cursor.
    let room = room.saturating_sub(3).max(4);
    let skipped = (columns(&cells[..split]) / (room / 2)).saturating_sub(1) * (room / 2);
    let mut used = 0;
    let first = cells[..split].iter().take_while(|(_, columns)| { let starts = used; used += columns; starts < skipped }).count();
    let mut left = room;
    let mut fitting = |cells: &[(String, usize)]| {
        cells.iter().take_while(|(_, columns)| { let fits = *columns <= left; left = if fits { left - columns } else { 0 }; fits }).count()
    };
    let shown = fitting(&cells[first..split]);
    let last = split + if first + shown == split { fitting(&cells[split..]) } else { 0 };
    let more = |is_cut: bool, sign: &'static str| if is_cut { sign } else { "" };
    Window {
        before: format!("{}{}", more(first > 0, "<"), text(&cells[first..first + shown])),
        after: format!("{}{}", text(&cells[split..last]), more(last < cells.len(), ">")),
    }
}

pub fn width(drawn: &str, screen: Screen) -> usize {
    drawn.chars().map(|character| screen.width(character)).sum()
}
