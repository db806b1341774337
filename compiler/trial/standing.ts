// Describes the state of a session in one row of a terminal, as the console of an image does.

import type { Standing } from "../../engine/lib/wire/generated/wire.ts";
import { escapeInvisible } from "../../lang/diagnostics/index.ts";
import { countMostColumns } from "./width.ts";

const BETWEEN = " | ";
/** Columns of the row that the text must leave free, for the mark and at the end. */
const AROUND = 4;

/** Returns the text of the row, with as many quotas as fit into the columns. */
export function describeStanding(session: string, standing: Standing, columns: number): string {
  const { isLocked, label, model, isModelAsked, task, phase, left } = standing;
  if (isLocked) return joinFitting([session, "locked, /login unlocks it"], columns);
  const answers = model === "" ? "no model" : `${model}${isModelAsked ? ", which asks first" : ""}`;
  const place = [task === "" ? [] : [`task ${task}`], phase === "" ? [] : [`phase ${phase}`]].flat().join(", ");
  const counted = left.map((words, index) => (index === 0 ? `left: ${words}` : words));
  return joinFitting(
    [session, label, answers, place, ...counted].filter((part) => part !== ""),
    columns,
  );
}

function joinFitting(parts: readonly string[], columns: number): string {
  let row = "";
  for (const part of parts.map(escapeInvisible)) {
    const longer = row === "" ? part : `${row}${BETWEEN}${part}`;
    if (row !== "" && countMostColumns(longer) > columns - AROUND) break;
    row = longer;
  }
  return row;
}
