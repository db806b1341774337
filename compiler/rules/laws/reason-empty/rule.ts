import { defineLaw } from "../../support/law.ts";
import { wordsIn } from "../../support/nodes.ts";
import { saysNothing } from "../../support/reasons.ts";
import { reasonEmpty } from "./codes.ts";

/** Ruling 6. That a reason is missing altogether is a matter of the grammar. */
export const rule = defineLaw({
  reports: [reasonEmpty],
  check: ({ trees }, report) => {
    for (const { role, node: words } of trees.flatMap(wordsIn)) {
      if (role === "because" && saysNothing(words.value)) report(reasonEmpty.at(words.span, {}));
    }
  },
});
