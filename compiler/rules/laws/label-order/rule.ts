import { renderLabel } from "../../../../lang/format/index.ts";
import type { BoundLabel, BoundRange, Model } from "../../../phases/bind/index.ts";
import { getClearance, getStartLabel } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw } from "../../support/law.ts";
import { labelOutOfOrder, startsAboveClearance } from "./codes.ts";

/**
 * Checks ruling 10: the second label of a range is not below the first, and no conversation starts above the clearance
 * of its session.
 */
export const rule = defineLaw({
  reports: [labelOutOfOrder, startsAboveClearance],
  check: ({ model }, report) => {
    for (const { low, high } of collectRanges(model)) {
      if (isBelow(low, high) && isAsTrusted(low, high)) continue;
      report(labelOutOfOrder.at(high.node.span, { low: renderLabel(low.node), high: renderLabel(high.node) }));
    }
    if (model.damaged) return;
    for (const session of model.sessions.filter(({ own, damaged }) => own && !damaged)) {
      const starts = getStartLabel(session);
      if (starts === undefined || isBelow(starts, getClearance(session))) continue;
      report(startsAboveClearance.at(starts.node.span, { starts: renderLabel(starts.node) }));
    }
  },
});

function collectRanges(model: Model): BoundRange[] {
  const methods = model.interfaces.flatMap((face) => [...face.methods.values()]);
  return [...model.services.map(({ label }) => label), ...methods.map(({ returns }) => returns)].flatMap(
    (range) => range ?? [],
  );
}

/**
 * Returns whether the integrities of a range are in order: the second label may be less trusted than the first, but not
 * more.
 */
function isAsTrusted(low: BoundLabel, high: BoundLabel): boolean {
  return high.integrity === undefined || low.integrity === undefined || low.integrity >= high.integrity;
}
