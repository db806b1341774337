import { getText } from "../../../../lang/text/index.ts";
import { defineLaw } from "../../support/law.ts";
import { collectLayers, findDefensive, listPatterns } from "../../support/own-layers.ts";
import { coversNothing } from "./codes.ts";

/**
 * Reports patterns that cover no tool (ruling 18). The function checks only the page itself: a profile of the standard
 * library may name tools that this page does not have.
 */
export const rule = defineLaw({
  reports: [coversNothing],
  check: ({ model }, report) => {
    // If a service is missing because of another error, lines about its tools are not reported.
    if (model.damaged) return;
    for (const { said, widenings } of collectLayers(model)) {
      const defensive = new Set(findDefensive(said));
      for (const pattern of listPatterns(said, widenings)) {
        const { tools, span } = pattern;
        if (tools.length === 0 && !defensive.has(pattern)) report(coversNothing.at(span, { pattern: getText(span) }));
      }
    }
  },
});
