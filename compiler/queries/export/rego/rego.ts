// A page for Open Policy Agent: one module in Rego for all pages, and the page's tables as data beside it.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import { askerBounds } from "../asker.ts";
import { cellsOf, placesOf } from "../cells.ts";
import { inReportOrder, type Loss, lossOf } from "../loss.ts";
import type { Exported } from "../target.ts";
import { regoTables } from "./tables.ts";

/** What `opa build` is asked for, and `opa eval` too. */
export const ENTRYPOINT = "capc/answer";

const MODULE = fileURLToPath(new URL("./decision.rego", import.meta.url));

export function regoModule(): string {
  return readFileSync(MODULE, "utf8");
}

export function exportRego(tables: IndexedTables): Exported {
  const data = { tables: regoTables(tables) };
  return {
    files: [
      { name: "policy.rego", text: regoModule() },
      { name: "data.json", text: `${JSON.stringify(data, undefined, 2)}\n` },
    ],
    losses: inReportOrder([...inPart(tables), ...askerBounds(tables)]),
  };
}

/** Of URLs Rego sees no more than how they begin. */
function inPart(tables: IndexedTables): readonly Loss[] {
  const cells = cellsOf(tables);
  return tables.rules.flatMap((_, rule) => {
    const found = cells.filter(({ list }) =>
      list.clauses.some((clause) => clause.rule === rule && clause.conditions.some(({ term }) => term === "origin")),
    );
    return found.length === 0 ? [] : [lossOf("condition-in-part", WHAT, placesOf(found), rule)];
  });
}

const WHAT =
  "URLs whose host is not plain (addresses in numbers, user names, other scripts) take the line's strictest mode.";
