import { makeSpan } from "../../../../lang/text/index.ts";
import { defineLaw } from "../../support/index.ts";
import { strayDoc } from "./codes.ts";

/**
 * Reports doc comments that have no declaration. A plain comment is as useful to readers, and no program reads a doc comment without a
 * declaration.
 */
export const rule = defineLaw({
  reports: [strayDoc],
  check: ({ trees }, report) => {
    for (const at of trees.flatMap((tree) => tree.strayDocs)) {
      const slashes = makeSpan(at.source, at.start, at.start + 3);
      report(strayDoc.at(at, {}, { fix: { span: slashes, replacement: "//" } }));
    }
  },
});
