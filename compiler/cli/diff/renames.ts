// Gives both sides of a comparison the same names, so that a renamed thing is one change and not a removal and an addition. An older page
// is compiled again with the new names, so that its assertions, tests and flows can be compared, too.

import { computeMeaningDigest } from "../../phases/policy/index.ts";
import { computeFlows } from "../../phases/prove/index.ts";
import {
  computeDifference,
  type Difference,
  describeRenames,
  type Fact,
  findRenames,
  findSimilar,
  hasOtherChanges,
  type Rename,
  renameInTables,
  renameToolsInModel,
} from "../../queries/diff/index.ts";
import type { NamedSide } from "./side.ts";

/**
 * Two sides and their difference. The older side was given the names of the newer side, and the difference begins with
 * these renames.
 */
export interface Comparison {
  readonly before: NamedSide;
  readonly after: NamedSide;
  readonly difference: Difference;
  /** The comparison in which things that are only probably renamed count as removed and new; absent if there are none. */
  readonly unaligned?: Comparison;
}

/** Returns the facts of both machines, with the new names in the facts of the older machine. */
export type MachinesUnder = (renames: readonly Rename[]) => Record<"before" | "after", readonly Fact[]>;

/**
 * Compares two sides. If the older side cannot be given the new names, nothing is reported as renamed. `machines` is given for sides whose
 * facts come from manifests.
 */
export async function compareSides(before: NamedSide, after: NamedSide, machines?: MachinesUnder): Promise<Comparison> {
  let renames = findRenames(before.tables, after.tables);
  for (;;) {
    const compared = await compareUnder(before, after, renames, machines);
    if (compared === undefined) renames = [];
    else {
      const whole = renames.filter((rename) => !hasOtherChanges(rename, compared.difference.facts));
      if (whole.length === renames.length) return alignSimilar({ before, after, renames, machines }, compared);
      // A thing counts as renamed only if no other fact about it has changed.
      renames = whole;
    }
  }
}

interface Aligned {
  readonly before: NamedSide;
  readonly after: NamedSide;
  readonly renames: readonly Rename[];
  readonly machines: MachinesUnder | undefined;
}

/** Compares again with each probable rename applied, and keeps the renames that make the difference shorter. */
async function alignSimilar({ before, after, renames, machines }: Aligned, unaligned: Comparison): Promise<Comparison> {
  let known = renames;
  let aligned: Comparison | undefined;
  for (const similar of findSimilar(unaligned.before, unaligned.after)) {
    const compared = await compareUnder(before, after, [...known, similar], machines);
    if (compared === undefined || countChanges(compared) >= countChanges(aligned ?? unaligned)) continue;
    known = [...known, similar];
    aligned = compared;
  }
  return aligned === undefined ? unaligned : { ...aligned, unaligned };
}

function countChanges({ difference: { cells, facts, stated, flows } }: Comparison): number {
  return cells.length + facts.length + stated.length + flows.length;
}

/**
 * Compares two sides, with the new names in the older side. Returns `undefined` if the older page has errors with the
 * new names. Also returns `undefined` if the tables of that page have another meaning than the older tables in which
 * only the names were replaced.
 */
async function compareUnder(
  before: NamedSide,
  after: NamedSide,
  renames: readonly Rename[],
  machines: MachinesUnder | undefined,
): Promise<Comparison | undefined> {
  const named = renames.length === 0 ? before : await renameSide(before, after, renames);
  if (named === undefined) return undefined;
  const facts = machines?.(renames);
  const older = facts === undefined ? named : { ...named, machine: facts.before };
  const newer = facts === undefined ? after : { ...after, machine: facts.after };
  const difference = computeDifference(older, newer);
  const told = describeRenames(renames, after.tables);
  return { before: older, after: newer, difference: { ...difference, facts: [...told, ...difference.facts] } };
}

async function renameSide(
  before: NamedSide,
  after: NamedSide,
  renames: readonly Rename[],
): Promise<NamedSide | undefined> {
  const tables = renameInTables(before.tables, renames);
  // If one side is not a page, only the tables are compared.
  if (before.page === undefined || after.page === undefined) return { ...before, tables };
  const ofTools = renames.filter(({ kind }) => kind === "tool");
  const ofPage = renames.filter(({ kind }) => kind !== "tool");
  const page = ofPage.length === 0 ? before : await before.rename?.(ofPage);
  if (page?.model === undefined) return undefined;
  const named = renameInTables(page.tables, ofTools);
  // The tables renamed directly, and the tables of the page compiled with the new names, must have the same meaning.
  if (computeMeaningDigest(named) !== computeMeaningDigest(tables)) return undefined;
  const model = renameToolsInModel(page.model, ofTools);
  const { digest, meaning } = before;
  return { ...page, digest, meaning, tables: named, model, flows: (own = named) => computeFlows(own, model) };
}
