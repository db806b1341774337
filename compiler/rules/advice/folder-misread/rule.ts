import { defineLaw, findConditionalLines } from "../../support/index.ts";
import { folderMisread } from "./codes.ts";
import { findMisread } from "./misread.ts";

/** Reports folders in `under` conditions of the page that people may misread, such as a folder with a wildcard. */
export const rule = defineLaw({
  reports: [folderMisread],
  check: ({ model, trees }, report) => {
    const own = new Set(trees.map(({ source }) => source));
    for (const check of findConditionalLines(model).flatMap(({ checks }) => checks)) {
      const { test } = check.node;
      if (test.kind !== "under" || check.term === "domain" || !own.has(test.root.span.source)) continue;
      const misread = findMisread(test.root.value);
      if (misread === undefined) continue;
      report(folderMisread.at(test.root.span, { folder: JSON.stringify(test.root.value), ...misread }));
    }
  },
});
