// Positions of boxes and lines in a drawing. Letters have the width of a monospaced font: fonts are not measured, so that the same graph
// gets the same numbers on every machine.

import { Graph as LayoutGraph, layout } from "@dagrejs/dagre";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** In units of the drawing, which are pixels on a screen. */
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
  /** The title comes first. */
  readonly texts: readonly { readonly x: number; readonly y: number; readonly text: string; readonly title: boolean }[];
}

interface DrawnLine {
  /** Data of an SVG path. */
  readonly path: string;
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly label: { readonly x: number; readonly y: number; readonly text: string } | null;
}

/** A drawing with more is less readable than its table. */
const MOST_BOXES = 70;
const MOST_LINES = 110;

const MARGIN = 8;
const LETTER = 6.7;
const LINE = 16;
const PADDING = 10;
const LONGEST = 34;

/** Returns the drawing, or `undefined` if it would be empty or unreadable. */
export function createDrawing({ nodes, edges }: Graph): Drawing | undefined {
  if (nodes.length === 0 || nodes.length > MOST_BOXES || edges.length > MOST_LINES) return undefined;
  const graph = new LayoutGraph();
  graph.setGraph({ rankdir: "LR", nodesep: 18, edgesep: 14, ranksep: 56 });
  // Use numbers: the layout keeps boxes in plain objects, in which a service named `constructor` would find inherited properties.
  const keys = new Map(nodes.map(({ id }, index) => [id, `box ${index}`]));
  const getKey = (id: string): string => keys.get(id) ?? id;
  for (const node of nodes) graph.setNode(getKey(node.id), computeSize(node));
  for (const { from, to, words } of edges)
    graph.setEdge(getKey(from), getKey(to), {
      width: words.length * LETTER,
      height: words === "" ? 0 : LINE,
      labelpos: "c",
    });
  layout(graph);
  // The types of dagre do not resolve for modules, so its results are typed here.
  const boxes = nodes.map((node) => createBox(node, graph.node(getKey(node.id))));
  const routes = edges.map((edge): Route => graph.edge(getKey(edge.from), getKey(edge.to)));
  const lines = edges.map((edge, index) => createLine(edge, routes[index] ?? NOWHERE));
  return { ...computeFrame(boxes, routes), boxes, lines };
}

/** Returns the frame around everything: lines may leave the edge that the layout computes. */
function computeFrame(boxes: readonly Box[], routes: readonly Route[]): Frame {
  const corners = boxes.flatMap(({ x, y, width, height }) => [
    { x, y },
    { x: x + width, y: y + height },
  ]);
  const points = [...corners, ...routes.flatMap((route) => route.points)];
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.floor(Math.min(...xs)) - MARGIN, Math.floor(Math.min(...ys)) - MARGIN];
  const [right, bottom] = [Math.ceil(Math.max(...xs)) + MARGIN, Math.ceil(Math.max(...ys)) + MARGIN];
  return { left, top, width: right - left, height: bottom - top };
}

function truncateTexts({ title, lines }: GraphNode): readonly string[] {
  return [title, ...lines].map((text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text));
}

function computeSize(node: GraphNode): { readonly width: number; readonly height: number } {
  const texts = truncateTexts(node);
  const longest = Math.max(...texts.map((text) => text.length));
  return { width: Math.ceil(longest * LETTER) + 2 * PADDING, height: texts.length * LINE + PADDING };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Route of an edge. `x`, `y`: middle of its words, if it has any. */
interface Route extends Point {
  readonly points: readonly Point[];
}

const NOWHERE: Route = { x: 0, y: 0, points: [] };

/** Creates a box around its centre, which the layout computes. */
function createBox(node: GraphNode, { x, y }: Point): Box {
  const { width, height } = computeSize(node);
  const [left, top] = [roundCoordinate(x - width / 2), roundCoordinate(y - height / 2)];
  const texts = truncateTexts(node).map((text, index) => ({
    x: roundCoordinate(left + PADDING),
    y: roundCoordinate(top + PADDING / 2 + LINE * index + LINE * 0.75),
    text,
    title: index === 0,
  }));
  return { kind: node.kind, x: left, y: top, width, height, texts };
}

function createLine({ words, heads }: GraphEdge, { x, y, points }: Route): DrawnLine {
  const label = words === "" ? null : { x: roundCoordinate(x), y: roundCoordinate(y + 4), text: words };
  return { path: renderPath(points), atStart: heads !== "to", atEnd: heads !== "from", label };
}

/** Returns the path of a line: straight at both ends, so that heads point along the line, and curved between. */
function renderPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  const parts = rest.map((point, index) => {
    const next = rest[index + 1];
    if (next === undefined) return `L${renderPoint(point)}`;
    const middle = { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${renderPoint(point)} ${renderPoint(middle)}`;
  });
  return `M${renderPoint(first)}${parts.join("")}`;
}

function renderPoint({ x, y }: Point): string {
  return `${roundCoordinate(x)} ${roundCoordinate(y)}`;
}

function roundCoordinate(number: number): number {
  return Math.round(number * 10) / 10;
}
