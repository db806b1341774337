// Returns a difference for programs, in the form that `capc schema diff` describes. It contains the complete decisions,
// so that a reader can derive the newer decisions from the older ones.

import type { CellChange, NormalizedDecision } from "../../queries/diff/index.ts";
import type { ChangeReport, DiffReport, SideName } from "./diff-report.ts";

/** The JSON value that `capc diff --json` prints. */
interface DiffJson extends Pick<DiffReport, "alike" | "notCompared"> {
  readonly before: object;
  readonly after: object;
  readonly changes: readonly object[];
  readonly cells: readonly object[];
}

export function diffAsJson({ before, after, changes, cells, alike, notCompared }: DiffReport): DiffJson {
  return {
    before: sideAsJson(before),
    after: sideAsJson(after),
    changes: changes.map(changeAsJson),
    cells: cells.map(convertCellsToJson),
    alike,
    notCompared,
  };
}

export function sideAsJson({ tables, meaning, ...side }: SideName): object {
  return { ...side, tables: tables(), meaning: meaning() };
}

export function changeAsJson({ lines, witnesses, owner: _, unsaid: __, ...change }: ChangeReport): object {
  return {
    ...change,
    witnesses: witnesses.map(({ arguments: asked = null, label = null, earlier = null, ...call }) => {
      return { ...call, arguments: asked, label, earlier };
    }),
    lines: lines.map(({ words, place, applies = null }) => ({ words, place, applies })),
  };
}

function convertCellsToJson({ direction, before, after, at }: CellChange): object {
  return { direction, before: convertDecidingToJson(before), after: convertDecidingToJson(after), at };
}

function convertDecidingToJson(deciding: NormalizedDecision | undefined): NormalizedDecision | null {
  return deciding ?? null;
}
