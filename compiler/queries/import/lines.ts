// Writes a stance, which contains the decisions about one tool, as rules of a `permit` block. Of the rules with one
// pattern, the strictest rule that matches decides, and `else` counts only if no rule matches. So each line of the
// stance becomes one rule, and `else` has the mode of all other calls.

import { isStricter } from "../../../engine/lib/policy/index.ts";
import { type AddressPlace, isAddressCovering, renderAddressPlace } from "./addresses.ts";
import { type FilePlace, isFilePlaceCovering, renderFilePlace } from "./file-places.ts";
import { type Line, type Mode, pickStricter, type Stance } from "./stance.ts";

/** Maximum number of rules for one tool. Nobody reads more rules, and the tables of a page have limits. */
const MOST_LINES = 60;

/** Functions that compare and write places of one kind, such as files. */
export interface PlaceForm<Place> {
  readonly isCovering: (one: Place, other: Place) => boolean;
  readonly render: (place: Place) => string;
}

/** How places of files, and places of addresses, are compared and written. */
export const FILES: PlaceForm<FilePlace> = { isCovering: isFilePlaceCovering, render: renderFilePlace };
export const ADDRESSES: PlaceForm<AddressPlace> = { isCovering: isAddressCovering, render: renderAddressPlace };

/**
 * Returns the decisions without the lines that have no effect. If more than `MOST_LINES` lines remain, the tool gets
 * its strictest mode for all calls.
 */
export function reduceStance<Place>(stance: Stance<Place>, { isCovering, render }: PlaceForm<Place>): Stance<Place> {
  const strictest = new Map<string, Line<Place>>();
  for (const line of stance.lines) {
    const key = render(line.place);
    const known = strictest.get(key);
    strictest.set(key, known === undefined ? line : { ...line, mode: pickStricter(known.mode, line.mode) });
  }
  const distinct = [...strictest.values()];
  if (distinct.length > MOST_LINES * 10) return { base: computeTightest(stance.base, distinct), lines: [] };
  const uncovered = distinct.filter(
    (line) =>
      !distinct.some(
        (other) => other !== line && !isStricter(line.mode, other.mode) && isCovering(other.place, line.place),
      ),
  );
  const isLoosened = uncovered.some(({ mode }) => isStricter(stance.base, mode));
  const lines = uncovered.filter(({ mode }) => isLoosened || mode !== stance.base);
  return lines.length > MOST_LINES
    ? { base: computeTightest(stance.base, lines), lines: [] }
    : { base: stance.base, lines };
}

function computeTightest(base: Stance<unknown>["base"], lines: readonly Line<unknown>[]): Stance<unknown>["base"] {
  return lines.reduce((tightest, { mode }) => pickStricter(tightest, mode), base);
}

/**
 * Renders the decisions about one tool or method (`pattern`) as rules of a page, after `reduceStance` has shortened
 * them. `write` returns the word of the page for a mode.
 */
export function renderLines<Place>(
  pattern: string,
  { base, lines }: Stance<Place>,
  { render }: PlaceForm<Place>,
  write: (mode: Mode) => string = (mode) => mode,
): readonly string[] {
  if (lines.length === 0) return [`${write(base)} ${pattern}`];
  return lines.map(({ mode, place }) => `${write(mode)} ${pattern} where ${render(place)} else ${write(base)}`);
}
