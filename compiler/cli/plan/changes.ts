// Renders the changes of a plan in few lines. Tools with the same change share a line, and a long condition is shown as on the page.

import { isRename } from "../../queries/diff/index.ts";
import type { ChangeReport, SideName } from "../diff/diff-report.ts";
import { callText, countLine, describeWidening, renderPart, renderRename, renderWhere } from "../diff/text.ts";
import { wrap } from "../wrapping.ts";
import { type Line, makeSection, WIDTH } from "./layout.ts";
import type { PlanReport } from "./plan-report.ts";

const MOST_CHANGES = 20;
/** Maximum number of lines of the page that are shown for one change. */
const MOST_LINES = 3;
/** Maximum characters of two decisions that are shown as in the tables; for longer ones the lines of the page are shown. */
const LONGEST_DECISIONS = 140;

/** Names that the text uses if changes are omitted, or if there is no build to compare with. */
export interface ChangeWords {
  /** Command that lists all changes. */
  readonly command: string;
  /** Folder of the last build. */
  readonly folder: string;
}

/** Returns lines about the changes that a build of the page would make to the last build. */
export function renderChanges(
  { against, tables }: Pick<PlanReport, "against" | "tables">,
  { command, folder }: ChangeWords,
): readonly Line[] {
  if (against === null) return makeSection("Changes", [`there is no build in ${folder} yet: all of this is new`]);
  const { build, notCompared } = against;
  const changes = mergeChanges(against.changes);
  const shown = changes.slice(0, MOST_CHANGES);
  const left = changes.length - shown.length;
  return [
    ...makeSection(`Changes against ${build.name} (${build.system} ${build.version})`, []),
    ...shown.flatMap(renderChange),
    ...(left === 0 ? [] : [{ text: `  and ${left} more: ${command}` }]),
    {
      text: `  ${against.changes.length === 0 ? describeNoChange(build, tables) : countAll(against.changes, changes)}`,
      colour: "strong",
    },
    ...notCompared.flatMap((what) =>
      wrap(`not compared: ${what}`, WIDTH - 2).map((row): Line => ({ text: `  ${row}`, colour: "quiet" })),
    ),
  ];
}

/** Counts the changes as `capc diff` counts them. `merged` are the entries of the plan, of which one may stand for several changes. */
function countAll(changes: readonly ChangeReport[], merged: readonly ChangeReport[]): string {
  return `${countLine(changes)}${merged.length < changes.length ? "; some share an entry" : ""}`;
}

function describeNoChange(build: SideName, tables: string): string {
  return build.tables() === tables
    ? "a build would change nothing"
    : "a build would change only words of lines, their places and order, or the version";
}

/**
 * Joins changes of tools in the same places if their decisions before, their decisions after and their reasons are
 * equal. The fact that a tool is new or was removed is left out, because the decisions about the tool show it.
 */
function mergeChanges(changes: readonly ChangeReport[]): readonly ChangeReport[] {
  const groups = Map.groupBy(
    changes.filter(({ what }) => what !== "tool"),
    (change) => {
      const { direction, at, what, before, after, because } = change;
      if (what !== "") return change;
      return JSON.stringify([direction, at.map(({ place }) => place), before, after, because]);
    },
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const at = first.at.map(({ place }, index) => {
      return { place, tools: group.flatMap((change) => change.at[index]?.tools ?? []).sort() };
    });
    return [group.length === 1 ? first : { ...first, at, witnesses: [] }];
  });
}

const MARKS = { widened: "+", moved: "~", narrowed: "-" } as const;

function renderChange(change: ChangeReport): readonly Line[] {
  const { direction, at, what, before, after, parts, witnesses, lines, because } = change;
  if (isRename(change)) {
    const [first = "", ...more] = renderRename(change);
    return [`= ${first}, renamed`, ...more.map((row) => `    ${row}`)].map((row) => ({
      text: `  ${row}`,
      colour: change.widens ? "widened" : "moved",
    }));
  }
  const [first = "", ...others] = renderWhere(at, what);
  const places = [`${first}${describeWidening(change)}`, ...others];
  // A long condition is easier to read in the form of the page.
  const moved =
    what === "" && lines.length > 0 && before.length + after.length > LONGEST_DECISIONS ? "" : `${before} → ${after}`;
  const [only = ""] = places;
  const isShort = moved !== "" && places.length === 1 && only.length + moved.length + 4 <= WIDTH - 2;
  // An example of a call is shown only if the decision depends on arguments or on an earlier read.
  const isConditional = before.includes(" where ") || after.includes(" where ") || parts.length > 0;
  const [shown] = isConditional ? witnesses : [];
  const rows = [
    ...(isShort ? [`${only}: ${moved}`] : [...places.flatMap(wrapUnder), ...renderDecided(moved, lines).map(indent)]),
    ...parts.flatMap((part) => wrapUnder(renderPart(part)).map(indent)),
    ...(shown === undefined ? [] : wrapUnder(callText(shown)).map(indent)),
    ...because.flatMap((reason) => wrapUnder(`because "${reason}"`).map(indent)),
  ];
  return rows.map((row, index) => ({ text: `  ${index === 0 ? MARKS[direction] : " "} ${row}`, colour: direction }));
}

/** Returns both decisions; if they are too long, the lines of the page that decide now. */
function renderDecided(moved: string, lines: ChangeReport["lines"]): string[] {
  if (moved !== "") return wrapUnder(moved);
  return lines.slice(0, MOST_LINES).flatMap(({ words, place }) => wrapUnder(`${place}: ${words}`));
}

function wrapUnder(text: string): string[] {
  return wrap(text, WIDTH - 6);
}

function indent(row: string): string {
  return `  ${row}`;
}
