// Generates pairs of complete random systems, and applies the reported difference of facts and flows to the older
// system. To find the facts of tables and flows, this module does not use the code that reports differences.

import fc from "fast-check";
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Quota, Row } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Model } from "../../../phases/bind/index.ts";
import { formatRowPath, indexPolicyTables, type Policy } from "../../../phases/policy/index.ts";
import { computeFlows } from "../../../phases/prove/index.ts";
import { anyPage } from "../../../phases/prove/testing/any-page.ts";
import { meaningOf } from "../../../phases/prove/testing/compiled.ts";
import { pageText } from "../../../phases/prove/testing/pages.ts";
import { anyTwists, type Twist, twisted } from "../../../phases/prove/testing/table-changes.ts";
import type { Side } from "../diff.ts";
import type { FactChange } from "../facts.ts";
import { collectMachineFacts } from "../machine.ts";

/** Generates a page with changed tables, and a later state: the same page with more changes, or another page. */
export const anyPair = fc.record({
  before: anyPage,
  twists: anyTwists,
  after: fc.option(anyPage, { freq: 3 }),
  more: anyTwists,
});

export interface System extends Side {
  readonly policy: Policy;
  readonly model: Model;
}

export async function systemOf(
  any: typeof anyPage extends fc.Arbitrary<infer T> ? T : never,
  twists: readonly Twist[],
) {
  const { policy: made, model } = await meaningOf(pageText(any));
  const policy = twisted(made, twists);
  const tables = indexPolicyTables(policy);
  const machine = collectMachineFacts({ policy, model });
  return { tables, machine, flows: (own: IndexedTables = tables) => computeFlows(own, model), policy, model };
}

/** Values of facts, by the place of a fact and by what it states. */
type Said = ReadonlyMap<string, string>;

/**
 * Returns the facts of the older page with every reported change made. Throws if the facts do not have the old value
 * that a change reports.
 */
export function factsApplied(said: Said, changes: readonly FactChange[]): Said {
  const made = new Map(said);
  for (const { places, what, before, after } of changes) {
    for (const place of places) {
      const key = `${place}: ${what}`;
      if (made.get(key) !== before) throw new Error(`${key} was ${made.get(key)}, and not ${before}`);
      if (before === after) throw new Error(`${key} did not change`);
      if (after === undefined) made.delete(key);
      else made.set(key, after);
    }
  }
  return made;
}

/**
 * Returns the amounts of all quotas of backends and sessions, without duplicates, by place and kind. Rows that only one
 * of the systems has are left out.
 */
export function quotasOf({ tables }: System, other: System): Said {
  const there = new Set(other.tables.rows.map(placeOf));
  const amounts = new Map<string, Set<string>>();
  const add = (place: string, owner: string, { unit, name, scope, amount }: Quota) => {
    const counted = unit === "money" ? `millionths of ${name}` : unit === "category" ? `${name} calls` : UNITS[unit];
    const key = `${place}: quota of ${counted} per ${scope}`;
    const isLasting = scope === "principal" || scope === "day";
    const known = amounts.get(key) ?? new Set();
    amounts.set(key, known);
    known.add(isLasting && owner !== place ? `${amount}, as ${owner}` : `${amount}`);
  };
  const ownerOf = ({ rule }: Quota) => tables.rules[rule]?.id.replace(/\/.*/, "") ?? "";
  for (const row of tables.rows.filter((one) => there.has(placeOf(one)))) {
    for (const quota of row.quotas) {
      const [, ...within] = ownerOf(quota).split(".");
      add([row.session, ...within].join("."), ownerOf(quota), quota);
    }
  }
  for (const { name, quotas } of tables.backends) {
    for (const quota of quotas) add(`backend ${name}`, ownerOf(quota), quota);
  }
  return new Map([...amounts].map(([key, all]) => [key, [...all].join(" and ")]));
}

function placeOf({ session, task, phase, worker }: Row): string {
  return [session, task, phase, worker].join("/");
}

const UNITS = { calls: "calls", tokens: "tokens", prompts: "prompts", bytes: "bytes" } as const;

/** Returns which rows send which data to whom. */
export function flowTexts({ tables, model }: System): Said {
  const { confidentiality, integrity, compartments } = tables.lattice;
  return new Map(
    computeFlows(tables, model).inflows.flatMap(({ row, sink, summary }): [string, string][] => {
      const at = tables.rows[row];
      const place = `${at === undefined ? "" : formatRowPath(at)} → ${sink.kind} ${sink.name}`;
      const sets = compartments.filter((_, bit) => (summary.compartments >> BigInt(bit)) % 2n === 1n);
      return [
        [`${place}: most secret that reaches it`, confidentiality[summary.confidentiality] ?? ""],
        [`${place}: least trusted that reaches it`, integrity[summary.integrity] ?? ""],
        ...(sets.length === 0 ? [] : [[`${place}: compartments that reach it`, sets.join(", ")] as [string, string]]),
      ];
    }),
  );
}
