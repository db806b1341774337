import { FIRST_DECISION, type PermissionMode } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { computeLoosestRank } from "./behaviour.ts";
import { getLine, type Mutant, type Original, replaceRow } from "./mutant.ts";

/**
 * Returns the mutants of each release. One mutant lacks the release in one row; there is such a mutant for each row
 * where a tool of the release may run. In one more mutant the release has the other gate (`consent` or `stepUp`). A
 * mutant is left out if it has no effect, because the lines about the tools already require the same gate or a stricter
 * gate.
 */
export function createReleaseMutants(original: Original): readonly Mutant[] {
  return original.tables.releases.flatMap((_, release) => [
    ...createDropMutants(original, release),
    ...createRegateMutants(original, release),
  ]);
}

function createDropMutants(original: Original, index: number): readonly Mutant[] {
  const { tables } = original;
  const line = getLine(original, releaseAt(original, index).rule);
  return findRows(original, index, "forbidden").map((at): Mutant => {
    const row = tables.rows[at] ?? bug(`no row ${at}`);
    const changed = replaceRow(tables, at, { ...row, releases: row.releases.filter((held) => held !== index) });
    const tools = openTools(original, index, at, "forbidden");
    return { kind: "release", change: "dropped", line, rows: [at], tools, reach: "calls", tables: changed };
  });
}

/** Returns mutants of the gate of a release. The gate is part of the release, so one change covers all rows. */
function createRegateMutants(original: Original, index: number): readonly Mutant[] {
  const { tables } = original;
  const release = releaseAt(original, index);
  const rows = findRows(original, index, "stepUp");
  const tools = [...new Set(rows.flatMap((row) => openTools(original, index, row, "stepUp")))];
  if (tools.length === 0) return [];
  return MODES.slice(1, -1)
    .filter((gate) => gate !== release.gate)
    .map((gate): Mutant => {
      const changed = { ...tables, releases: tables.releases.with(index, { ...release, gate }) };
      const line = getLine(original, release.rule);
      const change = `${gate} instead of ${release.gate}`;
      return { kind: "release", change, line, rows, tools, reach: "calls", tables: changed };
    });
}

function releaseAt({ tables }: Original, index: number) {
  return tables.releases[index] ?? bug(`no release ${index}`);
}

function findRows(original: Original, index: number, below: PermissionMode): number[] {
  const { rows } = original.tables;
  return [...rows.keys()].filter(
    (at) => rows[at]?.releases.includes(index) && openTools(original, index, at, below).length > 0,
  );
}

/** Returns the tools of a release for which a row has a gate looser than `below`, at least for some arguments. */
function openTools(original: Original, index: number, row: number, below: PermissionMode): number[] {
  const { rows, decisions } = original.tables;
  return releaseAt(original, index).tools.filter((tool) => {
    const list = decisions[(rows[row]?.cells[tool] ?? 0) - FIRST_DECISION];
    return list !== undefined && computeLoosestRank(list) < MODES.indexOf(below);
  });
}
