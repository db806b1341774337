// Collects the bounds of a page that no target enforces, because they depend on time, on earlier events, or on the
// machine.

import { formatSecrecy, type IndexedTables, join, mayFlow } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { collectRowCells, computeHighestLabel, type ExportedCell, groupByPlace, placeName } from "./cells.ts";
import { createLoss, type Loss } from "./loss.ts";

/**
 * Returns the losses that the export of these rows has for every target: bounds that only the gate enforces, such as
 * quotas and the masking of results.
 */
export function collectUnkeptBounds(tables: IndexedTables, rows: readonly Row[]): readonly Loss[] {
  const cells = rows.flatMap((row) => collectRowCells(tables, row));
  return [
    ...collectMaskLosses(cells),
    ...collectRedactionLosses(tables),
    ...collectAuditLosses(tables),
    ...collectQuotaLosses(tables, rows),
    ...collectTimeoutLosses(rows),
    ...collectIdleLosses(rows),
    ...collectEntryLosses(tables, rows),
    ...collectGeneralLosses(rows),
  ];
}

function collectMaskLosses(cells: readonly ExportedCell[]): readonly Loss[] {
  const found = cells.filter(({ tool }) => tool.redact.length > 0 || tool.truncateBytes > 0);
  return found.length === 0
    ? []
    : [
        createLoss(
          "result-not-masked",
          "Fields of results are not masked, and long results not shortened.",
          groupByPlace(found),
        ),
      ];
}

function collectRedactionLosses({ redactions }: IndexedTables): readonly Loss[] {
  return redactions.map(({ name }) =>
    createLoss("prompt-not-masked", `Models hear what '${name}' masks: no target masks a conversation.`),
  );
}

function collectAuditLosses({ audit: { hasLimit, above }, lattice }: IndexedTables): readonly Loss[] {
  if (!hasLimit) return [];
  const label = formatSecrecy(lattice, above);
  return [createLoss("log-not-limited", `Logs may keep text above ${label}: no target records digests instead.`)];
}

/** Returns the cells whose results may exceed the clearance of their row. The gate withholds such results. */
export function findAboveClearance(cells: readonly ExportedCell[]): readonly ExportedCell[] {
  return cells.filter(
    ({ row, tool, isNever }) => !isNever && !mayFlow(join(row.starts, computeHighestLabel(tool)), row.clearance),
  );
}

function collectQuotaLosses(tables: IndexedTables, rows: readonly Row[]): readonly Loss[] {
  const rules = new Map<number, string[]>();
  for (const row of rows)
    for (const { rule } of row.quotas) rules.set(rule, [...(rules.get(rule) ?? []), placeName(row)]);
  return [...rules].map(([rule, places]) =>
    createLoss("quota-not-counted", `Nothing counts '${tables.rules[rule]?.words ?? ""}'.`, listPlaces(places), rule),
  );
}

function collectTimeoutLosses(rows: readonly Row[]): readonly Loss[] {
  const found = rows.filter(({ timeouts }) => timeouts.callMs > 0 || timeouts.turnMs > 0 || timeouts.loginMs > 0);
  return found.length === 0
    ? []
    : [createLoss("time-not-kept", "No call, turn or login ends by the clock.", listPlaces(found.map(placeName)))];
}

function collectIdleLosses(rows: readonly Row[]): readonly Loss[] {
  const found = rows.filter(({ timeouts }) => timeouts.idleMs > 0);
  return found.length === 0
    ? []
    : [createLoss("time-not-kept", "No session locks after the page's idle time.", listPlaces(found.map(placeName)))];
}

function collectEntryLosses(tables: IndexedTables, rows: readonly Row[]): readonly Loss[] {
  const inner = rows.filter(({ task, phase, worker }) => task !== "" || phase !== "" || worker !== "");
  const remembering = rows.filter(({ remember }) => remember !== "none");
  return [
    ...(remembering.length === 0
      ? []
      : [
          createLoss(
            "consent-not-remembered",
            "Whoever consented is asked again.",
            listPlaces(remembering.map(placeName)),
          ),
        ]),
    ...(inner.length === 0
      ? []
      : [
          createLoss(
            "passage-not-kept",
            "Who begins a task, enters a phase or starts a worker is not asked, and phases do not go forward only.",
            listPlaces(inner.map(placeName)),
          ),
        ]),
    ...(tables.ingresses.length === 0
      ? []
      : [createLoss("passage-not-kept", "Nothing begins a conversation by what comes in from outside.")]),
  ];
}

function collectGeneralLosses(rows: readonly Row[]): readonly Loss[] {
  const places = listPlaces(rows.map(placeName));
  return [
    createLoss(
      "model-not-chosen",
      "Which model answers, behind which gate, and what it may hear is not decided.",
      places,
    ),
    createLoss("people-not-known", "Who may open the session, and whose signature counts, is not known.", places),
    createLoss(
      "machine-not-made",
      "Jails, grants, addresses, sealed credentials, the audit and the disk are the image's alone.",
    ),
  ];
}

function listPlaces(places: readonly string[]): Loss["at"] {
  return places.map((place) => ({ place, tools: [] }));
}
