// Prints a difference for a person at a terminal. Text from pages and arguments is untrusted: the caller escapes each line.

import { type ChangeKind, isLikely, isRename, kindOf } from "../../queries/diff/index.ts";
import type { CallReport, ChangeReport, DiffReport, FlowReport, LineReport, PartReport } from "./diff-report.ts";

/** Returns lines without line ends. */
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

/** Characters of a digest that a person compares; JSON and `capc inspect` have all of them. */
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

/** Counts changes of which some may widen: `2 moved (1 may widen)`. */
function countWidening(changes: readonly ChangeReport[], name: string): string {
  const widening = changes.filter(({ widens }) => widens).length;
  return `${changes.length} ${name}${widening === 0 ? "" : ` (${widening} may widen)`}`;
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
  const { direction, at, what, before, after, parts, details, witnesses, ways, lines, because } = change;
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
    `${direction.padEnd(WIDTH)}${first}`,
    ...more.map((line) => `${UNDER}${line}`),
    ...(before === after ? [] : [`${UNDER}  ${before} → ${after}`]),
    ...parts.map((part) => `${UNDER}  ${renderPart(part)}`),
    ...details.map((detail) => `${UNDER}  with ${detail}`),
    ...witnesses.map((call) => `${UNDER}  ${callText(call)}`),
    ...ways.flatMap(renderFlow).map((line) => `${UNDER}  ${line}`),
    ...lines.map((line) => `${UNDER}  ${renderLine(line)}`),
    ...because.map((reason) => `${UNDER}  because "${reason}"`),
  ];
}

export function renderPart({ direction, what, before, after, tools }: PartReport): string {
  const of = tools.length === 0 ? "" : `${listNamed(tools)}: `;
  return `${direction}: ${of}${what}, ${before} → ${after}`;
}

/** Returns a line of the page with its place. A line that was not edited is marked. */
export function renderLine({ words, place, applies }: LineReport): string {
  const mark = applies === undefined ? "" : `applies to ${applies === "more" ? "more" : "fewer"} conversations: `;
  return `${mark}${place}: ${words}`;
}

/** Returns a change in one line. */
export function summarizeChange(change: ChangeReport): string {
  if (isRename(change)) return renderRename(change)[0] ?? "";
  const [where = ""] = renderWhere(change.at, change.what);
  return `${where}: ${change.before} → ${change.after}`;
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

function listNamed(names: readonly string[]): string {
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

/** Shortens arguments that are too long: first each long text in them, so that all of them are seen, then the rest. */
function shortenArguments(asked: string): string {
  if (asked.length <= LONGEST_SHOWN) return asked;
  const shorten = (_: string, value: unknown) =>
    typeof value === "string" && value.length > LONGEST_TEXT
      ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`
      : value;
  const text = JSON.stringify(JSON.parse(asked), shorten);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)` : text;
}
