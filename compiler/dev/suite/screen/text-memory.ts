// Converts text in the form of PC screens: two bytes for each character, its index in the font and its colours.

export const CELL_BYTES = 2;

/** Returns rows without the blanks at their ends. */
export function readRows(memory: Uint8Array, columns: number): readonly string[] {
  const sign = (at: number): string => CODE_PAGE[memory[at * CELL_BYTES] ?? 0] ?? " ";
  const readRow = (index: number): string =>
    Array.from({ length: columns }, (_, column) => sign(index * columns + column))
      .join("")
      .trimEnd();
  return Array.from({ length: memory.length / columns / CELL_BYTES }, (_, index) => readRow(index));
}

/** Returns the text as the bytes of a screen in memory, in grey on black, for a search. */
export function encodeCells(text: string): Buffer {
  return Buffer.from([...text].flatMap((sign) => [CODE_PAGE.indexOf(sign), GREY]));
}

const GREY = 7;

/** Code page 437, which the fonts of the graphics card and of the kernel use. Two of its blank characters are not spaces. */
const CODE_PAGE: readonly string[] = [
  ..."\u00a0☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼",
  ...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)),
  ..."⌂ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0",
];
