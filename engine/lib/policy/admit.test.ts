import fc from "fast-check";
import { expect, test } from "vitest";
import { admit } from "./admit.ts";
import { findAdvertisedTool, listAdvertisedTools } from "./advertise.ts";
import { startTurn } from "./conversation.ts";
import { decide } from "./decide.ts";
import { join, mayFlow } from "./label.ts";
import type { PermissionMode } from "./mode.ts";
import { anyLabel, anyScene } from "./testing/arbitrary.ts";
import { always, check, FINANCE, indexed, PUBLIC, row, SECRET, tool, where } from "./testing/sample.ts";

const conversation = { row: 0, label: PUBLIC, unattended: false, spent: [] };

test("a result raises the label of the conversation to at least its own label", () => {
  const tables = indexed({ tools: [tool("notes.write", { result: { low: PUBLIC, high: SECRET } })] });
  expect(admit(tables, conversation, 0, { ...PUBLIC, compartments: FINANCE }).conversation.label).toEqual({
    ...PUBLIC,
    compartments: FINANCE,
  });
  expect(admit(tables, conversation, 0).conversation.label).toEqual(SECRET);
});

test("a result that its service labels below the declared range of its tool gets the lowest label of the range", () => {
  const tables = indexed({ tools: [tool("notes.write", { result: { low: SECRET, high: SECRET } })] });
  expect(admit(tables, conversation, 0, PUBLIC).conversation.label).toEqual(SECRET);
});

test("withholds content above the clearance, and raises the label nevertheless", () => {
  const rows = [row("operator", [2], { clearance: { ...PUBLIC, integrity: 0 } })];
  const tables = indexed({ tools: [tool("notes.write", { result: { low: PUBLIC, high: SECRET } })], rows });
  expect(admit(tables, conversation, 0, PUBLIC)).toMatchObject({ withheld: false });
  expect(admit(tables, conversation, 0, SECRET)).toMatchObject({ withheld: true, conversation: { label: SECRET } });
});

test("withholds the result of an unknown tool", () => {
  expect(admit(indexed(), conversation, 5)).toEqual({ conversation, withheld: true });
});

test("a conversation outside every row gets no result and no tools", () => {
  const nowhere = { ...conversation, row: 1 };
  expect(admit(indexed(), nowhere, 0, PUBLIC)).toEqual({ conversation: nowhere, withheld: true });
  expect(listAdvertisedTools(indexed(), nowhere)).toEqual([]);
});

test("finds an advertised tool by its name", () => {
  const tables = indexed({
    tools: ["a.x", "b.x", "c.x"].map((name) => tool(name)),
    rows: [row("operator", [2, 2, 1])],
  });
  const named = (name: string) => findAdvertisedTool(tables, conversation, name)?.tool.name;
  expect(["a.x", "b.x", "c.x", "d.x"].map(named)).toEqual(["a.x", "b.x", undefined, undefined]);
});

test("a floor makes the advertised mode stricter only if the conversation's label meets the floor's condition", () => {
  const floor = {
    conditions: [],
    confidentialityAtLeast: 2,
    integrityAtMost: 255,
    compartments: 0n,
    unattended: false,
    rule: 1,
  };
  const tables = indexed({ decisions: [{ clauses: [always("auto")], floors: [{ ...floor, mode: "stepUp" }] }] });
  const modeAt = (label: typeof PUBLIC) => findAdvertisedTool(tables, { ...conversation, label }, "notes.write")?.mode;
  expect([modeAt(PUBLIC), modeAt(SECRET)]).toEqual(["auto", "stepUp"]);
});

test("the second mode of a rule without a condition has no effect", () => {
  const clause = { ...always("auto"), otherwise: "forbidden" as const };
  const tables = indexed({ decisions: [{ clauses: [clause], floors: [] }] });
  expect(findAdvertisedTool(tables, conversation, "notes.write")?.mode).toBe("auto");
  expect(decide(tables, conversation, { tool: "notes.write", arguments: '{"path":"a"}' })).toMatchObject({
    gate: "auto",
  });
});

test("advertises no suppressed or uncovered tool, and shows the strictest mode that can run", () => {
  const tools = ["a.x", "b.x", "c.x", "d.x", "e.x", "f.x"].map((name) => tool(name));
  const when = (met: PermissionMode, otherwise: PermissionMode) => where([check("path", "equal", "a")], met, otherwise);
  const decisions = [
    [when("auto", "consent")],
    [always("forbidden")],
    [when("forbidden", "auto"), always("consent")],
    [when("forbidden", "auto"), always("forbidden")],
  ].map((clauses) => ({ clauses, floors: [] }));
  const tables = indexed({ tools, decisions, rows: [row("operator", [0, 1, 2, 3, 4, 5])] });
  expect(listAdvertisedTools(tables, conversation).map(({ tool: { name }, mode }) => [name, mode])).toEqual([
    ["c.x", "consent"],
    ["d.x", "forbidden"],
    ["e.x", "consent"],
    ["f.x", "forbidden"],
  ]);
});

test("property: a tool advertised as forbidden never runs, a tool that runs is advertised, and is found by its name", () => {
  fc.assert(
    fc.property(anyScene, ({ tables: sample, conversation: now, call }) => {
      const tables = indexed(sample);
      const advertised = listAdvertisedTools(tables, now);
      const decision = decide(tables, now, call);
      const known = advertised.find(({ tool: { name } }) => name === call.tool);
      if (known?.mode === "forbidden") expect(decision.kind).toBe("refused");
      if (decision.kind === "gated") expect(known).toBeDefined();
      expect(findAdvertisedTool(tables, now, call.tool)).toEqual(known);
    }),
  );
});

test("a new turn resets the quotas of a turn and no others", () => {
  const quota = { amount: 5n, unit: "calls", name: "", rule: 0 } as const;
  const quotas = [
    { ...quota, scope: "turn" as const },
    { ...quota, scope: "day" as const, rule: 1 },
  ];
  const tables = indexed({ rows: [row("operator", [2], { quotas })] });
  expect(startTurn(tables, { ...conversation, spent: [3n, 3n] }).spent).toEqual([0n, 3n]);
});

test("a join takes the higher confidentiality and the lower integrity", () => {
  const a = { confidentiality: 2, integrity: 0, compartments: FINANCE };
  const b = { confidentiality: 0, integrity: 2, compartments: 2n };
  expect(join(a, b)).toEqual({ confidentiality: 2, integrity: 0, compartments: 3n });
});

test("property: join is an upper bound, idempotent, commutative and associative", () => {
  fc.assert(
    fc.property(anyLabel, anyLabel, anyLabel, (a, b, c) => {
      expect(mayFlow(a, { ...join(a, b), integrity: 0 })).toBe(true);
      expect(join(a, a)).toEqual(a);
      expect(join(a, b)).toEqual(join(b, a));
      expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
    }),
  );
});
