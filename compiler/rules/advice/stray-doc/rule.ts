import { makeSpan } from "../../../../lang/text/index.ts";
import { defineLaw } from "../../support/index.ts";
import { strayDoc } from "./codes.ts";

/** As a plain comment it says the same to whoever reads the page, and nobody else was going to read it. */
export const rule = defineLaw({
  reports: [strayDoc],
  check: ({ trees }, report) => {
    for (const at of trees.flatMap((tree) => tree.strayDocs)) {
      const slashes = makeSpan(at.source, at.start, at.start + 3);
      report(strayDoc.at(at, {}, { fix: { span: slashes, replacement: "//" } }));
    }
  },
});
