import { FIRST_DECISION } from "../../engine/policy/index.ts";
import { bug } from "../../lang/diagnostics/index.ts";
import { MODES } from "./behaviour.ts";
import { lineOf, type Mutant, type Original, withRow } from "./mutant.ts";

/** Releases dropped, each once in each row where it has a tool, and each behind the other gate. */
export function mutantsOfReleases(original: Original): readonly Mutant[] {
  return original.tables.releases.flatMap((_, release) => [
    ...droppedFrom(original, release),
    ...regated(original, release),
  ]);
}

function droppedFrom(original: Original, index: number): readonly Mutant[] {
  const { tables } = original;
  const line = lineOf(original, releaseAt(original, index).rule);
  return rowsWith(original, index).map((at): Mutant => {
    const row = tables.rows[at] ?? bug(`no row ${at}`);
    const changed = withRow(tables, at, { ...row, releases: row.releases.filter((held) => held !== index) });
    const tools = offeredTools(original, index, at);
    return { kind: "release", change: "dropped", line, rows: [at], tools, reach: "calls", tables: changed };
  });
}

/** One line, hence one change for all rows: the gate stands in the release itself. */
function regated(original: Original, index: number): readonly Mutant[] {
  const { tables } = original;
  const release = releaseAt(original, index);
  const rows = rowsWith(original, index);
  const tools = [...new Set(rows.flatMap((row) => offeredTools(original, index, row)))];
  if (tools.length === 0) return [];
  return MODES.slice(1, -1)
    .filter((gate) => gate !== release.gate)
    .map((gate): Mutant => {
      const changed = { ...tables, releases: tables.releases.with(index, { ...release, gate }) };
      const line = lineOf(original, release.rule);
      const change = `${gate} instead of ${release.gate}`;
      return { kind: "release", change, line, rows, tools, reach: "calls", tables: changed };
    });
}

function releaseAt({ tables }: Original, index: number) {
  return tables.releases[index] ?? bug(`no release ${index}`);
}

function rowsWith(original: Original, index: number): number[] {
  const { rows } = original.tables;
  return [...rows.keys()].filter(
    (at) => rows[at]?.releases.includes(index) && offeredTools(original, index, at).length > 0,
  );
}

/** Those of the release's tools that can be called in a row. */
function offeredTools(original: Original, index: number, row: number): number[] {
  const cells = original.tables.rows[row]?.cells ?? [];
  return releaseAt(original, index).tools.filter((tool) => (cells[tool] ?? 0) >= FIRST_DECISION);
}
