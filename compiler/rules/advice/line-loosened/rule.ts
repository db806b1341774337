import { defineLaw, findLoosenedLines } from "../../support/index.ts";
import { lineLoosened } from "./codes.ts";
import { reportLoosening } from "./finding.ts";

/** Reports the preceding line, where an exception is written and silenced. */
export const rule = defineLaw({
  reports: [lineLoosened],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const loosened of findLoosenedLines(page)) report(reportLoosening(loosened));
  },
});
