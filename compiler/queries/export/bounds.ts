// Bounds of a page that no target of others keeps: they are about time, about what came before, or about the machine.

import { type IndexedTables, join, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { cellsOfRow, type ExportedCell, highestOf, placeName, placesOf } from "./cells.ts";
import { type Loss, lossOf } from "./loss.ts";

/** What is lost of these rows whatever the target is. */
export function unkeptBounds(tables: IndexedTables, rows: readonly Row[]): readonly Loss[] {
  const cells = rows.flatMap((row) => cellsOfRow(tables, row));
  return [
    ...masked(cells),
    ...counted(tables, rows),
    ...timed(rows),
    ...locked(rows),
    ...entered(tables, rows),
    ...standing(rows),
  ];
}

function masked(cells: readonly ExportedCell[]): readonly Loss[] {
  const found = cells.filter(({ tool }) => tool.redact.length > 0 || tool.truncateBytes > 0);
  return found.length === 0
    ? []
    : [
        lossOf(
          "result-not-masked",
          "Fields of results are not masked, and long results not shortened.",
          placesOf(found),
        ),
      ];
}

/** Tools whose results the gate may withhold. */
export function seenAbove(cells: readonly ExportedCell[]): readonly ExportedCell[] {
  return cells.filter(
    ({ row, tool, isNever }) => !isNever && !mayFlow(join(row.starts, highestOf(tool)), row.clearance),
  );
}

function counted(tables: IndexedTables, rows: readonly Row[]): readonly Loss[] {
  const rules = new Map<number, string[]>();
  for (const row of rows)
    for (const { rule } of row.quotas) rules.set(rule, [...(rules.get(rule) ?? []), placeName(row)]);
  return [...rules].map(([rule, places]) =>
    lossOf("quota-not-counted", `Nothing counts '${tables.rules[rule]?.words ?? ""}'.`, at(places), rule),
  );
}

function timed(rows: readonly Row[]): readonly Loss[] {
  const found = rows.filter(({ timeouts }) => timeouts.callMs > 0 || timeouts.turnMs > 0 || timeouts.loginMs > 0);
  return found.length === 0
    ? []
    : [lossOf("time-not-kept", "No call, turn or login ends by the clock.", at(found.map(placeName)))];
}

function locked(rows: readonly Row[]): readonly Loss[] {
  const found = rows.filter(({ timeouts }) => timeouts.idleMs > 0);
  return found.length === 0
    ? []
    : [lossOf("time-not-kept", "No session locks after the page's idle time.", at(found.map(placeName)))];
}

function entered(tables: IndexedTables, rows: readonly Row[]): readonly Loss[] {
  const inner = rows.filter(({ task, phase, worker }) => task !== "" || phase !== "" || worker !== "");
  const remembering = rows.filter(({ remember }) => remember !== "none");
  return [
    ...(remembering.length === 0
      ? []
      : [lossOf("consent-not-remembered", "Whoever consented is asked again.", at(remembering.map(placeName)))]),
    ...(inner.length === 0
      ? []
      : [
          lossOf(
            "passage-not-kept",
            "Who begins a task, enters a phase or starts a worker is not asked, and phases do not go forward only.",
            at(inner.map(placeName)),
          ),
        ]),
    ...(tables.ingresses.length === 0
      ? []
      : [lossOf("passage-not-kept", "Nothing begins a conversation by what comes in from outside.")]),
  ];
}

function standing(rows: readonly Row[]): readonly Loss[] {
  const places = at(rows.map(placeName));
  return [
    lossOf("model-not-chosen", "Which model answers, behind which gate, and what it may hear is not decided.", places),
    lossOf("people-not-known", "Who may open the session, and whose signature counts, is not known.", places),
    lossOf(
      "machine-not-made",
      "Jails, grants, addresses, sealed credentials, the audit and the disk are the image's alone.",
    ),
  ];
}

function at(places: readonly string[]): Loss["at"] {
  return places.map((place) => ({ place, tools: [] }));
}
