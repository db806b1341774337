// Tests that the prover and the naive evaluator find the same flows for every row and sink of random systems.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Label } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../bind/index.ts";
import { indexPolicyTables, type Policy } from "../../policy/index.ts";
import { computeFlows } from "../index.ts";
import { anyPage } from "./any-page.ts";
import { sends } from "./calls.ts";
import { mayUse, runs, sharing } from "./claims.ts";
import { meaningOf } from "./compiled.ts";
import { pageText } from "./pages.ts";
import { has, type Matcher, reach } from "./reach.ts";
import { type System, systemOf } from "./system.ts";
import { anyTwists, twisted } from "./table-changes.ts";

test("the prover finds the same flows to services and backends as a naive search, and each witness can be replayed", async () => {
  let shown = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, anyTwists, async (any, twists) => {
      const { policy: made, model } = await meaningOf(pageText(any));
      const policy = twisted(made, twists);
      const flows = computeFlows(indexPolicyTables(policy), model);
      expect(flows.incompleteReason).toBeUndefined();
      expect(new Map([...proverFlows(policy, model)].sort())).toEqual(new Map([...naiveFlows(policy, model)].sort()));
      for (const { row, sink } of flows.inflows.slice(0, 3)) {
        const [source = { kind: "any" as const, matcher: undefined }] = flows.sources;
        const witness = flows.findWitness(row, sink, source);
        shown += witness.ok ? 1 : 0;
        // A trace cannot be replayed if a quota blocks it, or if it contains a worker that no page can express.
        if (!witness.ok) expect(witness.reason).toMatch(/quota|worker|conversation that is not/);
      }
    }),
    { numRuns: 100 },
  );
  expect(shown).toBeGreaterThan(100);
});

/**
 * Flows by row and sink. The value describes the data that flows: its highest confidentiality, its lowest integrity,
 * and its compartments as bits.
 */
type Told = Map<string, readonly [number, number, bigint]>;

function proverFlows(policy: Policy, model: Model): Told {
  const { inflows } = computeFlows(indexPolicyTables(policy), model);
  return new Map(
    inflows.map(({ row, sink: { kind, name }, summary: { confidentiality, integrity, compartments } }) => [
      `${row} ${kind} ${name}`,
      [confidentiality, integrity, compartments],
    ]),
  );
}

function naiveFlows(policy: Policy, model: Model): Told {
  const system = systemOf(policy, model);
  const { confidentiality, integrity, compartments } = policy.tables.lattice;
  const reached = (matcher: Matcher) => toldSinks(system, matcher);
  const all = reached(() => true);
  const levels = confidentiality.map((_, level) => reached((label) => label.confidentiality >= level));
  const trusts = integrity.map((_, level) => reached((label) => label.integrity <= level));
  const sets = compartments.map((_, bit) =>
    reached((label: Label) => ((label.compartments >> BigInt(bit)) & 1n) === 1n),
  );
  return new Map(
    [...all].map((sink) => [
      sink,
      [
        levels.findLastIndex((sinks) => sinks.has(sink)),
        trusts.findIndex((sinks) => sinks.has(sink)),
        sets.reduce((bits, sinks, bit) => (sinks.has(sink) ? bits | (1n << BigInt(bit)) : bits), 0n),
      ],
    ]),
  );
}

/**
 * Returns the flows of matching data, each as a row and a sink. In the row, a conversation that has read such data can
 * send to the sink.
 */
function toldSinks(system: System, matcher: Matcher): Set<string> {
  const question = { matchers: [matcher], withoutReleases: false };
  const told = new Set<string>();
  for (const state of reach(system, question).states.values()) {
    if (has(question, state)[0] !== true) continue;
    for (const at of mayUse(system, state)) told.add(`${state.row} backend ${system.tables.backends[at]?.name}`);
    for (const { name } of system.stores) {
      const holding = sharing(system, new Set([name]));
      const sending = runs(system, state, (tool) => sends(tool) && holding.has(tool.provider));
      if (sending.length > 0) told.add(`${state.row} service ${name}`);
    }
  }
  return told;
}
