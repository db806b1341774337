// Tests that a call is newly possible only if a widening is reported. After a change of one value in random tables, the
// gate's own functions find out whether a call is newly possible.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  admit,
  type Call,
  type Conversation,
  chooseBackend,
  decide,
  deriveConsentKey,
  type IndexedTables,
  indexTables,
  isStricter,
  join,
} from "../../../engine/lib/policy/index.ts";
import { anyConversation, anyScene } from "../../../engine/lib/policy/testing/arbitrary.ts";
import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { computeDifference } from "./diff.ts";
import { leavesOf, othersThan } from "./testing/leaves.ts";

/** Parts of the tables. Parts with more values are drawn more often; most values belong to tools. */
const anyPart = fc.constantFrom<keyof PolicyTables>(
  "tools",
  "tools",
  "rows",
  "rows",
  "backends",
  "decisions",
  "categories",
  "releases",
);

/** Returns the tables with another value in one place of a part, or `undefined` if the result is inconsistent. */
function changed(
  tables: PolicyTables,
  part: keyof PolicyTables,
  at: number,
  choice: number,
): IndexedTables | undefined {
  const copy = structuredClone(tables);
  const leaves = leavesOf(copy).filter(({ path }) => path.startsWith(part) && !path.endsWith(".description"));
  const leaf = leaves[at % leaves.length];
  const others = leaf === undefined ? [] : othersThan(leaf);
  if (others.length === 0) return undefined;
  leaf?.setTo(others[choice % others.length]);
  const read = indexTables(copy);
  return read.ok ? read.value : undefined;
}

function isWidened(before: IndexedTables, after: IndexedTables): boolean {
  const { cells, facts } = computeDifference(
    { tables: before, machine: undefined, flows: undefined },
    { tables: after, machine: undefined, flows: undefined },
  );
  return cells.some(({ widens }) => widens !== undefined) || facts.some(({ widens }) => widens);
}

/** Returns the effects of a call, or `undefined` if the call has none. */
function effectOf(tables: IndexedTables, conversation: Conversation, call: Call) {
  const decision = decide(tables, conversation, call);
  const tool = decision.kind === "gated" ? tables.tools[decision.tool] : undefined;
  if (decision.kind !== "gated" || tool === undefined) return undefined;
  const { interfaceId, method, provider, redact } = tool;
  return {
    gate: decision.gate,
    runs: { interfaceId, method, provider, arguments: decision.arguments },
    redact,
    isRemembered: deriveConsentKey(tables, conversation, decision) !== undefined,
    admitted: admit(tables, conversation, decision.tool),
  };
}

function expectNoMore(before: IndexedTables, after: IndexedTables, conversation: Conversation, call: Call): boolean {
  const [was, is] = [effectOf(before, conversation, call), effectOf(after, conversation, call)];
  if (is === undefined) return false;
  expect(was).toBeDefined();
  if (was === undefined) return false;
  expect(is.runs).toEqual(was.runs);
  expect(isStricter(was.gate, is.gate)).toBe(false);
  expect(is.isRemembered && was.gate === is.gate && !was.isRemembered).toBe(false);
  expect(was.admitted.withheld && !is.admitted.withheld).toBe(false);
  expect(is.redact).toEqual(expect.arrayContaining([...was.redact]));
  return true;
}

/**
 * Expects that a change lets no new backend receive the conversation. The backend after the change must be possible
 * before it with the same leases (backends that a person has approved), or with some of them.
 */
function expectNoMoreHeard(before: IndexedTables, after: IndexedTables, conversation: Conversation): void {
  const heard = (tables: IndexedTables, leases: readonly number[]) =>
    tables.backends[chooseBackend(tables, conversation, new Set(leases))?.backend ?? -1]?.name;
  for (const leases of [[], [0], [1], [0, 1]]) {
    const now = heard(after, leases);
    const fewer = [[], [0], [1], [0, 1]].filter((some) => some.every((one) => leases.includes(one)));
    if (now !== undefined) expect(fewer.map((some) => heard(before, some))).toContain(now);
  }
}

const PLAIN = { confidentiality: 0, integrity: 2, compartments: 0n };
const RUNS = { numRuns: 400 };

test("if no widening is reported, the gate allows only calls that it allowed before", () => {
  let calls = 0;
  fc.assert(
    fc.property(anyScene, anyConversation, anyPart, fc.nat(), fc.nat(), ({ tables, call }, talk, part, at, choice) => {
      const [read, after] = [indexTables(tables), changed(tables, part, at, choice)];
      if (!read.ok || after === undefined || isWidened(read.value, after)) return;
      for (const [row, label] of [...after.rows.keys()].flatMap((at) =>
        [talk.label, PLAIN].map((one) => [at, one] as const),
      )) {
        const starts = [read.value, after].flatMap(({ rows }) => rows[row]?.starts ?? []);
        const conversation = { ...talk, row, spent: [0n, 0n], label: starts.reduce(join, label) };
        if (expectNoMore(read.value, after, conversation, call)) calls += 1;
        expectNoMoreHeard(read.value, after, conversation);
      }
    }),
    RUNS,
  );
  expect(calls).toBeGreaterThan(RUNS.numRuns / 10);
});
