import type { Mode } from "../../lang/tree/index.ts";
import type { BoundLine } from "../bind/index.ts";

const ORDER = { auto: 0, consent: 1, stepUp: 2, forbidden: 3 } as const satisfies Record<Mode, number>;

export function isLooser(left: Mode, right: Mode): boolean {
  return ORDER[left] < ORDER[right];
}

export function strictest(modes: readonly Mode[]): Mode {
  return modes.reduce((worst, mode) => (isLooser(worst, mode) ? mode : worst), "auto");
}

export function loosest(modes: readonly Mode[]): Mode {
  return modes.reduce((best, mode) => (isLooser(mode, best) ? mode : best), "forbidden");
}

/** The loosest and the strictest that an answer can come to, whatever the arguments are. */
export interface Reach {
  readonly loosest: Mode;
  readonly strictest: Mode;
}

/** Of clauses that hold together: each takes its best or its worst, and the strictest of them decides. */
export function reachOf(clauses: readonly Outcomes[]): Reach {
  return {
    loosest: strictest(clauses.map((clause) => loosest(outcomesOf(clause)))),
    strictest: strictest(clauses.map((clause) => strictest(outcomesOf(clause)))),
  };
}

export interface Outcomes {
  readonly met: Mode;
  /** The mode where the conditions fail; undefined where there are none. */
  readonly otherwise: Mode | undefined;
}

export function outcomesOf({ met, otherwise }: Outcomes): Mode[] {
  return otherwise === undefined ? [met] : [met, otherwise];
}

export function outcomesOfLine(line: BoundLine): Outcomes {
  return { met: line.mode, otherwise: line.where?.otherwise };
}

/** True where some arguments get a looser answer from the first than any they could get from the second. */
export function reachesLooser(first: Reach, second: Reach): boolean {
  return isLooser(first.loosest, second.loosest) || isLooser(first.strictest, second.strictest);
}
