// What an engine that answers one question at a time leaves to whoever asks it.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { seenAbove, unkeptBounds } from "./bounds.ts";
import { cellsOf, placesOf } from "./cells.ts";
import { type Loss, lossOf } from "./loss.ts";

export function askerBounds(tables: IndexedTables): readonly Loss[] {
  const cells = cellsOf(tables);
  const gated = cells.filter(({ list, releases }) =>
    [
      ...list.clauses.flatMap(({ met, otherwise }) => [met, otherwise]),
      ...list.floors.map(({ mode }) => mode),
      ...releases.map(({ gate }) => gate),
    ].some((mode) => mode === "consent" || mode === "stepUp"),
  );
  const above = seenAbove(cells);
  return [
    ...(gated.length === 0
      ? []
      : [
          lossOf(
            "gate-not-kept",
            "Whoever asks has to ask the person, show a call that needs a release in full, check the signature, and take no answer for two calls.",
            placesOf(gated),
          ),
        ]),
    lossOf("label-not-kept", "Whoever asks has to join the label of every result into the conversation's."),
    ...(above.length === 0
      ? []
      : [lossOf("result-not-withheld", "A result above the session's clearance is not withheld.", placesOf(above))]),
    lossOf("arguments-not-checked", "Whoever asks has to hold arguments against the tool's schema first."),
    ...unkeptBounds(tables, tables.rows),
  ];
}
