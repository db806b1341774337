import { listCompartments } from "../../../../engine/lib/policy/index.ts";
import { getText } from "../../../../lang/text/index.ts";
import type { BoundFloor, BoundWhen, Lattice, Session, Tool } from "../../../phases/bind/index.ts";
import {
  type Answer,
  getClearance,
  isCovered,
  isLooser,
  reachOf,
  resolveClearance,
} from "../../../phases/policy/index.ts";
import { createAnswerLookup } from "../../support/answers.ts";
import { defineLaw, type Page, type Report } from "../../support/law.ts";
import { collectLayers, computeAnswersWithin, type OwnLayer } from "../../support/own-layers.ts";
import { floorChangesNothing, floorNeverReached } from "./codes.ts";

/**
 * Reports `when` blocks without effect (ruling 18). A session that other sessions extend is not checked, because the
 * floor may affect a widening in one of these sessions.
 */
export const rule = defineLaw({
  reports: [floorChangesNothing, floorNeverReached],
  check: (page, report) => {
    if (page.model.damaged) return;
    const builtUpon = new Set(page.model.sessions.map(({ base }) => base));
    for (const layer of collectLayers(page.model)) {
      const { session, said, damaged } = layer;
      if (said.floors.length === 0 || session.abstract || damaged || builtUpon.has(session)) continue;
      checkLayer(page, layer, report);
    }
  },
});

function checkLayer(page: Page, layer: OwnLayer, report: Report): void {
  const { name, session, said } = layer;
  const answerOf = createAnswerLookup(page.model, computeAnswersWithin(page, layer));
  for (const floor of said.floors) {
    const what = explainNeverHeld(page.model.lattice, session, floor.when);
    if (what === undefined) checkMode(answerOf, floor, report);
    else {
      const { node } = floor.when;
      // If a block has several lines, it is reported only once.
      report(floorNeverReached.at(node.met[0]?.span ?? node.span, { layer: name, what }));
    }
  }
}

function explainNeverHeld(lattice: Lattice, session: Session, when: BoundWhen): string | undefined {
  const cleared = resolveClearance(getClearance(session));
  if (when.confidentialityAtLeast > cleared.confidentiality) {
    return `data at or above \`${lattice.confidentiality[when.confidentialityAtLeast]}\``;
  }
  const [beyond] = listCompartments(lattice, when.compartments & ~cleared.compartments);
  return beyond === undefined ? undefined : `data of the compartment \`${beyond}\``;
}

function checkMode(answerOf: (tool: Tool) => Answer | undefined, { mode, patterns }: BoundFloor, report: Report): void {
  for (const { tools, span } of patterns) {
    if (tools.length === 0 || tools.some((tool) => canRaise(answerOf(tool), mode))) continue;
    report(floorChangesNothing.at(span, { pattern: getText(span), mode }));
  }
}

function canRaise(answer: Answer | undefined, mode: BoundFloor["mode"]): boolean {
  return isCovered(answer) && isLooser(reachOf(answer.clauses).loosest, mode);
}
