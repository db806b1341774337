import { defineLaw, findLoosenedLines } from "../../support/index.ts";
import { lineLoosened } from "./codes.ts";
import { reportLoosening } from "./finding.ts";

/**
 * Reports the line that takes precedence, because an author writes exceptions there and can silence the advice there.
 */
export const rule = defineLaw({
  reports: [lineLoosened],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const loosened of findLoosenedLines(page)) report(reportLoosening(loosened));
  },
});
