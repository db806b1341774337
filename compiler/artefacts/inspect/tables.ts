// Describes policy tables as a matrix of each session's mode for each tool.

import {
  chooseAdvertisedMode,
  FIRST_DECISION,
  type IndexedTables,
  type Label,
  readTables,
  SUPPRESSED,
} from "../../../engine/lib/policy/index.ts";
import { computeMeaningDigest, formatRowPath } from "../../phases/policy/index.ts";
import { computeSha256, convertToPlain, type Description, formatTable } from "./description.ts";

export function describeTables(bytes: Uint8Array): Description | undefined {
  const read = readTables(bytes);
  if (!read.ok) return undefined;
  const tables = read.value;
  const { tools, categories, systemId, version } = tables;
  const matrix = tables.rows.map((row) => ({
    session: formatRowPath(row),
    modes: tools.map((_, index) => describeMode(tables, row.cells[index] ?? 0, row.starts)),
  }));
  const meaning = computeMeaningDigest(tables);
  const header = ["tool", "category", ...matrix.map((row) => row.session)];
  const body = tools.map((tool, index) => [
    tool.name,
    categories[tool.category]?.name ?? "",
    ...matrix.map((row) => row.modes[index] ?? ""),
  ]);
  return {
    kind: "policy tables",
    facts: {
      sha256: computeSha256(bytes),
      meaning,
      tables: convertToPlain({ ...tables, toolIndex: undefined, lineage: undefined }),
    },
    lines: [
      `policy tables of ${systemId} ${version}, ${bytes.length} bytes`,
      `sha256  ${computeSha256(bytes)}`,
      `meaning ${meaning}`,
      "",
      ...formatTable([header, ...body]),
      "",
      ...formatTable(tables.rules.map((rule) => [rule.place, rule.words])),
    ],
    faults: [],
  };
}

/** Returns the mode of a cell in words, with a star if it depends on the arguments or on the conversation. */
function describeMode(tables: IndexedTables, cell: number, starts: Label): string {
  if (cell === SUPPRESSED) return "suppressed";
  const list = tables.decisions[cell - FIRST_DECISION];
  if (list === undefined) return "-";
  const depends = list.floors.length > 0 || list.clauses.some((clause) => clause.conditions.length > 0);
  return `${chooseAdvertisedMode(list, { label: starts, unattended: false })}${depends ? "*" : ""}`;
}
