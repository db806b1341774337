import type { Item } from "../../../../lang/tree/index.ts";
import { listItems } from "../../../phases/bind/index.ts";
import { defineLaw } from "../../support/index.ts";
import { docMissing } from "./codes.ts";

/**
 * Kinds of declarations whose names people see when the image runs. Levels, principals and settings need no further
 * explanation.
 */
const MET: ReadonlySet<Item["kind"]> = new Set([
  "system",
  "category",
  "service",
  "session",
  "task",
  "worker",
  "ingress",
]);

export const rule = defineLaw({
  reports: [docMissing],
  check: ({ trees }, report) => {
    for (const item of trees.flatMap(listItems)) {
      if (!MET.has(item.kind) || !("doc" in item) || item.doc !== "" || item.damaged) continue;
      report(docMissing.at(item.name.span, { what: item.kind, name: item.name.text }));
    }
  },
});
