import type { BoundFloor, BoundWhen, Lattice, Session } from "../../../bind/index.ts";
import { type Answer, clearanceLabel, clearanceOf, isLooser, reachOf } from "../../../policy/index.ts";
import { answersIn, isCovered } from "../../answers.ts";
import { defineLaw, type Page, type Report } from "../../law.ts";
import { floorChangesNothing, floorNeverReached } from "./codes.ts";

/** Ruling 18, for `when`. What others build upon is left alone: a floor may matter to a widening further down. */
export const rule = defineLaw({
  reports: [floorChangesNothing, floorNeverReached],
  check: (page, report) => {
    const { model } = page;
    const builtUpon = new Set(model.sessions.map(({ base }) => base));
    for (const session of model.sessions) {
      if (!session.own || session.abstract || session.damaged || builtUpon.has(session)) continue;
      const said = new Set<BoundWhen["node"]>();
      for (const floor of session.floors) {
        const { node } = floor.when;
        const what = neverHeld(model.lattice, session, floor.when);
        if (what === undefined) checkMode(page, session, floor, report);
        else if (!said.has(node))
          report(floorNeverReached.at(node.met[0]?.span ?? node.span, { session: session.id, what }));
        said.add(node);
      }
    }
  },
});

function neverHeld(lattice: Lattice, session: Session, when: BoundWhen): string | undefined {
  const cleared = clearanceLabel(clearanceOf(session));
  if (when.confidentialityAtLeast > cleared.confidentiality) {
    return `what is \`${lattice.confidentiality[when.confidentialityAtLeast]}\``;
  }
  const beyond = lattice.compartments.find(
    (_, index) => ((when.compartments & ~cleared.compartments) >> BigInt(index)) & 1n,
  );
  return beyond === undefined ? undefined : `what belongs to \`${beyond}\``;
}

function checkMode(page: Page, session: Session, { mode, patterns }: BoundFloor, report: Report): void {
  const answerOf = answersIn(page, session);
  for (const { tools, span } of patterns) {
    if (tools.length === 0 || tools.some((tool) => raises(answerOf(tool), mode))) continue;
    const pattern = span.source.text.slice(span.start, span.end);
    report(floorChangesNothing.at(span, { pattern, mode }));
  }
}

function raises(answer: Answer | undefined, mode: BoundFloor["mode"]): boolean {
  return isCovered(answer) && isLooser(reachOf(answer.clauses).loosest, mode);
}
