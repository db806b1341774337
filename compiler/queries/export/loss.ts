// Defines losses, which are the parts of a page that a target cannot express. Codes are for programs, and never change
// their meaning.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";

/**
 * `stricter`: the export refuses a call that the page would allow, or requires a stricter gate. `unheld`: the target
 * does not enforce a bound of the page, so the user of the export must enforce it.
 */
type LossEffect = "stricter" | "unheld";

export interface Loss {
  readonly code: LossCode;
  readonly effect: LossEffect;
  /** Whether the loss occurs for every page. */
  readonly isGeneral: boolean;
  /** One sentence. */
  readonly what: string;
  /**
   * Affected places of the page, each with the affected tools. A place without tools is affected as a whole. An empty
   * list means the whole page.
   */
  readonly at: readonly { readonly place: string; readonly tools: readonly string[] }[];
  /** Index into the tables' rules, if a line of the page is lost. */
  readonly rule?: number;
}

interface LossKind {
  readonly effect: LossEffect;
  /** Set if the loss occurs for every page, so it concerns no line of a page. */
  readonly isGeneral?: true;
}

const STRICTER: LossKind = { effect: "stricter" };
const UNHELD: LossKind = { effect: "unheld" };
const GENERAL: LossKind = { effect: "unheld", isGeneral: true };

/**
 * Losses in the order of a report: first losses that make the export stricter, then bounds that the export does not
 * enforce.
 */
export const LOSSES = {
  "condition-not-spelled": STRICTER,
  "condition-in-part": STRICTER,
  "step-up-denied": STRICTER,
  "flow-denied": STRICTER,
  "floor-always": STRICTER,
  "result-denied": STRICTER,
  "attendance-always": STRICTER,
  "name-not-sayable": STRICTER,
  "place-left-out": STRICTER,
  "consent-not-remembered": STRICTER,
  "result-not-withheld": UNHELD,
  "result-not-masked": UNHELD,
  "prompt-not-masked": UNHELD,
  "log-not-limited": UNHELD,
  "quota-not-counted": UNHELD,
  "time-not-kept": UNHELD,
  "passage-not-kept": UNHELD,
  "gate-not-kept": GENERAL,
  "label-not-kept": GENERAL,
  "arguments-not-checked": GENERAL,
  "model-not-chosen": GENERAL,
  "people-not-known": GENERAL,
  "other-settings": GENERAL,
  "own-tools": GENERAL,
  "servers-not-named": GENERAL,
  "machine-not-made": GENERAL,
} as const satisfies Record<string, LossKind>;

export type LossCode = keyof typeof LOSSES;

/** Returns a loss about the whole page, or about the places in `at`. */
export function createLoss(code: LossCode, what: string, at: Loss["at"] = [], rule?: number): Loss {
  const kind = LOSSES[code];
  return {
    code,
    effect: kind.effect,
    isGeneral: kind.isGeneral === true,
    what,
    at,
    ...(rule === undefined ? {} : { rule }),
  };
}

/** Returns the words and the place of the lost line, if a line is lost. */
export function findLossLine({ rule }: Loss, { rules }: IndexedTables): { words: string; place: string } | undefined {
  const said = rule === undefined ? undefined : rules[rule];
  return said && { words: said.words, place: said.place };
}

/** Sorts losses into the order of a report. Losses with the same code keep their order. */
export function sortLosses(losses: readonly Loss[]): readonly Loss[] {
  const codes: readonly string[] = Object.keys(LOSSES);
  return codes.flatMap((code) => losses.filter((loss) => loss.code === code));
}
