import { renderLabel } from "../../../../lang/format/index.ts";
import type { BoundLabel, Session } from "../../../phases/bind/index.ts";
import { getClearance, getModels, getStartLabel, isLooser } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import type { ParentWidening } from "./parent-widenings.ts";

/**
 * Compares the clearance, the starting label and the backends with those of the base session, and returns those that
 * are wider.
 */
export function findWiderLabels(session: Session, base: Session): ParentWidening[] {
  return [...findWiderClearance(session, base), ...findLowerStart(session, base), ...findWiderModels(session, base)];
}

function findWiderClearance({ clearance: own }: Session, base: Session): ParentWidening[] {
  if (own === undefined) return [];
  const parent = getClearance(base);
  const inside = isBelow(own, parent) && (parent?.integrity ?? 0) <= (own.integrity ?? 0);
  return inside ? [] : [{ at: own.node.span, what: "the clearance", has: describeLabel(parent) }];
}

/**
 * Returns the starting label if it is below that of the parent. Conversations would then have a lower label than the
 * parent declares for their data.
 */
function findLowerStart({ starts: own }: Session, base: Session): ParentWidening[] {
  const parent = getStartLabel(base);
  if (own === undefined || parent === undefined) return [];
  const asTrusted = (own.integrity ?? 0) <= (parent.integrity ?? 0) || own.integrity === undefined;
  return isBelow(parent, own) && asTrusted
    ? []
    : [{ at: own.node.span, what: "the label at the start", has: describeLabel(parent) }];
}

function findWiderModels({ models: own }: Session, base: Session): ParentWidening[] {
  const parents = new Map(getModels(base).map((choice) => [choice.backend, choice]));
  return (own ?? []).flatMap(({ backend, mode, span }) => {
    const parent = parents.get(backend);
    const what = `\`${mode}\` for the backend \`${backend.name}\``;
    if (parent === undefined) return [{ at: span, what, has: "no such backend" }];
    return isLooser(mode, parent.mode) ? [{ at: span, what, has: `\`${parent.mode}\`` }] : [];
  });
}

function describeLabel(label: BoundLabel | undefined): string {
  return label === undefined ? "the lowest one" : `\`${renderLabel(label.node)}\``;
}
