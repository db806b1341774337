import type { PolicyTables, Tool } from "../../../engine/lib/wire/generated/policy.ts";

// Sixty-four compartments make more labels than can be enumerated. Compartments that occur only together in the labels
// of the page count as one, because flows do not distinguish them.

/**
 * Groups of compartments that the page uses only together. `kept` has one bit for each group: the bit of the first
 * compartment in the group.
 */
export interface Groups {
  readonly kept: bigint;
  /** All compartments of a group, by the bit of the group in `kept`. */
  readonly members: ReadonlyMap<bigint, bigint>;
}

/**
 * Groups compartments: each set contains all compartments of a group, or none of them. `sets` are all sets of
 * compartments on the page and in its assertions.
 */
export function groupCompartments(count: number, sets: Iterable<bigint>): Groups {
  const distinct = [...new Set(sets)];
  const groups = new Map<string, bigint[]>();
  for (let index = 0n; index < BigInt(count); index++) {
    const signature = distinct.map((set) => ((set >> index) & 1n).toString()).join("");
    const group = groups.get(signature);
    if (group === undefined) groups.set(signature, [1n << index]);
    else group.push(1n << index);
  }
  const members = new Map([...groups.values()].map((bits) => [bits[0] ?? 0n, combineBits(bits)]));
  return { kept: combineBits(members.keys()), members };
}

/** Returns all compartments of the groups whose bits are set. */
export function expandCompartments({ members }: Groups, set: bigint): bigint {
  return combineBits([...members].flatMap(([bit, all]) => ((set & bit) === 0n ? [] : [all])));
}

/** Returns all sets of compartments in the tables. */
export function collectTableSets(tables: PolicyTables): bigint[] {
  const sets = new Set<bigint>();
  let before: Tool | undefined;
  tables.tools.forEach((tool) => {
    const { sink, result } = tool;
    // Most tools of one service share their labels and are adjacent, so their compartments are added to `sets` only
    // once.
    if (before?.sink === sink && before.result === result) return;
    before = tool;
    sets.add(sink.compartments);
    sets.add(result.low.compartments);
    sets.add(result.high.compartments);
  });
  const labels = [
    ...tables.rows.flatMap(({ clearance, starts }) => [clearance, starts]),
    ...tables.backends.map(({ clearance }) => clearance),
    ...tables.releases.flatMap(({ from, to }) => [from, to]),
    ...tables.ingresses.map(({ label }) => label),
    ...tables.decisions.flatMap(({ floors }) => floors),
  ];
  for (const { compartments } of labels) sets.add(compartments);
  return [...sets];
}

function combineBits(bits: Iterable<bigint>): bigint {
  let all = 0n;
  for (const bit of bits) all |= bit;
  return all;
}
