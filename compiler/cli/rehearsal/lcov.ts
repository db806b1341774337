// Renders coverage as an lcov tracefile, which editors and CI services show beside the lines of a page. A rule counts as a branch
// of its line. The coverage of tools in sessions belongs to no line of a page, so only the text and JSON output contains it.

import { compareCodeUnits } from "../../../lang/text/index.ts";
import type { CoveredRule } from "../../queries/page-tests/index.ts";

/** Renders the coverage of rules. `span.source.path` of a rule is the path of its file, relative to the folder of the report's reader. */
export function renderLcov(rules: readonly CoveredRule[]): string {
  const files = Map.groupBy(rules, ({ span }) => span.source.path);
  return [...files]
    .sort(([left], [right]) => compareCodeUnits(left, right))
    .map(([path, own]) => recordOf(path, own))
    .join("");
}

function recordOf(path: string, rules: readonly CoveredRule[]): string {
  const byLine = Map.groupBy(rules, ({ span }) => span.source.position(span.start).line);
  const lines = [...byLine].sort(([left], [right]) => left - right);
  const branches = lines.flatMap(([line, own]) =>
    own.map(({ times }, branch) => `BRDA:${line},0,${branch},${times === 0 ? "-" : times}`),
  );
  const counts = lines.map(([line, own]) => ({ line, times: own.reduce((sum, { times }) => sum + times, 0) }));
  return [
    "TN:",
    `SF:${path}`,
    ...branches,
    `BRF:${rules.length}`,
    `BRH:${rules.filter(({ times }) => times > 0).length}`,
    ...counts.map(({ line, times }) => `DA:${line},${times}`),
    `LF:${counts.length}`,
    `LH:${counts.filter(({ times }) => times > 0).length}`,
    "end_of_record\n",
  ].join("\n");
}
