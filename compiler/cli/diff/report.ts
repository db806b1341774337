// A difference as it is told: what text, JSON, Markdown and SARIF have in common.

import { type IndexedTables, labelText } from "../../../engine/policy/index.ts";
import { placeOf, type Span } from "../../../lang/text/index.ts";
import {
  type CellChange,
  type Deciding,
  type Difference,
  type Direction,
  decidingText,
  type FactChange,
  knowsMachines,
  type Owner,
  type Shown,
} from "../../diff/index.ts";
import { rowPath } from "../../policy/index.ts";
import { isStandard } from "../../source/index.ts";
import { reasonOfFact } from "./reasons.ts";
import type { NamedSide } from "./side.ts";

/** One thing that changed, for a person. */
export interface ToldChange {
  readonly direction: Direction;
  /** More authority, certainly or possibly. */
  readonly widens: boolean;
  /** Rows with the tools that it is about, or places of a fact. */
  readonly at: readonly { readonly place: string; readonly tools: readonly string[] }[];
  /** What of it; empty where it is how tools are decided. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  /** Calls that show it. */
  readonly witnesses: readonly ToldCall[];
  /** Lines of the new side that say so. */
  readonly lines: readonly ToldLine[];
  readonly because: readonly string[];
  /** Whose declaration it is about. */
  readonly owner: Owner | undefined;
}

/** A call that is decided otherwise than before; without arguments where none was found and none can be ruled out. */
export interface ToldCall {
  readonly tool: string;
  readonly arguments: string | undefined;
  /** Of the conversation: where floors have no part in it, any. */
  readonly label: string | undefined;
  readonly unattended: boolean;
  readonly before: string;
  readonly after: string;
}

export interface ToldLine {
  readonly words: string;
  readonly place: string;
  readonly span: Span | undefined;
}

export interface DiffReport {
  readonly before: Named;
  readonly after: Named;
  /** Widened first, then what moved, then narrowed; each in the order in which it was found. */
  readonly changes: readonly ToldChange[];
  /** Cells that are said in other lines, and decided as before. */
  readonly alike: number;
  readonly cells: readonly CellChange[];
  /** What may be different all the same, in words. */
  readonly notCompared: readonly string[];
  /** What the machine is was not compared, and whoever reviews did not say why that may be. */
  readonly machineUnseen: boolean;
}

interface Named {
  readonly name: string;
  readonly system: string;
  readonly version: string;
}

const GONE = "not there";

const ORDER: readonly Direction[] = ["widened", "moved", "narrowed"];

/** `reviewed`: the reason of whoever reviews, for what no line of a page can give one for. */
export function reportOf(
  before: NamedSide,
  after: NamedSide,
  { cells, facts }: Difference,
  reviewed: string | undefined,
): DiffReport {
  const changes = [
    ...facts.map((change) => toldFact(change, after, reviewed)),
    ...cells.flatMap((change) => toldCells(change, after, reviewed)),
  ];
  const alike = cells
    .filter(({ direction }) => direction === "alike")
    .flatMap(({ at }) => at.flatMap((one) => one.tools));
  return {
    before: namedOf(before),
    after: namedOf(after),
    changes: ORDER.flatMap((wanted) => changes.filter(({ direction }) => direction === wanted)),
    alike: alike.length,
    cells,
    notCompared: notCompared(before, after),
    machineUnseen: reviewed === undefined && !knowsMachines(before, after),
  };
}

/** A reviewer who reads that nothing changed has to know of what. */
function notCompared(before: NamedSide, after: NamedSide): readonly string[] {
  const tables = [before, after].filter(({ machine }) => machine === undefined).map(({ name }) => name);
  return [
    ...(tables.length === 0 ? [] : [`${MACHINE}: tables alone do not hold it, and ${tables.join(" and ")} is no page`]),
    "which flows follow of it; assertions and waivers; what is in weights, and in sealed credentials",
  ];
}

const MACHINE = "grants and scopes of services, addresses and models of backends, network, collector, storage, image";

function namedOf({ name, tables: { systemId, version } }: NamedSide): Named {
  return { name, system: systemId, version };
}

function toldCells(change: CellChange, after: NamedSide, reviewed: string | undefined): readonly ToldChange[] {
  const { direction, widens, narrows, before, after: now, rules, at } = change;
  if (direction === "alike") return [];
  const tool = at[0]?.tools[0] ?? "";
  const lines = rules.flatMap((rule) => lineOf(rule, after));
  // Lines of the standard library are nobody's of this page.
  const foreign = lines.every(({ place }) => isStandard(place));
  const because = change.because.length === 0 && foreign && reviewed !== undefined ? [reviewed] : change.because;
  return [
    {
      direction,
      widens: widens !== undefined,
      at: at.map(({ place, tools }) => ({ place: rowPath(place), tools })),
      what: "",
      before: standingText(before),
      after: standingText(now),
      witnesses: [widens, narrows].flatMap((shown) =>
        shown === undefined ? [] : [toldCall(shown, tool, change, after.tables)],
      ),
      lines,
      because: widens === undefined ? [] : because,
      owner: at[0] && { kind: "session", name: at[0].place.session },
    },
  ];
}

function standingText(deciding: Deciding | undefined): string {
  return deciding === undefined ? GONE : decidingText(deciding);
}

function toldCall(shown: Shown, tool: string, { before, after }: CellChange, { lattice }: IndexedTables): ToldCall {
  const { situation } = shown;
  return {
    tool,
    arguments: shown.arguments,
    label: situation && labelText(lattice, situation.label),
    unattended: situation?.unattended === true,
    before: before === undefined ? GONE : shown.before,
    after: after === undefined ? GONE : shown.after,
  };
}

function lineOf(rule: number, { tables, page }: NamedSide): ToldLine[] {
  const said = tables.rules[rule];
  if (said === undefined) return [];
  const origin = page?.origins.rules[rule];
  const span = origin && page?.view.span(origin);
  return [{ words: said.words, place: span === undefined ? said.place : placeOf(span), span }];
}

function toldFact(change: FactChange, after: NamedSide, reviewed: string | undefined): ToldChange {
  const { direction, widens, what, before, after: now, rule, places, owner } = change;
  const reason = widens ? (reasonOfFact(change, after) ?? reviewed) : undefined;
  return {
    direction,
    widens,
    at: places.map((place) => ({ place, tools: [] })),
    what,
    before: before ?? "none",
    after: now ?? "none",
    witnesses: [],
    lines: rule === undefined ? [] : lineOf(rule, after),
    because: reason === undefined ? [] : [reason],
    owner,
  };
}

/** Widenings, certain or possible, for which nobody says why. */
export function unreasoned({ changes }: DiffReport): readonly ToldChange[] {
  return changes.filter(({ widens, because }) => widens && because.length === 0);
}
