import { makeSpan } from "../../../../lang/text/index.ts";
import { defineLaw } from "../../support/index.ts";
import { strayDoc } from "./codes.ts";

/**
 * Reports doc comments without a declaration after them. No program uses such a comment, and a plain comment gives
 * readers the same information.
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
