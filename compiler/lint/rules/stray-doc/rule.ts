import { defineLaw } from "../../../check/index.ts";
import { strayDoc } from "./codes.ts";

export const rule = defineLaw({
  reports: [strayDoc],
  check: ({ trees }, report) => {
    for (const at of trees.flatMap((tree) => tree.strayDocs)) report(strayDoc.at(at, {}));
  },
});
