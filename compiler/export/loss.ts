// What a target cannot hold of a page. Codes are for programs, and keep their meaning for ever.

import type { IndexedTables } from "../../engine/policy/index.ts";

/**
 * stricter: the export refuses, or asks for more, where the page would let a call through.
 * unheld: a bound of the page that the target does not keep; whoever runs the export has to.
 */
export type LossEffect = "stricter" | "unheld";

export interface Loss {
  readonly code: LossCode;
  readonly effect: LossEffect;
  /** The target lacks it whatever stands on a page. */
  readonly isGeneral: boolean;
  /** One sentence. */
  readonly what: string;
  /** Places of the page, each with the tools that it is about; a place without tools is meant as a whole, none: all of it. */
  readonly at: readonly { readonly place: string; readonly tools: readonly string[] }[];
  /** Index into the tables' rules, where a line of the page is lost. */
  readonly rule?: number;
}

interface LossKind {
  readonly effect: LossEffect;
  /** The target lacks it whatever stands on a page: no line of this one is lost. */
  readonly isGeneral?: true;
}

/** In the order of a report: first what is stricter than the page, then what is not held. */
export const LOSSES = {
  "condition-not-spelled": { effect: "stricter" },
  "condition-in-part": { effect: "stricter" },
  "step-up-denied": { effect: "stricter" },
  "flow-denied": { effect: "stricter" },
  "floor-always": { effect: "stricter" },
  "result-denied": { effect: "stricter" },
  "attendance-always": { effect: "stricter" },
  "name-not-sayable": { effect: "stricter" },
  "place-left-out": { effect: "stricter" },
  "consent-not-remembered": { effect: "stricter" },
  "result-not-withheld": { effect: "unheld" },
  "result-not-masked": { effect: "unheld" },
  "quota-not-counted": { effect: "unheld" },
  "time-not-kept": { effect: "unheld" },
  "passage-not-kept": { effect: "unheld" },
  "gate-not-kept": { effect: "unheld", isGeneral: true },
  "label-not-kept": { effect: "unheld", isGeneral: true },
  "arguments-not-checked": { effect: "unheld", isGeneral: true },
  "model-not-chosen": { effect: "unheld", isGeneral: true },
  "people-not-known": { effect: "unheld", isGeneral: true },
  "other-settings": { effect: "unheld", isGeneral: true },
  "own-tools": { effect: "unheld", isGeneral: true },
  "servers-not-named": { effect: "unheld", isGeneral: true },
  "machine-not-made": { effect: "unheld", isGeneral: true },
} as const satisfies Record<string, LossKind>;

export type LossCode = keyof typeof LOSSES;

/** A loss about the whole page, or about these places. */
export function lossOf(code: LossCode, what: string, at: Loss["at"] = [], rule?: number): Loss {
  const kind: LossKind = LOSSES[code];
  return {
    code,
    effect: kind.effect,
    isGeneral: kind.isGeneral === true,
    what,
    at,
    ...(rule === undefined ? {} : { rule }),
  };
}

/** The words and the place of the line that is lost. */
export function lineOfLoss({ rule }: Loss, { rules }: IndexedTables): { words: string; place: string } | undefined {
  const said = rule === undefined ? undefined : rules[rule];
  return said && { words: said.words, place: said.place };
}

/** In the order of a report; what stands in one order already stays in it. */
export function inReportOrder(losses: readonly Loss[]): readonly Loss[] {
  const codes: readonly string[] = Object.keys(LOSSES);
  return codes.flatMap((code) => losses.filter((loss) => loss.code === code));
}
