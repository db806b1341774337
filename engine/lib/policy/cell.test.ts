import fc from "fast-check";
import { expect, test } from "vitest";
import { findCell } from "./cell.ts";
import { decide } from "./decide.ts";
import { anyScene } from "./testing/arbitrary.ts";
import { always, indexed, PUBLIC, row, SECRET, tool } from "./testing/sample.ts";

const call = { tool: "notes.write", arguments: '{"path":"a"}' };
const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [] };

test("equal cells are the same object", () => {
  const names = ["a.write", "b.write", "c.write", "d.write", "e.write"];
  const apart = { "c.write": { sink: SECRET }, "d.write": { params: [] }, "e.write": {} };
  const tools = names.map((name) => tool(name, name in apart ? apart[name as keyof typeof apart] : {}));
  const decisions = [always("auto"), always("consent")].map((clause) => ({ clauses: [clause], floors: [] }));
  const tables = indexed({ tools, decisions, rows: [row("operator", [2, 2, 2, 2, 3]), row("guest", [2, 2, 2, 2, 3])] });
  expect(findCell(tables, 0, 1)).toBe(findCell(tables, 0, 0));
  const all = [0, 1].flatMap((at) => names.map((_, index) => findCell(tables, at, index)));
  expect(new Set(all).size).toBe(8);
});

test("a row without the tool has no cell, before and after look-ups of other cells", () => {
  const tables = indexed({ rows: [row("operator", [1]), row("guest", [2])] });
  for (let time = 0; time < 2; time += 1) {
    for (const [at, index] of [
      [0, 0],
      [-1, 0],
      [2, 0],
      [1, 1],
      [1, -1],
    ] as const) {
      expect(findCell(tables, at, index)).toBeUndefined();
    }
    expect(findCell(tables, 1, 0)).toBeDefined();
  }
});

test("tables that differ in one part give different decisions, in whatever order they are used", () => {
  const tables = indexed();
  const gates = () => [
    decide(tables, conversation, call),
    decide({ ...tables, decisions: [{ clauses: [always("consent")], floors: [] }] }, conversation, call),
    decide({ ...tables, rows: [row("operator", [0])] }, conversation, call),
    decide({ ...tables, rules: [{ id: "0", words: "other words", place: "" }] }, conversation, call),
  ];
  const once = gates();
  expect(once).toMatchObject([
    { gate: "auto" },
    { gate: "consent" },
    { outcome: "unknownTool" },
    { reason: 'auto by "other words"' },
  ]);
  expect(gates()).toEqual(once);
});

test("property: repeating a decision, with the same or with fresh tables, gives the same result", () => {
  fc.assert(
    fc.property(anyScene, ({ tables, conversation: now, call: asked }) => {
      const kept = indexed(tables);
      const first = decide(kept, now, asked);
      expect(decide(kept, now, asked)).toStrictEqual(first);
      expect(decide(indexed(tables), now, asked)).toStrictEqual(first);
    }),
  );
});
