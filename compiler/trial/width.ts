// Counts the columns that text takes on a terminal.

const ASCII = /^[ -~]$/;
const WIDE =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u;
const NONE = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/**
 * Returns the columns of a text on a terminal of today: East Asian characters and emoji take two columns, and combining marks
 * take none.
 */
export function countColumns(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += ASCII.test(character) ? 1 : NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Returns the maximum columns of a text: on some terminals, a character outside of ASCII takes two. */
export function countMostColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += ASCII.test(character) ? 1 : 2;
  return columns;
}
