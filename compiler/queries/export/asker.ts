// Collects losses of engines that decide single requests. The program that asks such an engine must enforce the lost
// parts of a page itself.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { collectUnkeptBounds, findAboveClearance } from "./bounds.ts";
import { collectCells, groupByPlace } from "./cells.ts";
import { createLoss, type Loss } from "./loss.ts";

export function collectAskerLosses(tables: IndexedTables): readonly Loss[] {
  const cells = collectCells(tables);
  const gated = cells.filter(({ list, releases }) =>
    [
      ...list.clauses.flatMap(({ met, otherwise }) => [met, otherwise]),
      ...list.floors.map(({ mode }) => mode),
      ...releases.map(({ gate }) => gate),
    ].some((mode) => mode === "consent" || mode === "stepUp"),
  );
  const above = findAboveClearance(cells);
  return [
    ...(gated.length === 0
      ? []
      : [
          createLoss(
            "gate-not-kept",
            "Whoever asks has to ask the person, show a call that needs a release in full, check the signature, and take no answer for two calls.",
            groupByPlace(gated),
          ),
        ]),
    createLoss("label-not-kept", "Whoever asks has to join the label of every result into the conversation's."),
    ...(above.length === 0
      ? []
      : [
          createLoss(
            "result-not-withheld",
            "A result above the session's clearance is not withheld.",
            groupByPlace(above),
          ),
        ]),
    createLoss("arguments-not-checked", "Whoever asks has to hold arguments against the tool's schema first."),
    ...collectUnkeptBounds(tables, tables.rows),
  ];
}
