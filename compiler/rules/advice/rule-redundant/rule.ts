import { getText } from "../../../../lang/text/index.ts";
import { type BoundLine, EVERYTHING, type Session } from "../../../phases/bind/index.ts";
import { findDecidedKeys } from "../../../phases/policy/index.ts";
import { collectLayers, defineLaw, findDefensive } from "../../support/index.ts";
import { ruleRedundant } from "./codes.ts";

/**
 * Reports redundant rules, which ruling 18 does not forbid. A rule is redundant if it repeats another rule, or if more
 * specific rules decide about all of its tools.
 */
export const rule = defineLaw({
  reports: [ruleRedundant],
  check: ({ model }, report) => {
    for (const session of model.sessions.filter(({ own, lines }) => own && lines.length > 0)) {
      const decided = findDecidedKeys(model, session);
      for (const pattern of session.lines.flatMap((line) => line.patterns)) {
        const broad = pattern.category !== undefined || pattern.key === EVERYTHING;
        if (!broad || pattern.tools.length === 0 || decided.has(pattern.key)) continue;
        const why = "more specific rules cover all of its tools";
        report(ruleRedundant.at(pattern.span, { pattern: getText(pattern.span), why }));
      }
      for (const { node, words } of findDuplicates(session)) {
        report(ruleRedundant.at(node.span, { pattern: words, why: "an equal rule is above" }));
      }
    }
    if (model.damaged) return;
    for (const { span } of collectLayers(model).flatMap(({ said }) => findDefensive(said))) {
      report(ruleRedundant.at(span, { pattern: getText(span), why: "no tool of this page has the category" }));
    }
  },
});

function findDuplicates({ lines }: Session): BoundLine[] {
  const seen = new Set<string>();
  return lines.filter(({ words }) => seen.size === seen.add(words).size);
}
