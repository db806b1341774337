// Defines the mode of a tool, and rules that give some of its calls another mode.

import { isStricter, type PermissionMode } from "../../../engine/lib/policy/index.ts";

/** Mode of a tool. Settings of other agents cannot require a signature, so `stepUp` does not occur. */
export type Mode = Exclude<PermissionMode, "stepUp">;

export function pickStricter<Each extends PermissionMode>(one: Each, other: Each): Each {
  return isStricter(other, one) ? other : one;
}

/** A rule about some of the calls of a tool. */
export interface Line<Place> {
  readonly mode: Mode;
  readonly place: Place;
}

/**
 * The decisions about one tool. The strictest line that covers a call decides; if no line covers it, `base` decides.
 */
export interface Stance<Place> {
  readonly base: Mode;
  readonly lines: readonly Line<Place>[];
}

/** Returns the stance in which all calls of the tool have the mode `base`. */
export function createStance(base: Mode): Stance<never> {
  return { base, lines: [] };
}

/** Returns the stance in which each decision is at least as strict as `mode`. */
export function tightenStance<Place>({ base, lines }: Stance<Place>, mode: Mode): Stance<Place> {
  return {
    base: pickStricter(base, mode),
    lines: lines.map((line) => ({ ...line, mode: pickStricter(line.mode, mode) })),
  };
}
