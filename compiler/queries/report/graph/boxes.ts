// Defines the parts of a drawing in the report: boxes, lines and texts. Every letter counts with the width of a
// monospaced letter. Fonts are not measured, so that the same graph gets the same positions on every machine.

import type { GraphNode } from "./graph.ts";

/** A rectangle in SVG user units. If the drawing is not scaled, a unit is a pixel on the screen. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Drawing extends Frame {
  readonly boxes: readonly Box[];
  readonly lines: readonly DrawnLine[];
}

interface Box {
  readonly kind: string;
  /** Upper left corner, in SVG user units. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Texts of the box, the title first. */
  readonly texts: readonly { readonly x: number; readonly y: number; readonly text: string; readonly title: boolean }[];
}

export interface DrawnLine {
  /** Data of an SVG path. */
  readonly path: string;
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly label: Label | null;
}

interface Label {
  /** Position of the start or the middle of the text, as `anchor` states; `y` is its base line. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly anchor: "start" | "middle";
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const MARGIN = 8;
export const LETTER = 6.7;
export const LINE = 16;
const PADDING = 10;
const LONGEST = 34;

function truncateTexts({ title, lines }: GraphNode): readonly string[] {
  return [title, ...lines].map((text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text));
}

export function computeSize(node: GraphNode): { readonly width: number; readonly height: number } {
  const texts = truncateTexts(node);
  const longest = Math.max(...texts.map((text) => text.length));
  return { width: Math.ceil(longest * LETTER) + 2 * PADDING, height: texts.length * LINE + PADDING };
}

/** Creates a box from its upper left corner. */
export function createBox(node: GraphNode, corner: Point): Box {
  const { width, height } = computeSize(node);
  const [left, top] = [roundCoordinate(corner.x), roundCoordinate(corner.y)];
  const texts = truncateTexts(node).map((text, index) => ({
    x: roundCoordinate(left + PADDING),
    y: roundCoordinate(top + PADDING / 2 + LINE * index + LINE * 0.75),
    text,
    title: index === 0,
  }));
  return { kind: node.kind, x: left, y: top, width, height, texts };
}

/** Returns the frame around boxes, labels of lines, and further points. */
export function findFrame(boxes: readonly Box[], lines: readonly DrawnLine[], further: readonly Point[]): Frame {
  const corners = boxes.flatMap(({ x, y, width, height }) => [
    { x, y },
    { x: x + width, y: y + height },
  ]);
  const points = [...corners, ...lines.flatMap(({ label }) => (label === null ? [] : findCorners(label))), ...further];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.floor(Math.min(...xs)) - MARGIN, Math.floor(Math.min(...ys)) - MARGIN];
  const [right, bottom] = [Math.ceil(Math.max(...xs)) + MARGIN, Math.ceil(Math.max(...ys)) + MARGIN];
  return { left, top, width: right - left, height: bottom - top };
}

function findCorners({ x, y, text, anchor }: Label): readonly Point[] {
  const width = text.length * LETTER;
  const left = anchor === "start" ? x : x - width / 2;
  return [
    { x: left, y: y - LINE * 0.75 },
    { x: left + width, y: y + LINE * 0.25 },
  ];
}

export function roundCoordinate(number: number): number {
  return Math.round(number * 10) / 10;
}
