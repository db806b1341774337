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
  hasOtherChanges,
  type Rename,
  renameInTables,
  renameToolsInModel,
} from "../../queries/diff/index.ts";
import type { NamedSide } from "./side.ts";

/** Two sides with the same names, and their difference, which begins with the renames. */
interface NamedDifference {
  readonly before: NamedSide;
  readonly difference: Difference;
}

/** Returns the facts of both machines if things of the older one have these new names. */
export type MachinesUnder = (renames: readonly Rename[]) => Record<"before" | "after", readonly Fact[]>;

/**
 * Compares two sides. If the older side cannot be given the new names, nothing is reported as renamed. `machines` is given for sides whose
 * facts come from manifests.
 */
export async function compareSides(
  before: NamedSide,
  after: NamedSide,
  machines?: MachinesUnder,
): Promise<NamedDifference> {
  let renames = findRenames(before.tables, after.tables);
  for (;;) {
    const named = renames.length === 0 ? before : await renameSide(before, after, renames);
    if (named === undefined) renames = [];
    else {
      const facts = machines?.(renames);
      const older = facts === undefined ? named : { ...named, machine: facts.before };
      const newer = facts === undefined ? after : { ...after, machine: facts.after };
      const difference = computeDifference(older, newer);
      const whole = renames.filter((rename) => !hasOtherChanges(rename, difference.facts));
      if (whole.length === renames.length) {
        const told = describeRenames(renames, after.tables);
        return { before: older, difference: { ...difference, facts: [...told, ...difference.facts] } };
      }
      // Their other facts have changed, too, so they do not count as renamed.
      renames = whole;
    }
  }
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
  // Both ways of renaming must give the same meaning.
  if (computeMeaningDigest(named) !== computeMeaningDigest(tables)) return undefined;
  const model = renameToolsInModel(page.model, ofTools);
  const { digest, meaning } = before;
  return { ...page, digest, meaning, tables: named, model, flows: () => computeFlows(named, model) };
}
