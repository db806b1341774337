// Computes the positions of boxes and lines in a drawing, in layers from left to right.

import { Graph as LayoutGraph, layout } from "@dagrejs/dagre";
import {
  computeSize,
  createBox,
  type Drawing,
  type DrawnLine,
  findFrame,
  LETTER,
  LINE,
  type Point,
  roundCoordinate,
} from "./boxes.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/** Maximum number of boxes. A larger drawing is less readable than the table with the same facts. */
const MOST_BOXES = 70;
const MOST_LINES = 110;

/** Returns the drawing, or `undefined` if it would be empty or unreadable. */
export function createDrawing({ nodes, edges }: Graph): Drawing | undefined {
  if (nodes.length === 0 || nodes.length > MOST_BOXES || edges.length > MOST_LINES) return undefined;
  const graph = new LayoutGraph();
  graph.setGraph({ rankdir: "LR", nodesep: 18, edgesep: 14, ranksep: 56 });
  // The keys contain numbers, not names. The layout stores boxes in plain objects, in which the name `constructor`
  // would find an inherited property.
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
  // TypeScript does not find the types of dagre in modules, so this code states the types of its results.
  const boxes = nodes.map((node) => createBox(node, findCorner(node, graph.node(getKey(node.id)))));
  const routes = edges.map((edge): Route => graph.edge(getKey(edge.from), getKey(edge.to)));
  const lines = edges.map((edge, index) => createLine(edge, routes[index] ?? NOWHERE));
  // Lines may exceed the size that the layout computes, so the frame is computed here.
  return {
    ...findFrame(
      boxes,
      lines,
      routes.flatMap(({ points }) => points),
    ),
    boxes,
    lines,
  };
}

/** Returns the upper left corner of a box from its centre, which the layout computes. */
function findCorner(node: GraphNode, { x, y }: Point): Point {
  const { width, height } = computeSize(node);
  return { x: x - width / 2, y: y - height / 2 };
}

/** Route of an edge. `x` and `y` are the middle of its text, if it has a text. */
interface Route extends Point {
  readonly points: readonly Point[];
}

const NOWHERE: Route = { x: 0, y: 0, points: [] };

function createLine({ words, heads }: GraphEdge, { x, y, points }: Route): DrawnLine {
  const label =
    words === ""
      ? null
      : ({ x: roundCoordinate(x), y: roundCoordinate(y + 4), text: words, anchor: "middle" } as const);
  return { path: renderPath(points), atStart: heads !== "to", atEnd: heads !== "from", label };
}

/**
 * Returns the path of a line. It is straight at both ends, so that arrowheads point along the line, and curved between
 * the ends.
 */
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
