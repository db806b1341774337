import { countComparisons, MOST_COMPARISONS } from "../../../engine/lib/policy/index.ts";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { startOf } from "../../../lang/text/index.ts";
import type { BoundLine, Model } from "../../phases/bind/index.ts";
import { countRows, encodeCondition } from "../../phases/policy/index.ts";
import { tooLarge } from "./codes.ts";
import { listNarrowings, listPatterns } from "./own-layers.ts";

// Defines limits that are checked before anything is resolved: a page of a mebibyte can request more cells than any machine can store.

const MAX_TOOLS = 100_000;
/**
 * Maximum number of tools on a page with releases: the tables store the number of a released tool in sixteen bits.
 */
const MAX_TOOLS_RELEASED = 65_536;
const MAX_NAMES = 10_000;
/** Maximum number of rows of the tables; each row may have its own lines. */
const MAX_ROWS = 4_000;
const MAX_CELLS = 1_000_000;
/** Maximum number of pairs: an assertion, and a row or a tool that the assertion may concern. */
const MAX_ASSERTED = 2_000_000;
/** Maximum number of pairs that the laws must visit: a line, and a tool that the line covers. */
const MAX_COVERED = 5_000_000;

export function checkSize(model: Model): Diagnostic[] {
  const at = model.system?.name.span ?? startOf("system.cap");
  const rows = countRows(model);
  const cells = model.tools.length * Math.max(model.sessions.length, rows);
  const narrowed = listNarrowings(model);
  const released = model.releases.map(({ pattern }) => pattern);
  const patterns = [
    ...model.sessions.flatMap((session) => listPatterns(session, session.widenings)),
    ...narrowed.flatMap((layer) => listPatterns(layer, [])),
    ...released,
  ];
  const covered = patterns.reduce((sum, pattern) => sum + pattern.tools.length, 0);
  const quotas = [...model.sessions, ...narrowed].reduce((sum, said) => sum + said.quotas.length, 0);
  const asserted = model.assertions.length * (rows + model.tools.length);
  const counts = [
    { what: "tools", count: model.tools.length, limit: MAX_TOOLS },
    {
      what: "tools beside a release",
      count: released.length === 0 ? 0 : model.tools.length,
      limit: MAX_TOOLS_RELEASED,
    },
    { what: "sessions", count: model.sessions.length, limit: MAX_NAMES },
    { what: "rows of sessions, tasks, phases and workers", count: rows, limit: MAX_ROWS },
    { what: "categories", count: model.categories.length, limit: MAX_NAMES },
    { what: "principals", count: model.principals.length, limit: MAX_NAMES },
    { what: "backends", count: model.backends.length, limit: MAX_NAMES },
    { what: "cells of sessions and tools", count: cells, limit: MAX_CELLS },
    { what: "pairs of rows with quotas and releases", count: rows * (quotas + released.length), limit: MAX_CELLS },
    { what: "pairs of assertions with rows and tools", count: asserted, limit: MAX_ASSERTED },
    { what: "pairs of lines and tools", count: covered, limit: MAX_COVERED },
    { what: "overlaps of lines of one pattern", count: countOverlaps(model), limit: MOST_COMPARISONS },
  ];
  return counts.filter(({ count, limit }) => count > limit).map((facts) => tooLarge.at(at, facts));
}

/**
 * Returns how many comparisons of conditions are needed to find which line displaces which. Only lines of one layer
 * with the same pattern are compared; the number is that of the layer and pattern that need the most comparisons.
 */
function countOverlaps(model: Model): number {
  const layers = [
    ...model.sessions.flatMap(({ lines, widenings }) => [lines, widenings.flatMap((widening) => widening.lines)]),
    ...listNarrowings(model).map(({ lines }) => lines),
  ];
  return layers.reduce((most, lines) => Math.max(most, countInLayer(lines)), 0);
}

function countInLayer(lines: readonly BoundLine[]): number {
  // With so few lines, the number of compared pairs of lines cannot exceed the limit.
  if (lines.length ** 2 <= MOST_COMPARISONS) return 0;
  const keyed = lines.flatMap((line) => line.patterns.map(({ key }) => ({ key, line })));
  const groups = [...Map.groupBy(keyed, ({ key }) => key).values()].filter(
    ({ length }) => length ** 2 > MOST_COMPARISONS,
  );
  const clauses = groups.flatMap((group, index) =>
    group.map(({ line: { mode, where } }) => {
      const conditions = (where?.checks ?? []).map(encodeCondition);
      return { conditions, met: mode, otherwise: mode, rule: 0, group: index + 1 };
    }),
  );
  return countComparisons(clauses);
}
