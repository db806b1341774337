import fc from "fast-check";
import { expect, test } from "vitest";
import { LETTER } from "./boxes.ts";
import type { Graph, GraphEdge, GraphNode } from "./graph.ts";
import { createDrawing } from "./layout.ts";
import { joinAlike } from "./merge-boxes.ts";
import { createStack } from "./stack.ts";

function node(id: string, joins = true): GraphNode {
  return { id, kind: "service", title: id, lines: ["line"], joins };
}

function edge(from: string, to: string, words = ""): GraphEdge {
  return { from, to, words, heads: "to" };
}

test("boxes are merged if their connections have the same labels, directions and ends, and otherwise not", () => {
  const nodes = ["a", "b", "c", "d", "hub"].map((id) => node(id));
  const edges = [edge("a", "hub"), edge("b", "hub"), edge("c", "hub", "asks"), edge("hub", "d")];
  const joined = joinAlike({ nodes, edges });
  expect(joined.nodes.map(({ title }) => title)).toEqual(["a, b", "c", "d", "hub"]);
  expect(joined.edges).toEqual([edge("a", "hub"), edge("c", "hub", "asks"), edge("hub", "d")]);
});

test("a merged box shows as many names as fit, and a box that must not be merged stays separate", () => {
  const graph = { nodes: [...Array(9).keys()].map((at) => node(`service${at}`)), edges: [] };
  expect(joinAlike(graph).nodes.map(({ title }) => title)).toEqual(["service0, service1 and 7 more"]);
  const alone = { nodes: [node("a", false), node("b", false)], edges: [] };
  expect(joinAlike(alone).nodes.map(({ title }) => title)).toEqual(["a", "b"]);
});

const graphs: fc.Arbitrary<Graph> = fc
  .tuple(
    fc.integer({ min: 1, max: 14 }),
    fc.array(fc.tuple(fc.nat(13), fc.nat(13), fc.constantFrom("", "reads auto")), { maxLength: 30 }),
  )
  .map(([count, pairs]) => {
    const nodes = [...Array(count).keys()].map((at) => node(`n${at}`, false));
    const known = new Map(
      pairs
        .filter(([from, to]) => from !== to && from < count && to < count)
        .map(([from, to, words]) => [`${from} ${to}`, edge(`n${from}`, `n${to}`, words)]),
    );
    return { nodes, edges: [...known.values()] };
  });

const FORMS = [
  ["layers", createDrawing],
  ["a stack", createStack],
] as const;

test.each(FORMS)(
  "in a drawing as %s boxes do not overlap, no part leaves the frame, and the same graph gives the same drawing",
  (_, create) => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const drawing = create(graph);
        if (drawing === undefined) throw new Error("it was not drawn");
        const { left, top, width, height, boxes, lines } = drawing;
        const inside = (x: number, y: number) => x >= left && y >= top && x <= left + width && y <= top + height;
        for (const box of boxes) {
          expect(inside(box.x, box.y) && inside(box.x + box.width, box.y + box.height)).toBe(true);
          const over = boxes.filter(
            (other) =>
              other !== box &&
              other.x < box.x + box.width &&
              box.x < other.x + other.width &&
              other.y < box.y + box.height &&
              box.y < other.y + other.height,
          );
          expect(over).toEqual([]);
          for (const { x, text } of box.texts) expect(x + text.length * LETTER).toBeLessThanOrEqual(box.x + box.width);
        }
        for (const { path, label } of lines) {
          const width = (label?.text.length ?? 0) * LETTER;
          const from = (label?.x ?? left) - (label?.anchor === "middle" ? width / 2 : 0);
          expect(inside(from, label?.y ?? top) && inside(from + width, label?.y ?? top)).toBe(true);
          const numbers = [...path.matchAll(/-?[\d.]+/g)].map(Number);
          expect(numbers.length).toBeGreaterThan(3);
          for (let at = 0; at < numbers.length; at += 2)
            expect(inside(numbers[at] ?? Number.NaN, numbers[at + 1] ?? Number.NaN)).toBe(true);
        }
        expect(create(graph)).toEqual(drawing);
      }),
      { numRuns: 60 },
    );
  },
);

/** Maximum width of a stack. A telephone shows this width without scaling. */
const NARROW = 340;

test("a drawing as a stack is narrow for any number of boxes, and shows each box and each connection once", () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const { width, boxes, lines } = createStack(graph);
      expect(width).toBeLessThanOrEqual(NARROW);
      const titles = boxes.map(({ texts: [title] }) => title?.text);
      expect([...new Set(titles)].sort()).toEqual(graph.nodes.map(({ title }) => title).sort());
      const full = boxes.filter(({ texts }) => texts.length > 1);
      expect(full.length).toBe(graph.nodes.length);
      expect(lines.filter(({ atStart, atEnd }) => atStart || atEnd).length).toBe(graph.edges.length);
    }),
  );
});

test("in a drawing as a stack, arrows go from the first box to the boxes that it reaches, and from the boxes that reach it", () => {
  const nodes = ["in", "hub", "out", "alone"].map((id) => node(id));
  const { boxes, lines } = createStack({ nodes, edges: [edge("in", "hub", "reads auto"), edge("hub", "out")] });
  expect(boxes.map(({ texts: [title] }) => title?.text)).toEqual(["hub", "in", "out", "alone"]);
  expect(lines.map(({ atStart, atEnd, label }) => ({ atStart, atEnd, words: label?.text }))).toEqual([
    { atStart: false, atEnd: false, words: undefined },
    { atStart: true, atEnd: false, words: "reads auto" },
    { atStart: false, atEnd: true, words: undefined },
  ]);
});

test("a box whose name is a built-in property of objects is drawn like any other box", () => {
  const names = ["constructor", "__proto__", "toString", "valueOf"];
  const edges = names.map((name) => edge("hub", name));
  const drawing = createDrawing({ nodes: ["hub", ...names].map((id) => node(id)), edges });
  expect(drawing?.boxes.map(({ texts: [title] }) => title?.text)).toEqual(["hub", ...names]);
  expect(drawing?.lines.length).toBe(4);
});

test("an empty graph and a graph that is too large are not drawn", () => {
  expect(createDrawing({ nodes: [], edges: [] })).toBeUndefined();
  const nodes = [...Array(100).keys()].map((at) => node(`n${at}`));
  expect(createDrawing({ nodes, edges: [] })).toBeUndefined();
});
