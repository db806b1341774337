import { labelText } from "../../../../lang/format/index.ts";
import type { BoundLabel, Session } from "../../../phases/bind/index.ts";
import { clearanceOf, isLooser, modelsOf, startsOf } from "../../../phases/policy/index.ts";
import { isBelow } from "../../support/labels.ts";
import type { Wider } from "./wider.ts";

/** Clearance, starting label and backends. */
export function widerLabels(session: Session, base: Session): Wider[] {
  return [...clearance(session, base), ...starts(session, base), ...models(session, base)];
}

function clearance({ clearance: own }: Session, base: Session): Wider[] {
  if (own === undefined) return [];
  const parent = clearanceOf(base);
  const inside = isBelow(own, parent) && (parent?.integrity ?? 0) <= (own.integrity ?? 0);
  return inside ? [] : [{ at: own.node.span, what: "the clearance", has: said(parent) }];
}

/** A conversation that starts lower than the parent's would forget what the parent says it brings. */
function starts({ starts: own }: Session, base: Session): Wider[] {
  const parent = startsOf(base);
  if (own === undefined || parent === undefined) return [];
  const asTrusted = (own.integrity ?? 0) <= (parent.integrity ?? 0) || own.integrity === undefined;
  return isBelow(parent, own) && asTrusted
    ? []
    : [{ at: own.node.span, what: "the label at the start", has: said(parent) }];
}

function models({ models: own }: Session, base: Session): Wider[] {
  const parents = new Map(modelsOf(base).map((choice) => [choice.backend, choice]));
  return (own ?? []).flatMap(({ backend, mode, span }) => {
    const parent = parents.get(backend);
    const what = `\`${mode}\` for the backend \`${backend.name}\``;
    if (parent === undefined) return [{ at: span, what, has: "no such backend" }];
    return isLooser(mode, parent.mode) ? [{ at: span, what, has: `\`${parent.mode}\`` }] : [];
  });
}

function said(label: BoundLabel | undefined): string {
  return label === undefined ? "the lowest one" : `\`${labelText(label.node)}\``;
}
