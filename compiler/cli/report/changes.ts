// Computes the changes in meaning for a report. `capc diff` prints the same changes.

import { kindOf } from "../../queries/diff/index.ts";
import type { Changes } from "../../queries/report/index.ts";
import { compareSides } from "../diff/renames.ts";
import { reportOf } from "../diff/report.ts";
import type { NamedSide } from "../diff/side.ts";
import { callText, countLine, renderFlow, renderPart, renderWhere } from "../diff/text.ts";

export async function computeChanges(older: NamedSide, after: NamedSide): Promise<Changes> {
  const found = reportOf(await compareSides(older, after), undefined);
  const { name, system, version } = found.before;
  return {
    before: `${name} (${system} ${version})`,
    counts: countLine(found.changes),
    told: found.changes.map(
      ({
        direction,
        widens,
        at,
        what,
        before: was,
        after: is,
        parts,
        details,
        notes,
        witnesses,
        ways,
        lines,
        because,
      }) => ({
        kind: kindOf({ direction, what }),
        widens,
        where: renderWhere(at, what),
        before: was,
        after: is,
        details,
        shownBy: [...parts.map(renderPart), ...witnesses.map(callText), ...notes, ...ways.flatMap(renderFlow)],
        lines: lines.map(({ words, place }) => ({ words, place })),
        because,
      }),
    ),
    cells: found.cells.flatMap(({ direction, at }) =>
      direction === "alike" ? [] : at.flatMap(({ place, tools }) => tools.map((tool) => ({ place, tool, direction }))),
    ),
    notCompared: found.notCompared,
    unseen: found.uncompared,
  };
}
