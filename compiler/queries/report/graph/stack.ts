// Computes the positions of boxes and lines in a drawing for narrow screens, with one box below the other. A box with
// connections is followed by its neighbours, which are indented. A line connects each neighbour with the first box. In
// this way the width does not depend on the number of boxes, and no lines cross.

import { computeSize, createBox, type Drawing, type DrawnLine, findFrame, LINE, roundCoordinate } from "./boxes.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";

/**
 * Distance from the left side of a box to the vertical line below it. `BRANCH` is the distance to the boxes that this
 * line connects.
 */
const TRUNK = 12;
const BRANCH = 26;
const GAP = 8;
const GAP_OF_GROUPS = 22;

interface Group {
  readonly hub: GraphNode;
  readonly branches: readonly Branch[];
}

interface Branch {
  readonly edge: GraphEdge;
  readonly node: GraphNode;
}

type Parts = Pick<Drawing, "boxes" | "lines">;

/** Returns a drawing of the graph with one box below the other. The graph must have at least one node. */
export function createStack(graph: Graph): Drawing {
  const known = new Set<string>();
  let bottom = -GAP_OF_GROUPS;
  const boxes: Drawing["boxes"][number][] = [];
  const lines: DrawnLine[] = [];
  for (const group of groupEdges(graph)) {
    const drawn = drawGroup(group, bottom + GAP_OF_GROUPS, known);
    boxes.push(...drawn.boxes);
    lines.push(...drawn.lines);
    bottom = Math.max(...drawn.boxes.map(({ y, height }) => y + height));
  }
  return { ...findFrame(boxes, lines, []), boxes, lines };
}

/**
 * Divides the edges into groups around one node each. The node with the most remaining edges gets the next group. Nodes
 * without edges get a group of their own, at the end.
 */
function groupEdges({ nodes, edges }: Graph): readonly Group[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const left = new Set(edges.filter(({ from, to }) => byId.has(from) && byId.has(to)));
  const groups: Group[] = [];
  while (left.size > 0) {
    const counts = new Map<string, number>();
    for (const { from, to } of left) for (const id of new Set([from, to])) counts.set(id, (counts.get(id) ?? 0) + 1);
    const hub = nodes.reduce((best, node) => ((counts.get(node.id) ?? 0) > (counts.get(best.id) ?? 0) ? node : best));
    const own = [...left].filter(({ from, to }) => from === hub.id || to === hub.id);
    for (const edge of own) left.delete(edge);
    const branches = own.flatMap((edge) => {
      const node = byId.get(edge.from === hub.id ? edge.to : edge.from);
      return node === undefined ? [] : [{ edge, node }];
    });
    groups.push({ hub, branches });
  }
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return [...groups, ...nodes.filter(({ id }) => !connected.has(id)).map((hub) => ({ hub, branches: [] }))];
}

/**
 * Draws a group below the position `top`. A box that `known` contains was already drawn, and is repeated with only its
 * title.
 */
function drawGroup({ hub, branches }: Group, top: number, known: Set<string>): Parts {
  const head = createBox(shorten(hub, known), { x: 0, y: top });
  const boxes = [head];
  const lines: DrawnLine[] = [];
  let y = top + head.height + GAP;
  let last = y;
  for (const { edge, node } of branches) {
    const label = edge.words === "" ? null : createLabel(edge.words, y);
    if (label !== null) y += LINE;
    const shown = shorten(node, known);
    const box = createBox(shown, { x: TRUNK + BRANCH, y });
    last = roundCoordinate(y + computeSize(shown).height / 2);
    const [isFrom, isTo] = [edge.heads !== "to", edge.heads !== "from"];
    const [atStart, atEnd] = edge.from === hub.id ? [isFrom, isTo] : [isTo, isFrom];
    boxes.push(box);
    lines.push({ path: `M${TRUNK} ${last}L${TRUNK + BRANCH} ${last}`, atStart, atEnd, label });
    y += box.height + GAP;
  }
  const trunk = { path: `M${TRUNK} ${top + head.height}L${TRUNK} ${last}`, atStart: false, atEnd: false, label: null };
  return { boxes, lines: branches.length === 0 ? [] : [trunk, ...lines] };
}

function shorten(node: GraphNode, known: Set<string>): GraphNode {
  if (known.has(node.id)) return { ...node, lines: [] };
  known.add(node.id);
  return node;
}

function createLabel(words: string, top: number): NonNullable<DrawnLine["label"]> {
  return { x: TRUNK + BRANCH, y: roundCoordinate(top + LINE * 0.7), text: words, anchor: "start" };
}
