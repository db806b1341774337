// Modes of a tool, and how rules about places divide them.

/** Modes from loosest to strictest. Settings of other agents have no signatures, so `stepUp` does not occur. */
const STRICTNESS = ["auto", "consent", "forbidden"] as const;
export type Mode = (typeof STRICTNESS)[number];

export function isStricter(one: Mode, other: Mode): boolean {
  return STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other);
}

export function pickStricter(one: Mode, other: Mode): Mode {
  return isStricter(other, one) ? other : one;
}

/** A rule about some of the calls of a tool. */
export interface Line<Place> {
  readonly mode: Mode;
  readonly place: Place;
}

/** The decisions about one tool: the strictest line that covers a call decides, or `base` if no line covers it. */
export interface Stance<Place> {
  readonly base: Mode;
  readonly lines: readonly Line<Place>[];
}

/** Returns the stance for a tool that no rule divides. */
export function createStance(base: Mode): Stance<never> {
  return { base, lines: [] };
}

/** Returns the stance in which each decision is at least `mode`. */
export function tightenStance<Place>({ base, lines }: Stance<Place>, mode: Mode): Stance<Place> {
  return {
    base: pickStricter(base, mode),
    lines: lines.map((line) => ({ ...line, mode: pickStricter(line.mode, mode) })),
  };
}
