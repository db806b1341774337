import { labelText } from "../../../../lang/format/index.ts";
import type { BoundLabel, BoundRange, Model } from "../../../phases/bind/index.ts";
import { clearanceOf, startsOf } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import { defineLaw } from "../../support/law.ts";
import { labelOutOfOrder, startsAboveClearance } from "./codes.ts";

/** Ruling 10: ranges go up, and no conversation starts above its session. */
export const rule = defineLaw({
  reports: [labelOutOfOrder, startsAboveClearance],
  check: ({ model }, report) => {
    for (const { low, high } of rangesOf(model)) {
      if (isBelow(low, high) && isAsTrusted(low, high)) continue;
      report(labelOutOfOrder.at(high.node.span, { low: labelText(low.node), high: labelText(high.node) }));
    }
    if (model.damaged) return;
    for (const session of model.sessions.filter(({ own, damaged }) => own && !damaged)) {
      const starts = startsOf(session);
      if (starts === undefined || isBelow(starts, clearanceOf(session))) continue;
      report(startsAboveClearance.at(starts.node.span, { starts: labelText(starts.node) }));
    }
  },
});

function rangesOf(model: Model): BoundRange[] {
  const methods = model.interfaces.flatMap((face) => [...face.methods.values()]);
  return [...model.services.map(({ label }) => label), ...methods.map(({ returns }) => returns)].flatMap(
    (range) => range ?? [],
  );
}

/** The high end of a range may be trusted less, never more. */
function isAsTrusted(low: BoundLabel, high: BoundLabel): boolean {
  return high.integrity === undefined || low.integrity === undefined || low.integrity >= high.integrity;
}
