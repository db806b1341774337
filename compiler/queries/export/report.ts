// Reports which parts of the page an export does not enforce, for a person and for a program.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { findLossLine, type Loss } from "./loss.ts";
import type { ExportResult, Target } from "./target.ts";

const WIDTH = 10;
const UNDER = " ".repeat(WIDTH);
/** Maximum number of places to name, and of tools in one place. */
const MOST_NAMED = 8;

/**
 * Returns the lines of the report about an export, without line ends. They contain untrusted text of pages, so the
 * caller must escape each line.
 */
export function reportLines(target: Target, { losses }: ExportResult, tables: IndexedTables): readonly string[] {
  const stricter = losses.filter(({ effect }) => effect === "stricter").length;
  const count = `${target}: ${stricter} stricter than the page, ${losses.length - stricter} not held by it`;
  return [...losses.flatMap((loss) => renderLoss(loss, tables)), count];
}

function renderLoss(loss: Loss, tables: IndexedTables): readonly string[] {
  const line = findLossLine(loss, tables);
  return [
    `${loss.effect.padEnd(WIDTH)}${loss.code}: ${loss.what}`,
    ...(line === undefined ? [] : [`${UNDER}${line.place}: ${line.words}`]),
    ...renderPlaces(loss).map((words) => `${UNDER}${words}`),
  ];
}

/**
 * Returns lines about places: one line for all places that are affected as a whole, and one line for each other place
 * with its tools.
 */
function renderPlaces({ at, isGeneral }: Loss): readonly string[] {
  const whole = at.filter(({ tools }) => tools.length === 0).map(({ place }) => place);
  const some = at.filter(({ tools }) => tools.length > 0).map(({ place, tools }) => `${place}: ${renderNames(tools)}`);
  const shown = some.slice(0, MOST_NAMED);
  const more = some.length > shown.length ? [`and in ${some.length - shown.length} more places`] : [];
  return [...(whole.length === 0 || isGeneral ? [] : [renderNames(whole)]), ...shown, ...more];
}

function renderNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}

/** Returns the report that `capc schema export` describes. The exported files themselves are not part of it. */
export function reportAsJson(
  target: Target,
  place: string | undefined,
  { losses }: ExportResult,
  tables: IndexedTables,
): object {
  return {
    target,
    system: tables.systemId,
    version: tables.version,
    place: place ?? null,
    losses: losses.map((loss) => {
      const { code, effect, isGeneral, what, at } = loss;
      return { code, effect, general: isGeneral, what, line: findLossLine(loss, tables) ?? null, at };
    }),
  };
}
