import { defineLaw } from "../../support/law.ts";
import { listWords } from "../../support/nodes.ts";
import { isWithoutWords } from "../../support/reasons.ts";
import { reasonEmpty } from "./codes.ts";

/** Checks ruling 6. Reports reasons without a word. The grammar refuses a missing reason. */
export const rule = defineLaw({
  reports: [reasonEmpty],
  check: ({ trees }, report) => {
    for (const { role, node: words } of trees.flatMap(listWords)) {
      if (role === "because" && isWithoutWords(words.value)) report(reasonEmpty.at(words.span, {}));
    }
  },
});
