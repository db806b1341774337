/** Classes of ASCII characters, by the tokens that they may begin or continue; every other code unit is `STRANGE`. */
export const NOTHING = 0;
export const BLANK = 1;
export const LETTER = 2;
export const DIGIT = 3;
const SIGN = 4;
export const STRANGE = 5;

/** Class of each UTF-16 code unit. */
export const CHARACTERS: Uint8Array = new Uint8Array(65_536).fill(STRANGE);

for (let unit = 0; unit < 0x80; unit++) CHARACTERS[unit] = classifyAscii(String.fromCharCode(unit));

function classifyAscii(character: string): number {
  if (/[ \t\n]/.test(character)) return BLANK;
  if (/[A-Za-z_]/.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  // A carriage return is a blank only before a line feed. So it has the class `SIGN`: at a character of this class
  // the scanner also reads the next character.
  return /[-"{}[\](),:/*.=!<>\r]/.test(character) ? SIGN : NOTHING;
}

export const LINE_FEED = 10;
export const CARRIAGE_RETURN = 13;
export const QUOTE = 34;
export const NUMBER_SIGN = 35;
export const DASH = 45;
export const DOT = 46;
export const SLASH = 47;
export const ASTERISK = 42;
export const SINGLE_QUOTE = 39;
export const BACKSLASH = 92;
export const SMALL_K = 107;
export const CAPITAL_M = 77;
