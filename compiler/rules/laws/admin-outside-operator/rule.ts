import { type BoundLine, type BoundPattern, isWithin } from "../../../phases/bind/index.ts";
import { getOutcomes, getSessionKind, reachOf } from "../../../phases/policy/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import { defineLaw, type Page } from "../../support/law.ts";
import { collectLayers, findAnswersAround, type OwnLayer } from "../../support/own-layers.ts";
import { adminOutsideOperator } from "./codes.ts";

/**
 * Checks ruling 7. In sessions of other kinds than `operator`, reports lines that let only admin tools run. Lines such
 * as `auto *` are not reported, because the compiler forbids the admin tools that they cover.
 */
export const rule = defineLaw({
  reports: [adminOutsideOperator],
  check: (page, report) => {
    for (const layer of collectLayers(page.model)) {
      const kind = getSessionKind(layer.session)?.name;
      if (kind === undefined || kind === "operator") continue;
      const isSession = layer.kind === "session";
      const wanted = layer.said.lines.filter(canLetRun).flatMap(({ patterns }) => patterns.filter(isAboutAdminOnly));
      for (const { tools, span } of isSession ? wanted : findStillForbidden(page, layer, wanted)) {
        report(adminOutsideOperator.at(span, { tool: tools[0]?.name ?? "", kind, widens: isSession }));
      }
    }
  },
});

function canLetRun(line: BoundLine): boolean {
  return reachOf([getOutcomes(line)]).loosest !== "forbidden";
}

function isAboutAdminOnly({ tools }: BoundPattern): boolean {
  return tools.length > 0 && tools.every(({ method }) => isWithin(method.category, "admin"));
}

/**
 * Returns those of the patterns that cover several methods and that no widening of the session names. If the session
 * widens a pattern, a task, a phase or a worker may narrow it. Another law checks patterns of single methods.
 */
function findStillForbidden(page: Page, layer: OwnLayer, wanted: readonly BoundPattern[]): readonly BoundPattern[] {
  const broad = wanted.filter(({ exact }) => !exact);
  if (broad.length === 0) return [];
  const around = createAnswerLookup(page.model, findAnswersAround(page, layer));
  return broad.filter(({ tools }) => tools.every((tool) => around(tool)?.widened !== true));
}
