// Maps characters to keys of a US keyboard, the kernel's default layout, under the names of QEMU's monitor.

/** Returns the keys to press together for a character, or `undefined` if no key produces it. */
export function findKeys(character: string): readonly string[] | undefined {
  if (/^[a-z0-9]$/.test(character)) return [character];
  if (/^[A-Z]$/.test(character)) return ["shift", character.toLowerCase()];
  const plain = PLAIN[character];
  if (plain !== undefined) return [plain];
  const shifted = SHIFTED[character];
  return shifted === undefined ? undefined : ["shift", shifted];
}

const PLAIN: Readonly<Record<string, string>> = {
  " ": "spc",
  "-": "minus",
  "=": "equal",
  "[": "bracket_left",
  "]": "bracket_right",
  ";": "semicolon",
  "'": "apostrophe",
  "`": "grave_accent",
  "\\": "backslash",
  ",": "comma",
  ".": "dot",
  "/": "slash",
};

const SHIFTED: Readonly<Record<string, string>> = {
  "!": "1",
  "@": "2",
  "#": "3",
  $: "4",
  "%": "5",
  "^": "6",
  "&": "7",
  "*": "8",
  "(": "9",
  ")": "0",
  _: "minus",
  "+": "equal",
  "{": "bracket_left",
  "}": "bracket_right",
  ":": "semicolon",
  '"': "apostrophe",
  "~": "grave_accent",
  "|": "backslash",
  "<": "comma",
  ">": "dot",
  "?": "slash",
};
