import { computeTopLabel } from "../../../../engine/lib/policy/index.ts";
import { renderLabel } from "../../../../lang/format/index.ts";
import type { BoundDigests, Model } from "../../../phases/bind/index.ts";
import { getResultRange, getStartLabel } from "../../../phases/policy/index.ts";
import { defineLaw, isBelow } from "../../support/index.ts";
import { auditWithoutEffect } from "./codes.ts";

/**
 * Reports `digests above LABEL` if no text of the page can have a label above LABEL, or if the machine has no audit
 * log.
 */
export const rule = defineLaw({
  reports: [auditWithoutEffect],
  check: ({ model }, report) => {
    const { audit, storage } = model;
    if (model.damaged || audit === undefined) return;
    if (storage === undefined) {
      const at = audit.digests?.line.above.span ?? audit.node.span;
      const instead = 'leave it out, or name a data disk: `storage { disk "NAME" }`';
      report(auditWithoutEffect.at(at, { fault: "without a data disk there is no log", instead }));
      return;
    }
    const { digests } = audit;
    if (digests === undefined) return;
    const at = digests.line.above.span;
    const label = renderLabel(digests.line.above);
    if (isBelow(computeTopLabel(model.lattice), digests.above))
      report(auditWithoutEffect.at(at, { fault: `no label is above ${label}`, instead: "write a lower label" }));
    else if (!canExceed(model, digests)) {
      const fault = `no conversation begins above ${label}, and no result is above it`;
      report(
        auditWithoutEffect.at(at, {
          fault,
          instead: "write a lower label, or label the services whose data it is about",
        }),
      );
    }
  },
});

/** Returns whether a conversation can have a label above the limit. */
function canExceed({ services, sessions }: Model, { above }: BoundDigests): boolean {
  const isAbove = services.some((service) =>
    [...service.interface.methods.values()].some((method) => !isBelow(getResultRange(service, method).high, above)),
  );
  return isAbove || sessions.some((session) => !isBelow(getStartLabel(session), above));
}
