// Represents the state of a conversation as far as the records show it. The state consists of the places (sessions or
// tasks) where the conversation may be, and of the lowest and highest label that it may have. A higher label makes
// decisions only stricter. So if the lowest and the highest label give the same answer, all labels between them give it
// too.

import { findLabel, type IndexedTables, join, type Label } from "../../../engine/lib/policy/index.ts";

export interface ConversationBounds {
  /**
   * Indexes of the places (sessions, tasks, phases or workers) in the tables where the conversation may be. There are
   * several if the records do not tell which of them applies.
   */
  readonly rows: readonly number[];
  /** Reason why the conversation has no place. */
  readonly missing?: string;
  readonly least: Label;
  readonly most: Label;
}

/** A task and a phase of a session. Both are empty if the conversation is in no task. */
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

/** Returns the highest label. */
function getTopLabel({ lattice: { confidentiality, compartments } }: IndexedTables): Label {
  return {
    confidentiality: Math.max(0, confidentiality.length - 1),
    integrity: 0,
    compartments: (1n << BigInt(compartments.length)) - 1n,
  };
}

/** Returns the bounds at the beginning of a conversation in this place. */
export function makeInitialStanding(tables: IndexedTables, place: PlaceNames): ConversationBounds {
  const at = findRow(tables, place);
  const row = tables.rows[at];
  if (row === undefined) return makeMissingStanding(tables, describeMissing(tables, place));
  return { rows: [at], least: row.starts, most: row.starts };
}

/** Returns the bounds of the same conversation in another place, with an unchanged label. */
export function moveStanding(
  tables: IndexedTables,
  { least, most }: ConversationBounds,
  place: PlaceNames,
): ConversationBounds {
  const at = findRow(tables, place);
  if (at === -1) return { ...makeMissingStanding(tables, describeMissing(tables, place)), least, most };
  return { rows: [at], least, most };
}

/** Returns the bounds of a conversation in this place that may have read any data. */
export function makeUnknownStanding(tables: IndexedTables, place: PlaceNames): ConversationBounds {
  return { ...makeInitialStanding(tables, place), most: getTopLabel(tables) };
}

/** Returns the bounds of a conversation in any place of the session. */
export function makeAnyStanding(tables: IndexedTables, session: string): ConversationBounds {
  const rows = tables.rows.flatMap((row, index) => (row.session === session && row.worker === "" ? [index] : []));
  const [first, ...more] = rows.flatMap((index) => tables.rows[index]?.starts ?? []);
  if (first === undefined)
    return makeMissingStanding(tables, describeMissing(tables, { session, task: "", phase: "" }));
  return { rows, least: more.reduce(meet, first), most: getTopLabel(tables) };
}

/**
 * Returns the bounds after a conversation has received a tool's result, or may have received it. A tool that is not in
 * the tables may return data with any label.
 */
export function addSeen(
  tables: IndexedTables,
  standing: ConversationBounds,
  tool: string,
  sent: "yes" | "unknown",
): ConversationBounds {
  const given = tables.tools[tables.toolIndex.get(tool) ?? -1]?.result.high;
  const most = join(standing.most, given ?? getTopLabel(tables));
  const least = sent === "yes" && given !== undefined ? join(standing.least, given) : standing.least;
  return { ...standing, least, most };
}

/**
 * Returns the bounds with the label that a record states. The tables must be those under which the label was recorded.
 */
export function setSeenLabel(tables: IndexedTables, standing: ConversationBounds, text: string): ConversationBounds {
  const label = parseLabel(tables, text);
  return label === undefined ? standing : { ...standing, least: label, most: label };
}

function makeMissingStanding(tables: IndexedTables, missing: string): ConversationBounds {
  return { rows: [], missing, least: getBottomLabel(tables), most: getTopLabel(tables) };
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

/** Parses a label such as `secret:{hr, it}/untrusted`, as formatLabel renders it. */
function parseLabel({ lattice }: IndexedTables, text: string): Label | undefined {
  const [, confidentiality = "", sets = "", integrity = ""] =
    /^([\w-]+)(?::\{([\w\s,-]*)\})?\/([\w-]+)$/.exec(text) ?? [];
  const compartments = sets.split(", ").filter((name) => name !== "");
  return findLabel(lattice, { confidentiality, integrity, compartments });
}
