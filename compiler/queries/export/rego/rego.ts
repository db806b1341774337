// Exports a page to Open Policy Agent: one module in Rego for all pages, and the page's tables as data.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import { listLines } from "../../../../engine/lib/policy/index.ts";
import { collectAskerLosses } from "../asker.ts";
import { collectCells, groupByPlace } from "../cells.ts";
import { createLoss, type Loss, sortLosses } from "../loss.ts";
import type { ExportResult } from "../target.ts";
import { canBeTold, createRegoTables } from "./tables.ts";

/** Entry point for `opa build` and `opa eval`. */
export const ENTRYPOINT = "capc/answer";

const MODULE = fileURLToPath(new URL("./decision.rego", import.meta.url));

export function readRegoModule(): string {
  return readFileSync(MODULE, "utf8");
}

export function exportRego(tables: IndexedTables): ExportResult {
  const data = { tables: createRegoTables(tables) };
  return {
    files: [
      { name: "policy.rego", text: readRegoModule() },
      { name: "data.json", text: `${JSON.stringify(data, undefined, 2)}\n` },
    ],
    losses: sortLosses([
      ...collectUntoldLosses(tables),
      ...collectPartialLosses(tables),
      ...collectAskerLosses(tables),
    ]),
  };
}

/**
 * Returns the losses from conditions that the module cannot evaluate. Lines with such conditions get their strictest
 * mode.
 */
function collectUntoldLosses(tables: IndexedTables): readonly Loss[] {
  const cells = collectCells(tables);
  return tables.rules.flatMap((_, rule) => {
    const found = cells.filter(({ list }) =>
      listLines(list).some((line) => line.rule === rule && !line.conditions.every(canBeTold)),
    );
    return found.length === 0 ? [] : [createLoss("condition-not-spelled", UNTOLD, groupByPlace(found), rule)];
  });
}

/**
 * Returns the losses from conditions on origins. They are losses, because the module compares only the beginning of a
 * URL.
 */
function collectPartialLosses(tables: IndexedTables): readonly Loss[] {
  const cells = collectCells(tables);
  return tables.rules.flatMap((_, rule) => {
    const found = cells.filter(({ list }) =>
      listLines(list).some((line) => line.rule === rule && line.conditions.some(({ term }) => term === "origin")),
    );
    return found.length === 0 ? [] : [createLoss("condition-in-part", WHAT, groupByPlace(found), rule)];
  });
}

const UNTOLD = "The module cannot evaluate this condition: its line always takes the strictest mode.";

const WHAT =
  "URLs whose host is not plain (addresses in numbers, user names, other scripts) take the line's strictest mode.";
