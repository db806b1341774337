// Draws the screen of a terminal as SVG. Each run of cells has a fixed position and length, so that columns are aligned
// in any font.

import type { Run, Style } from "./screen.ts";

const CELL_WIDTH = 8.4;
const CELL_HEIGHT = 18;
const FONT_SIZE = 14;
const MARGIN = 14;
const BACKGROUND = "#0d1117";
const FOREGROUND = "#e6edf3";

/** The first sixteen colours. Each colour except black has a contrast of at least 4.5 to the background. */
const COLOURS = [
  ...["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"],
  ...["#7d8590", "#ffa198", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#ffffff"],
];

/**
 * Returns an SVG of `columns` cells in each row. `title` describes the picture for readers who do not see it. Throws
 * for text with wide characters, because its cells would not be aligned.
 */
export function renderSvg(
  rows: readonly (readonly Run[])[],
  { columns, title }: { columns: number; title: string },
): string {
  const width = Math.ceil(columns * CELL_WIDTH + 2 * MARGIN);
  const height = rows.length * CELL_HEIGHT + 2 * MARGIN;
  const lines = rows.flatMap((runs, index) => renderRow(runs, MARGIN + index * CELL_HEIGHT));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="${FONT_SIZE}" fill="${FOREGROUND}">`,
    ...lines,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

function renderRow(runs: readonly Run[], top: number): readonly string[] {
  let column = 0;
  return runs.flatMap(({ text, style }) => {
    const cells = [...text];
    const wide = cells.find((cell) =>
      /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/u.test(cell),
    );
    if (wide !== undefined) throw new Error(`the screen contains ${wide}, which takes two cells`);
    const left = MARGIN + column * CELL_WIDTH;
    column += cells.length;
    return [...renderBackground(style, left, top, cells.length), ...renderText(text, style, left, top)];
  });
}

function renderBackground(style: Style, left: number, top: number, cells: number): readonly string[] {
  const colour = style.isReversed === true ? pickForeground(style) : pickBackground(style);
  if (colour === BACKGROUND) return [];
  return [
    `<rect x="${round(left)}" y="${top}" width="${round(cells * CELL_WIDTH)}" height="${CELL_HEIGHT}" fill="${colour}"/>`,
  ];
}

/**
 * Splits a text wherever it has two or more adjacent blanks, and returns one text element for each part, because
 * renderers of SVG collapse such blanks.
 */
function renderText(text: string, style: Style, left: number, top: number): readonly string[] {
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: part, index }) => {
    const x = round(left + [...text.slice(0, index)].length * CELL_WIDTH);
    const length = round([...part].length * CELL_WIDTH);
    const place = `x="${x}" y="${top + CELL_HEIGHT - 5}" textLength="${length}"`;
    return `<text ${place}${renderStyle(style)}>${escapeXml(part)}</text>`;
  });
}

function renderStyle(style: Style): string {
  const colour = style.isReversed === true ? pickBackground(style) : pickForeground(style);
  const attributes = [
    colour === FOREGROUND ? "" : ` fill="${colour}"`,
    style.isBold === true ? ' font-weight="bold"' : "",
    style.isItalic === true ? ' font-style="italic"' : "",
    style.isUnderlined === true ? ' text-decoration="underline"' : "",
    style.isDim === true ? ' opacity="0.7"' : "",
  ];
  return attributes.join("");
}

function pickForeground({ foreground }: Style): string {
  return foreground === undefined ? FOREGROUND : pickColour(foreground);
}

function pickBackground({ background }: Style): string {
  return background === undefined ? BACKGROUND : pickColour(background);
}

/** Returns one of the 256 colours: sixteen named ones, a cube of six steps, and greys. */
function pickColour(index: number): string {
  const named = COLOURS[index];
  if (named !== undefined) return named;
  const hex = (value: number) => value.toString(16).padStart(2, "0");
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`;
  const step = (value: number) => hex(value === 0 ? 0 : 55 + value * 40);
  const at = index - 16;
  return `#${step(Math.floor(at / 36))}${step(Math.floor(at / 6) % 6)}${step(at % 6)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
