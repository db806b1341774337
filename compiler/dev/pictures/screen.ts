// Parses the screen of a terminal in the form of `tmux capture-pane -e`: rows of text with SGR sequences, which set colours and styles.

/** Style of a cell. Colours are indexes of the 256 colours of a terminal; an absent colour is the default. */
export interface Style {
  readonly foreground?: number;
  readonly background?: number;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isReversed?: boolean;
}

/** Adjacent cells of one row with the same style. */
export interface Run {
  readonly text: string;
  readonly style: Style;
}

/** Character that begins each control sequence. */
export const ESCAPE = "\u001b";
const SEQUENCE = new RegExp(`${ESCAPE}\\[([0-9;]*)m`);

/**
 * Returns the rows as runs, without blank rows at the end. Throws for a control character outside of an SGR sequence,
 * which sets colours and styles, and for an SGR code that a picture cannot show.
 */
export function parseScreen(captured: string): readonly (readonly Run[])[] {
  let style: Style = {};
  const rows = captured.split("\n").map((row) => {
    const runs: Run[] = [];
    for (const [index, piece] of row.split(SEQUENCE).entries()) {
      if (index % 2 === 1) style = applyCodes(style, piece);
      else if (piece !== "") runs.push({ text: piece, style });
    }
    return runs;
  });
  const strange = /\p{Cc}/u.exec(rows.flatMap((runs) => runs.map(({ text }) => text)).join(""));
  if (strange !== null)
    throw new Error(`the screen contains U+${strange[0].charCodeAt(0).toString(16).padStart(4, "0")}`);
  const last = rows.findLastIndex((runs) => runs.some(({ text }) => text.trim() !== ""));
  return rows.slice(0, last + 1);
}

function applyCodes(style: Style, codes: string): Style {
  let now = style;
  const numbers = codes === "" ? [0] : codes.split(";").map(Number);
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if ((code === 38 || code === 48) && numbers[at + 1] === 5) {
      now = { ...now, [code === 38 ? "foreground" : "background"]: numbers[at + 2] ?? 0 };
      at += 2;
    } else now = applyCode(now, code);
  }
  return now;
}

function applyCode(style: Style, code: number): Style {
  const { foreground: _, ...noForeground } = style;
  const { background: __, ...noBackground } = style;
  if (code === 39) return noForeground;
  if (code === 49) return noBackground;
  if (code >= 30 && code <= 37) return { ...style, foreground: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, foreground: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  const change = CHANGES.get(code);
  if (change === undefined) throw new Error(`the screen uses SGR ${code}, which the picture cannot show`);
  return change(style);
}

const CHANGES: ReadonlyMap<number, (style: Style) => Style> = new Map<number, (style: Style) => Style>([
  [0, () => ({})],
  [1, (style) => ({ ...style, isBold: true })],
  [2, (style) => ({ ...style, isDim: true })],
  [3, (style) => ({ ...style, isItalic: true })],
  [4, (style) => ({ ...style, isUnderlined: true })],
  [7, (style) => ({ ...style, isReversed: true })],
  [22, ({ isBold: _, isDim: __, ...style }) => style],
  [23, ({ isItalic: _, ...style }) => style],
  [24, ({ isUnderlined: _, ...style }) => style],
  [27, ({ isReversed: _, ...style }) => style],
]);
