import { defineLaw, findLoosenedLines } from "../../support/index.ts";
import { lineLoosened } from "./codes.ts";
import { reportLoosening } from "./finding.ts";

/**
 * Reports looser lines that take precedence over stricter lines. The position is the looser line, where the author can
 * silence the advice.
 */
export const rule = defineLaw({
  reports: [lineLoosened],
  check: (page, report) => {
    if (page.model.damaged) return;
    for (const loosened of findLoosenedLines(page)) report(reportLoosening(loosened));
  },
});
