import fc from "fast-check";
import { expect, test } from "vitest";
import type { Release } from "../wire/generated/policy.ts";
import { admit } from "./admit.ts";
import { decide } from "./decide.ts";
import { checkFlow } from "./flow.ts";
import { join } from "./label.ts";
import { anyLabel, anyScene } from "./testing/arbitrary.ts";
import { always, FINANCE, HR, indexed, PUBLIC, row, SECRET, tool } from "./testing/sample.ts";

const write = { tool: "notes.write", arguments: '{"path":"a.txt"}' };
const sink = { ...PUBLIC, integrity: 0 };
const release: Release = {
  tools: [0],
  act: "declassify",
  from: { ...SECRET, integrity: 0, compartments: FINANCE },
  to: sink,
  gate: "stepUp",
  rule: 1,
};

function asked(changes: Partial<Release>, label = SECRET, mode: "auto" | "consent" | "forbidden" = "auto") {
  const tables = indexed({
    tools: [tool("notes.write", { sink })],
    decisions: [{ clauses: [always(mode)], floors: [] }],
    releases: [{ ...release, ...changes }],
    rows: [row("operator", [2], { releases: [0] })],
  });
  return decide(tables, { row: 0, label, unattended: false, spent: [] }, write);
}

test("ruling 14: a release lets the arguments of one call flow behind its gate, and the decision names the release", () => {
  expect(asked({})).toMatchObject({ kind: "gated", gate: "stepUp", rule: 1, release: 0 });
  expect(asked({})).toMatchObject({ reason: 'stepUp, released by "the second line"' });
  expect(asked({ gate: "consent" }, SECRET, "consent")).toMatchObject({
    reason: 'consent by "the first line", released by "the second line"',
  });
  expect(asked({ gate: "consent" }, SECRET, "consent")).toMatchObject({ gate: "consent", rule: 0, release: 0 });
});

test("ruling 14: the conversation keeps its label, so the next call needs the release again", () => {
  const tables = indexed({
    tools: [tool("notes.write", { sink, result: { low: PUBLIC, high: PUBLIC } })],
    releases: [release],
    rows: [row("operator", [2], { releases: [0] })],
  });
  const conversation = { row: 0, label: SECRET, unattended: false, spent: [] };
  expect(admit(tables, conversation, 0).conversation.label).toEqual(SECRET);
});

test("a release applies only if the flow needs it, and never opens a forbidden call", () => {
  expect(asked({}, PUBLIC)).toMatchObject({ gate: "auto" });
  expect(asked({}, PUBLIC)).not.toHaveProperty("release");
  expect(asked({}, SECRET, "forbidden")).toMatchObject({ kind: "refused", outcome: "refusedByPolicy" });
});

test.each<[string, Partial<Release>, typeof SECRET]>([
  ["its label is below the conversation's", { from: sink }, SECRET],
  ["the conversation has other compartments", {}, { ...SECRET, compartments: HR }],
  ["its target is above the sink", { to: { ...sink, confidentiality: 1 } }, SECRET],
  ["it does not name the tool", { tools: [] }, SECRET],
  ["it endorses data that is too secret", { act: "endorse" }, SECRET],
])("a release does not apply: %s", (_, changes, label) => {
  expect(asked(changes, label)).toMatchObject({ kind: "refused", outcome: "refusedByPolicy" });
});

test("takes the release with the loosest gate if several apply", () => {
  const tables = indexed({
    tools: [tool("notes.write", { sink })],
    releases: [release, { ...release, gate: "consent", rule: 0 }, { ...release, gate: "consent" }],
    rows: [row("operator", [2], { releases: [0, 1, 2] })],
  });
  const conversation = { row: 0, label: SECRET, unattended: false, spent: [] };
  expect(decide(tables, conversation, write)).toMatchObject({ gate: "consent", release: 1 });
});

test("an endorsement raises only integrity", () => {
  const tables = indexed({
    tools: [tool("notes.write", { sink: { ...PUBLIC, integrity: 1 } })],
    releases: [{ ...release, act: "endorse", to: PUBLIC }],
    rows: [row("operator", [2], { releases: [0] })],
  });
  const ask = (label: typeof PUBLIC) => decide(tables, { row: 0, label, unattended: false, spent: [] }, write);
  expect(ask({ ...PUBLIC, integrity: 0 })).toMatchObject({ kind: "gated", gate: "stepUp", release: 0 });
  expect(ask({ ...SECRET, integrity: 0 })).toMatchObject({ kind: "refused" });
});

test("the check of a flow allows, releases or refuses it, and fails for an unknown tool", () => {
  const tables = indexed({
    tools: [tool("notes.write", { sink })],
    releases: [release],
    rows: [row("operator", [2], { releases: [0] })],
  });
  const flow = (label: typeof PUBLIC, index = 0) => {
    const conversation = { row: 0, label, unattended: false, spent: [] };
    return checkFlow(tables, row("operator", [2], { releases: [0] }), conversation, index);
  };
  expect(flow(PUBLIC)).toEqual({ ok: true, value: undefined });
  expect(flow(SECRET)).toEqual({ ok: true, value: { index: 0, release } });
  expect(flow({ ...SECRET, compartments: HR })).toMatchObject({ ok: false });
  expect(flow(PUBLIC, 1)).toEqual({ ok: false, reason: "no such tool" });
});

test("property: without its releases, a row gives the same decision or a refusal, and a released call is never auto", () => {
  fc.assert(
    fc.property(anyScene, anyLabel, ({ tables, conversation, call }, seen) => {
      const now = { ...conversation, label: join(conversation.label, seen) };
      const answer = decide(indexed(tables), now, call);
      const rows = tables.rows.map((one) => ({ ...one, releases: [] }));
      const closed = decide(indexed({ ...tables, rows }), now, call);
      if (answer.kind === "gated" && answer.release !== undefined) {
        expect(answer.gate).not.toBe("auto");
        expect(closed).toMatchObject({ kind: "refused", outcome: "refusedByPolicy" });
      } else if (answer.kind === "gated") expect(closed).toEqual(answer);
      else expect(closed).toMatchObject({ kind: "refused", outcome: answer.outcome });
    }),
    { numRuns: 500 },
  );
});
