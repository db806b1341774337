import { defineLaw, findLoosenedLines } from "../../support/index.ts";
import { lineLoosened } from "./codes.ts";
import { reportLoosening } from "./finding.ts";

/** Reports the rule that takes precedence, because that is where a person writes an exception and silences the advice. */
export const rule = defineLaw({
  reports: [lineLoosened],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const loosened of findLoosenedLines(page)) report(reportLoosening(loosened));
  },
});
