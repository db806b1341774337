// Prints a difference for a person at a terminal. Text from pages and arguments is untrusted: the caller escapes each line.

import { MODES } from "../../../lang/grammar/index.ts";
import { type ChangeKind, isLikely, isRename, kindOf } from "../../queries/diff/index.ts";
import { wrap } from "../wrapping.ts";
import type {
  CallReport,
  ChangeReport,
  ClauseReport,
  DiffReport,
  FlowReport,
  LineReport,
  PartReport,
} from "./diff-report.ts";

/** Returns the difference as text for people, line by line and without line ends. */
export function diffLines(report: DiffReport): readonly string[] {
  const { changes, alike, notCompared } = report;
  return [
    renderHeadline(report),
    renderMeanings(report),
    ...changes.flatMap((change) => ["", ...changeLines(change)]),
    "",
    countLine(changes),
    ...(alike === 0
      ? []
      : [`${alike} ${alike === 1 ? "cell is" : "cells are"} said in other lines and decided as before`]),
    ...notCompared.map((what) => `not compared: ${what}`),
  ];
}

export function renderHeadline({ before, after }: DiffReport): string {
  return `${renderSide(before)} → ${renderSide(after)}`;
}

/** Number of characters that are shown of a digest; JSON and `capc inspect` show the whole digest. */
const SHOWN_DIGITS = 16;

function renderMeanings({ before, after }: DiffReport): string {
  const [old, now] = [before, after].map(({ meaning }) => meaning().slice(0, SHOWN_DIGITS));
  return old === now ? `meaning ${now}, the same` : `meaning ${old} → ${now}`;
}

function renderSide({ name, system, version }: DiffReport["before"]): string {
  return `${name} (${system} ${version})`;
}

export function countLine(changes: readonly ChangeReport[]): string {
  if (changes.length === 0) return "nothing means anything else";
  const select = (kind: ChangeKind) => changes.filter((change) => kindOf(change) === kind);
  const renamed = select(RENAMED);
  return [
    `${select("widened").length} widened`,
    countWidening(select("moved"), "moved"),
    `${select("narrowed").length} narrowed`,
    ...(renamed.length === 0 ? [] : [countWidening(renamed, RENAMED)]),
  ].join(", ");
}

/** Renders the number of changes, and how many of them widen or may widen: `3 moved (1 widens, 1 may widen)`. */
function countWidening(changes: readonly ChangeReport[], name: string): string {
  const sure = changes.filter(isSurelyWider).length;
  const possible = changes.filter(({ widens }) => widens).length - sure;
  const counts = [
    ...(sure === 0 ? [] : [`${sure} ${sure === 1 ? "widens" : "widen"}`]),
    ...(possible === 0 ? [] : [`${possible} may widen`]),
  ];
  return `${changes.length} ${name}${counts.length === 0 ? "" : ` (${counts.join(", ")})`}`;
}

/**
 * Returns the mark ` (widens)` or ` (may widen)` if a moved change gives or may give more authority; otherwise an empty
 * text.
 */
export function describeWidening(change: ChangeReport): string {
  if (!change.widens || change.direction === "widened") return "";
  return isSurelyWider(change) ? " (widens)" : " (may widen)";
}

/** Returns whether an example call with known arguments is decided more loosely than before. */
function isSurelyWider({ witnesses }: ChangeReport): boolean {
  const rank = (outcome: string) => (MODES as readonly string[]).indexOf(outcome);
  return witnesses.some(
    ({ arguments: asked, before, after }) => asked !== undefined && rank(after) !== -1 && rank(after) < rank(before),
  );
}

/** Maximum number of clauses of which all are shown. Of more clauses, only the changed ones are shown. */
const MOST_CLAUSES = 12;
const CLAUSE_MARKS = { same: " ", removed: "-", added: "+" } as const;

/** Returns the lines of two decisions with `-` for removed and `+` for added ones; of many lines, only the changed ones. */
export function renderClauses(clauses: readonly ClauseReport[]): readonly string[] {
  const changed = clauses.filter(({ mark }) => mark !== "same");
  const shown = clauses.length > MOST_CLAUSES ? changed : clauses;
  const left = clauses.length - shown.length;
  return [
    ...shown.map(({ mark, text }) => `${CLAUSE_MARKS[mark]} ${text}`),
    ...(left === 0 ? [] : [`  and ${left} lines as before`]),
  ];
}

/** Returns the rows of a list below a change, indented; of a long list, only the first rows. JSON has all of them. */
function limitRows(rows: readonly string[], what: string): readonly string[] {
  const more = rows.length > MOST_NAMED ? [`and ${rows.length - MOST_NAMED} more ${what}`] : [];
  return [...rows.slice(0, MOST_NAMED), ...more].map((row) => `${UNDER}  ${row}`);
}

/** Fewest columns of a terminal for which lines are wrapped. */
const FEWEST_COLUMNS = 40;

/** Returns the rows of a line on a terminal. Continued rows are indented more than the line. Without `columns` it is one row. */
export function wrapDiffLine(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || columns < FEWEST_COLUMNS || line.length <= columns) return [line];
  const column = /^ */.exec(line)?.[0].length ?? 0;
  const indent = Math.min(column === 0 ? WIDTH + 2 : column + 2, columns / 2);
  const [first = "", ...more] = wrap(line.slice(column), columns - column, columns - indent);
  return [`${line.slice(0, column)}${first}`, ...more.map((row) => `${" ".repeat(indent)}${row}`)];
}

const RENAMED = "renamed";
const WIDTH = 10;
const UNDER = " ".repeat(WIDTH);
/** Maximum number of tools named for one place, and of places named for one change. */
const MOST_NAMED = 8;
/** Maximum length in characters of arguments that show a change. */
const LONGEST_SHOWN = 160;
/** Maximum length in characters of one text in such arguments. */
const LONGEST_TEXT = 24;

function changeLines(change: ChangeReport): readonly string[] {
  const { direction, at, what, before, after, clauses, parts, details, notes, witnesses, ways, lines, because } =
    change;
  const [first = "", ...more] = renderWhere(at, what);
  if (isRename(change))
    return [
      `${RENAMED.padEnd(WIDTH)}${renderRename(change)[0]}`,
      ...renderRename(change)
        .slice(1)
        .map((line) => `${UNDER}  ${line}`),
      ...because.map((reason) => `${UNDER}  because "${reason}"`),
    ];
  return [
    `${direction.padEnd(WIDTH)}${first}${describeWidening(change)}`,
    ...more.map((line) => `${UNDER}${line}`),
    ...(clauses.length > 0
      ? renderClauses(clauses).map((line) => `${UNDER}  ${line}`)
      : before === after
        ? []
        : [`${UNDER}  ${before} → ${after}`]),
    ...parts.map((part) => `${UNDER}  ${renderPart(part)}`),
    ...details.map((detail) => `${UNDER}  with ${detail}`),
    ...limitRows(witnesses.map(callText), "calls"),
    ...ways.flatMap(renderFlow).map((line) => `${UNDER}  ${line}`),
    ...notes.map((note) => `${UNDER}  ${note}`),
    ...limitRows(lines.map(renderLine), "lines"),
    ...because.map((reason) => `${UNDER}  because "${reason}"`),
  ];
}

export function renderPart({ direction, what, before, after, tools }: PartReport): string {
  const of = tools.length === 0 ? "" : `${listNamed(tools)}: `;
  return `${direction}: ${of}${what}, ${before} → ${after}`;
}

const LINE_MARKS = {
  more: "applies to more conversations: ",
  less: "applies to fewer conversations: ",
  gone: "no longer there: ",
} as const;

/** Returns a line of the page with its place. A line that is not new is marked. */
export function renderLine({ words, place, applies }: LineReport): string {
  return `${applies === undefined ? "" : LINE_MARKS[applies]}${place}: ${words}`;
}

/** Returns the place of a change, and why its reason is missing, in one line. */
export function renderUnreasoned(change: ChangeReport): string {
  const [where = ""] = isRename(change) ? renderRename(change) : renderWhere(change.at, change.what);
  const more =
    isRename(change) || change.what !== "" || change.at.length < 2 ? "" : ` and ${change.at.length - 1} more`;
  const [line] = change.lines.filter(({ applies }) => applies === undefined);
  const place = line === undefined || change.unsaid?.includes(line.place) === true ? "" : ` (${line.place})`;
  return `${where}${more}${place}: ${change.unsaid}`;
}

/** Returns the line of a rename, such as `service notes → memos`, and the remarks about the rename. */
export function renderRename({ what, before, after }: ChangeReport): readonly string[] {
  const [kind = "", ...remarks] = what.split("; ");
  const head = `${kind.replace(/ (?:probably )?renamed$/, "")} ${before} → ${after}`;
  return [isLikely({ what }) ? `probably ${head}` : head, ...remarks];
}

/**
 * For decisions, returns one line for each session or task with its tools. For any other property, returns one line
 * with all its places.
 */
export function renderWhere(at: ChangeReport["at"], what: string): readonly string[] {
  if (what !== "") {
    const places = at.map(({ place }) => place).filter((place) => place !== "");
    return [`${listNamed(places)}${places.length === 0 ? "" : ": "}${what}`];
  }
  const rows = at.slice(0, MOST_NAMED).map(({ place, tools }) => `${place}: ${listNamed(tools)}`);
  return at.length > MOST_NAMED ? [...rows, `and in ${at.length - MOST_NAMED} more rows`] : rows;
}

/** Returns the first names of a list, and the number of the others. */
export function listNamed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}

export function callText(call: CallReport): string {
  const { tool, arguments: asked, assumptions, label, unattended, earlier, before, after, likewise } = call;
  const seen = label === undefined ? "" : ` in a conversation at ${label}${unattended ? ", with nobody there" : ""}`;
  if (asked === undefined) return `some call${seen} may come from ${before} to ${after}: it could not be ruled out`;
  const given = assumptions.length === 0 ? "" : `, if ${assumptions.join(" and ")}`;
  const shown = asked === "" ? tool : `${tool} ${shortenArguments(asked)}`;
  const first = earlier === undefined ? "" : `${earlier}${earlier.endsWith(":") ? " " : ", then "}`;
  const more = likewise.length === 0 ? "" : `; likewise ${listNamed(likewise)}`;
  return `${first}${shown}${seen}${given}: ${before} → ${after}${more}`;
}

/** Returns the line of a flow, followed by the conversations that show it. */
export function renderFlow({ possible, source, sink, story }: FlowReport): readonly string[] {
  const when = possible === "now" ? "comes to" : "came to";
  return [`${source} ${when} ${sink}:`, ...story.map((line) => `  ${line}`)];
}

/** Shortens arguments that are too long. It shortens each long text first, so that other arguments stay visible, and then cuts off the end. */
function shortenArguments(asked: string): string {
  if (asked.length <= LONGEST_SHOWN) return asked;
  const shorten = (_: string, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`
      : value;
  const text = JSON.stringify(JSON.parse(asked), shorten);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)` : text;
}
