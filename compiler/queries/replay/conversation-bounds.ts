// Computes the state of a conversation as far as the records show it: its possible rows, and a lower and an upper bound
// of its label. A higher label only makes decisions stricter. So if both bounds give the same decision, all labels
// between them give this decision too.

import { computeTopLabel, findLabel, type IndexedTables, join, type Label } from "../../../engine/lib/policy/index.ts";

export interface ConversationBounds {
  /**
   * Possible rows of the conversation, as indexes into the rows of the tables. There are several rows if the records do
   * not show which of them is right.
   */
  readonly rows: readonly number[];
  /** Reason why there is no row. */
  readonly missing?: string;
  readonly least: Label;
  readonly most: Label;
}

/** A task and phase of a session; both are empty for the session's own row. */
export interface PlaceNames {
  readonly session: string;
  readonly task: string;
  readonly phase: string;
}

const getBottomLabel = (tables: IndexedTables): Label => ({
  confidentiality: 0,
  integrity: Math.max(0, tables.lattice.integrity.length - 1),
  compartments: 0n,
});

/** Returns the bounds of a conversation that begins in `place`: its row, and the label with which it starts. */
export function makeInitialStanding(tables: IndexedTables, place: PlaceNames): ConversationBounds {
  const at = findRow(tables, place);
  const row = tables.rows[at];
  if (row === undefined) return makeMissingStanding(tables, describeMissing(tables, place));
  return { rows: [at], least: row.starts, most: row.starts };
}

/** Returns the bounds after a conversation moves to another place. The label does not change. */
export function moveStanding(
  tables: IndexedTables,
  { least, most }: ConversationBounds,
  place: PlaceNames,
): ConversationBounds {
  const at = findRow(tables, place);
  if (at === -1) return { ...makeMissingStanding(tables, describeMissing(tables, place)), least, most };
  return { rows: [at], least, most };
}

/**
 * Returns the bounds of a conversation in `place` that may have read any data, so that its label may be any label above
 * its start.
 */
export function makeUnknownStanding(tables: IndexedTables, place: PlaceNames): ConversationBounds {
  return { ...makeInitialStanding(tables, place), most: computeTopLabel(tables.lattice) };
}

/** Returns the bounds of a conversation anywhere in the session. */
export function makeAnyStanding(tables: IndexedTables, session: string): ConversationBounds {
  const rows = tables.rows.flatMap((row, index) => (row.session === session && row.worker === "" ? [index] : []));
  const [first, ...more] = rows.flatMap((index) => tables.rows[index]?.starts ?? []);
  if (first === undefined)
    return makeMissingStanding(tables, describeMissing(tables, { session, task: "", phase: "" }));
  return { rows, least: more.reduce(meet, first), most: computeTopLabel(tables.lattice) };
}

/**
 * Returns the bounds after the conversation has read a tool's result, certainly or possibly. The result of a tool that
 * is not in the tables may have any label.
 */
export function addSeen(
  tables: IndexedTables,
  standing: ConversationBounds,
  tool: string,
  sent: "yes" | "unknown",
): ConversationBounds {
  const given = tables.tools[tables.toolIndex.get(tool) ?? -1]?.result.high;
  const most = join(standing.most, given ?? computeTopLabel(tables.lattice));
  const least = sent === "yes" && given !== undefined ? join(standing.least, given) : standing.least;
  return { ...standing, least, most };
}

/** Returns the bounds with the label that a record names. The record must have been made under the same tables. */
export function setSeenLabel(tables: IndexedTables, standing: ConversationBounds, text: string): ConversationBounds {
  const label = parseLabel(tables, text);
  return label === undefined ? standing : { ...standing, least: label, most: label };
}

function makeMissingStanding(tables: IndexedTables, missing: string): ConversationBounds {
  return { rows: [], missing, least: getBottomLabel(tables), most: computeTopLabel(tables.lattice) };
}

function findRow({ rows }: IndexedTables, { session, task, phase }: PlaceNames): number {
  return rows.findIndex(
    (row) => row.session === session && row.task === task && row.phase === phase && row.worker === "",
  );
}

function describeMissing({ rows }: IndexedTables, { session, task, phase }: PlaceNames): string {
  if (!rows.some((row) => row.session === session)) return `the policy has no session ${session}`;
  if (!rows.some((row) => row.session === session && row.task === task))
    return `the policy has no task ${task} in session ${session}`;
  return phase === ""
    ? `the policy has phases in task ${task} of session ${session}, and the record names none`
    : `the policy has no phase ${phase} in task ${task} of session ${session}`;
}

/** Returns the greatest lower bound of two labels. */
function meet(one: Label, other: Label): Label {
  return {
    confidentiality: Math.min(one.confidentiality, other.confidentiality),
    integrity: Math.max(one.integrity, other.integrity),
    compartments: one.compartments & other.compartments,
  };
}

/** Returns the label of a text such as `secret:{hr, it}/untrusted`, as formatLabel writes it. */
function parseLabel({ lattice }: IndexedTables, text: string): Label | undefined {
  const [, confidentiality = "", sets = "", integrity = ""] =
    /^([\w-]+)(?::\{([\w\s,-]*)\})?\/([\w-]+)$/.exec(text) ?? [];
  const compartments = sets.split(", ").filter((name) => name !== "");
  return findLabel(lattice, { confidentiality, integrity, compartments });
}
