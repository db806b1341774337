// Describes the edits of a service's labels: which data became less secret or more trusted, which calls are decided
// differently after a read, and which rules apply more or less often. Facts about each label alone do not show this.

import {
  formatSecrecy,
  type IndexedTables,
  isMet,
  isSameLabel,
  join,
  type Label,
  mayFlow,
} from "../../../engine/lib/policy/index.ts";
import type { Floor, Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import { classifyDirection, type Direction } from "./direction.ts";
import {
  type CallOutcome,
  decideExample,
  type ExampleCall,
  findRunnable,
  isRefused,
  makeExample,
  rankOutcome,
} from "./example-calls.ts";
import { isSameLattice, translateLabel } from "./normalize.ts";
import { placeKey } from "./places.ts";
import { findTrustEffects, findTrustRules, isTrustEdited, listNamedFields, type TrustEdit } from "./trust-effects.ts";

/** All changes of the labels of one service's tools. */
export interface LabelEdit {
  readonly service: string;
  /** Names of the tools whose labels changed. */
  readonly tools: readonly string[];
  readonly parts: readonly LabelPart[];
  /** Calls that are decided differently because of the edit alone, by the rules of the newer tables. */
  readonly effects: readonly LabelEffect[];
  /** Rules of the newer tables that apply to other conversations than before because of the edit. */
  readonly rules: readonly RuleEffect[];
}

/** One aspect of the labels: the secrecy or the trust of results or of arguments. */
interface LabelPart {
  readonly direction: Direction;
  /** The part of the labels, and how it changed: `results are less secret`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly tools: readonly string[];
}

/** Calls in one row that are decided differently after one call that reads data (the read), or without such a call. */
export interface LabelEffect {
  readonly place: string;
  /** The read before the call; `undefined` if the call is decided differently even if the conversation has read nothing. */
  readonly read: ExampleCall | undefined;
  /** Values from the result of the read that the call passes on; empty if the decision does not depend on them. */
  readonly given: readonly (string | number)[];
  readonly shown: ExampleCall & { readonly before: CallOutcome; readonly after: CallOutcome };
  /**
   * Whether the older page did not allow the tool in this row. If so, the older page refused the call, whatever the
   * labels were.
   */
  readonly isNewTool: boolean;
  /**
   * Names of further tools and backends whose calls or answers are also decided more loosely (or, if narrowed, more
   * strictly).
   */
  readonly others: readonly string[];
  readonly direction: "widened" | "narrowed";
}

interface RuleEffect {
  /** Index into the rules of the newer tables. */
  readonly rule: number;
  /** Whether the rule now applies less often (`disarmed`) or more often. */
  readonly kind: "disarmed" | "armed";
}

/** Returns the edits in the order of the newer tables' tools. Labels that the newer lattice cannot express are left out. */
export function findLabelEdits(before: IndexedTables, after: IndexedTables): readonly LabelEdit[] {
  const translate = createTranslator(before, after);
  const changed = after.tools.flatMap((tool): readonly ChangedTool[] => {
    const old = before.tools[before.toolIndex.get(tool.name) ?? -1];
    const labels = old && translate(old);
    if (labels === undefined || isSameLabels(labels, tool)) return [];
    return [{ tool, old: labels, isOffered: isOffered(after, tool) || isOffered(before, old ?? tool) }];
  });
  if (changed.length === 0) return [];
  const both = { unedited: restoreLabels(after, changed), after };
  const isNew = createNewToolTest(before, after);
  return [...Map.groupBy(changed, ({ tool }) => tool.provider)].map(([service, tools]) => {
    const offered = tools.filter((one) => one.isOffered);
    const reads = collectReads(both, offered);
    const trusted = collectTrustEdits(both, offered);
    return {
      service,
      tools: tools.map(({ tool }) => tool.name),
      // The labels of a tool that nobody can call have no effect.
      parts: describeParts(after, offered.length > 0 ? offered : tools),
      effects: [
        ...trusted.flatMap((read) => describeTrustEffects(both, read, isNew)),
        ...reads.flatMap((read) => findEffects(both, read, isNew)),
      ],
      rules: findRuleEffects(both, reads, trusted),
    };
  });
}

/**
 * Returns the older tables, but with the newer labels for each tool whose result has another label now. A comparison of
 * flows with these tables omits the effects of the edited labels. Returns `undefined` if no such label changed.
 */
export function adoptLabels(before: IndexedTables, after: IndexedTables): IndexedTables | undefined {
  let isChanged = false;
  const translate = createTranslator(after, before);
  const tools = before.tools.map((tool) => {
    const now = after.tools[after.toolIndex.get(tool.name) ?? -1];
    const labels = now && translate(now);
    if (labels === undefined || isSameLabels({ ...labels, sink: tool.sink }, tool)) return tool;
    isChanged = true;
    return { ...tool, ...labels };
  });
  return isChanged ? { ...before, tools } : undefined;
}

type Labels = Pick<Tool, "result" | "sink">;

interface ChangedTool {
  readonly tool: Tool;
  readonly old: Labels;
  readonly isOffered: boolean;
}

/** Returns a function that expresses labels in another lattice; it returns `undefined` if the lattice lacks a name. */
function createTranslator(
  { lattice: from }: IndexedTables,
  { lattice: to }: IndexedTables,
): (labels: Labels) => Labels | undefined {
  if (isSameLattice(from, to)) return ({ result, sink }) => ({ result, sink });
  return ({ result, sink }) => {
    const [low, high, into] = [result.low, result.high, sink].map((label) => translateLabel(label, from, to));
    return low && high && into && { result: { low, high }, sink: into };
  };
}

function isSameLabels(one: Labels, other: Labels): boolean {
  return (
    isSameLabel(one.result.low, other.result.low) &&
    isSameLabel(one.result.high, other.result.high) &&
    isSameLabel(one.sink, other.sink)
  );
}

function restoreLabels(after: IndexedTables, changed: readonly ChangedTool[]): IndexedTables {
  const old = new Map(changed.map((one) => [one.tool, one.old]));
  return { ...after, tools: after.tools.map((tool) => ({ ...tool, ...old.get(tool) })) };
}

/** Returns whether some call of the tool may run in some row. */
function isOffered(tables: IndexedTables, { name }: Tool): boolean {
  const at = tables.toolIndex.get(name) ?? -1;
  return tables.rows.some((row) => findRunnable(tables, row, at) !== undefined);
}

/** The aspects of a label. Each has the words for more authority and for less authority. */
const ASPECTS = [
  { of: "result", words: ["results are less secret", "results are more secret"] },
  { of: "result", words: ["results are more trusted", "results are less trusted"] },
  { of: "sink", words: ["arguments may be more secret", "arguments must be less secret"] },
  { of: "sink", words: ["arguments may be less trusted", "arguments must be more trusted"] },
] as const;

function describeParts({ lattice }: IndexedTables, tools: readonly ChangedTool[]): readonly LabelPart[] {
  return ASPECTS.flatMap(({ of, words }, index) => {
    const isSecrecy = index % 2 === 0;
    const only = (label: Label): Label =>
      isSecrecy ? { ...label, integrity: 0 } : { confidentiality: 0, integrity: label.integrity, compartments: 0n };
    const format = (label: Label) =>
      isSecrecy ? formatSecrecy(lattice, label) : (lattice.integrity[label.integrity] ?? "");
    const byValues = new Map<string, LabelPart & { readonly tools: string[] }>();
    for (const { tool, old, isOffered: offered } of tools) {
      const read = (labels: Labels) => (of === "sink" ? [labels.sink] : [labels.result.low, labels.result.high]);
      const pairs = read(old).map((label, at) => [only(label), only(read(tool)[at] ?? label)] as const);
      // Results are wider if they may flow to more places; arguments are wider if they may contain more data.
      const widens = pairs.some(([was, is]) => (of === "sink" ? !mayFlow(is, was) : !mayFlow(was, is)));
      const narrows = pairs.some(([was, is]) => (of === "sink" ? !mayFlow(was, is) : !mayFlow(is, was)));
      if (!widens && !narrows) continue;
      const [value, other] = [0, 1].map((side) =>
        [...new Set(pairs.map((pair) => format(pair[side] ?? pair[0])))].join(" to "),
      );
      const direction = offered ? classifyDirection({ widens, narrows }) : "moved";
      const what =
        widens && narrows ? `${of === "sink" ? "arguments" : "results"} have another label` : words[widens ? 0 : 1];
      const key = JSON.stringify([what, value, other, direction]);
      const part = byValues.get(key) ?? { direction, what, before: value ?? "", after: other ?? "", tools: [] };
      part.tools.push(tool.name);
      byValues.set(key, part);
    }
    return [...byValues.values()];
  });
}

/** A read in one row, with the label that it gives to the conversation before and after the edit. */
interface Read {
  /** Index of the row. */
  readonly row: number;
  /** Index of the tool; `undefined` for a conversation that has read nothing. */
  readonly tool: number | undefined;
  readonly was: Label;
  readonly is: Label;
}

/** The newer tables with the older labels (`unedited`), and the newer tables with their own labels (`after`). */
interface BothTables {
  readonly unedited: IndexedTables;
  readonly after: IndexedTables;
}

/**
 * Returns the reads to compare in each row: no read at all, and one read for each different pair of an old and a new
 * label of the conversation. Reads whose results have the same labels as before are included only if the labels of
 * arguments changed.
 */
function collectReads({ unedited, after }: BothTables, tools: readonly ChangedTool[]): readonly Read[] {
  const hasSinks = tools.some(({ tool, old }) => !isSameLabel(tool.sink, old.sink));
  const changed = new Set(tools.map(({ tool }) => tool));
  const readable = hasSinks ? after.tools : after.tools.filter((tool) => changed.has(tool));
  const results = readable.flatMap((tool) => {
    const index = after.toolIndex.get(tool.name) ?? -1;
    const old = unedited.tools[index];
    return old === undefined ? [] : [{ index, was: old.result.low, is: tool.result.low }];
  });
  return after.rows.flatMap(({ starts }, row) => {
    const empty: Read = { row, tool: undefined, was: starts, is: starts };
    const reads = new Map<string, Read>();
    for (const { index, ...result } of results) {
      const read: Read = { row, tool: index, was: join(starts, result.was), is: join(starts, result.is) };
      const key = formatKey(read);
      if (reads.has(key) || (isSameLabel(read.was, starts) && isSameLabel(read.is, starts))) continue;
      if (isReadable({ unedited, after }, row, index)) reads.set(key, read);
    }
    return [empty, ...reads.values()];
  });
}

/**
 * Returns the reads whose text has another trust after the edit. Each row has one read for each different change. This
 * includes rows whose conversations begin untrusted: conditions on sources use the trust of the text, not of the
 * conversation.
 */
function collectTrustEdits(both: BothTables, tools: readonly ChangedTool[]): readonly TrustEdit[] {
  const { unedited, after } = both;
  const edited = tools
    .map(({ tool }) => after.toolIndex.get(tool.name) ?? -1)
    .filter((index) => isTrustEdited(both, index))
    // The first tool that a row can read becomes the example of the report for this row. Tools with a result field that
    // a condition names as a source are first. Then come tools that more rows can read, so that one example suffices
    // for these rows.
    .map((index) => ({ index, named: countNamed(after, index), rows: countRows(both, index) }))
    .toSorted((one, other) => other.named - one.named || other.rows - one.rows)
    .map(({ index }) => index);
  return after.rows.flatMap(({ starts }, row) => {
    const reads = new Map<string, TrustEdit>();
    for (const tool of edited) {
      const [old, now] = [unedited.tools[tool], after.tools[tool]];
      if (old === undefined || now === undefined || !isReadable(both, row, tool)) continue;
      const read = { row, tool, was: join(starts, old.result.low), is: join(starts, now.result.low) };
      const key = [old.result.high.integrity, now.result.high.integrity, formatKey(read)].join(" ");
      if (!reads.has(key)) reads.set(key, read);
    }
    return [...reads.values()];
  });
}

function countNamed(tables: IndexedTables, tool: number): number {
  return Math.min(1, listNamedFields(tables, tool).length);
}

function countRows(both: BothTables, tool: number): number {
  return both.after.rows.filter((_, row) => isReadable(both, row, tool)).length;
}

function formatKey({ was, is }: Pick<Read, "was" | "is">): string {
  return [was, is].map((label) => Object.values(label).join()).join(" ");
}

/** Returns whether the read is possible with the old labels and with the new labels. */
function isReadable({ unedited, after }: BothTables, row: number, tool: number): boolean {
  const label = after.rows[row]?.starts;
  return (
    label !== undefined && [unedited, after].every((tables) => !isRefused(decideExample(tables, { row, label }, tool)))
  );
}

/**
 * Returns a function that tests whether a tool is new in a row of the newer tables: the older tables allow none of its
 * calls in that row.
 */
function createNewToolTest(before: IndexedTables, after: IndexedTables): (row: number, tool: string) => boolean {
  const old = new Map(before.rows.map((row) => [placeKey(row), row]));
  return (index, tool) => {
    const row = after.rows[index];
    const older = row && old.get(placeKey(row));
    const at = before.toolIndex.get(tool);
    const isKnown = after.toolIndex.has(tool);
    return isKnown && (older === undefined || at === undefined || findRunnable(before, older, at) === undefined);
  };
}

/** A changed call, and the values of the read that it passes on. */
interface ChangedCall {
  readonly given: LabelEffect["given"];
  readonly call: LabelEffect["shown"];
}

/** Tests whether a tool is new in a row: the older tables allow none of its calls there. */
type NewToolTest = ReturnType<typeof createNewToolTest>;

/** Returns the calls that pass on a value of the read, and are decided differently because its trust changed. */
function describeTrustEffects(both: BothTables, read: TrustEdit, isNew: NewToolTest): readonly LabelEffect[] {
  const changes = findTrustEffects(both, read).map(({ given, ...call }) => ({ given, call }));
  return pickEffects(both, read, changes, isNew);
}

/** Returns the calls and answers that are decided differently after a read. */
function findEffects(both: BothTables, read: Read, isNew: NewToolTest): readonly LabelEffect[] {
  const row = both.after.rows[read.row];
  if (row === undefined) return [];
  const changes = [...listChangedCalls(both, read, row), ...listChangedAnswers(both.after, read, row)];
  return pickEffects(
    both,
    read,
    changes.map((call) => ({ given: [], call })),
    isNew,
  );
}

/**
 * Returns at most four examples of changed calls: at most two widened calls and two narrowed calls. In each pair, one
 * tool may be called on both pages in the row, and the other one only on the newer page.
 */
function pickEffects(
  { after }: BothTables,
  read: Pick<Read, "row" | "tool">,
  changes: readonly ChangedCall[],
  isNew: NewToolTest,
): readonly LabelEffect[] {
  const row = after.rows[read.row];
  if (row === undefined) return [];
  const measure = ({ call }: ChangedCall) => rankOutcome(call.after) - rankOutcome(call.before);
  const reader = read.tool === undefined ? undefined : makeExample(after, row, read.tool);
  return (["widened", "narrowed"] as const).flatMap((direction) =>
    [false, true].flatMap((isNewTool): readonly LabelEffect[] => {
      const some = changes.filter(
        (change) =>
          (direction === "widened" ? measure(change) < 0 : measure(change) > 0) &&
          isNew(read.row, change.call.tool) === isNewTool,
      );
      const [first, ...more] = some.toSorted((one, other) => Math.abs(measure(other)) - Math.abs(measure(one)));
      if (first === undefined) return [];
      const others = more.map(({ call }) => call.tool);
      const { given, call } = first;
      return [{ place: formatRowPath(row), read: reader, given, shown: call, isNewTool, others, direction }];
    }),
  );
}

function listChangedCalls({ unedited, after }: BothTables, read: Read, row: Row): readonly LabelEffect["shown"][] {
  return after.tools.flatMap((tool, index): readonly LabelEffect["shown"][] => {
    const list = findRunnable(after, row, index);
    const old = unedited.tools[index];
    if (list === undefined || old === undefined) return [];
    const flows = [mayFlow(read.was, old.sink), mayFlow(read.is, tool.sink)];
    const isRaised = list.floors.some((floor) => isMetAt(floor, read.was) !== isMetAt(floor, read.is));
    // Most calls do not depend on labels. They are left out without a decision, which saves time.
    if (flows[0] === flows[1] && !isRaised && row.releases.length === 0) return [];
    const [was, is] = [
      decideExample(unedited, { row: read.row, label: read.was }, index),
      decideExample(after, { row: read.row, label: read.is }, index),
    ];
    return was === is ? [] : [{ ...makeExample(after, row, index), before: was, after: is }];
  });
}

function isMetAt(floor: Floor, label: Label): boolean {
  return isMet(floor, { label, unattended: false });
}

function listChangedAnswers({ backends }: IndexedTables, read: Read, row: Row): readonly LabelEffect["shown"][] {
  return row.backends.flatMap(({ backend, mode }): readonly LabelEffect["shown"][] => {
    const one = backends[backend];
    if (one === undefined || mode === "forbidden") return [];
    const [was, is] = [read.was, read.is].map(
      (label): CallOutcome => (mayFlow(label, one.clearance) ? mode : "refusedByPolicy"),
    );
    if (was === undefined || is === undefined || was === is) return [];
    return [{ tool: `an answer of ${one.name}`, arguments: undefined, heard: [], before: was, after: is }];
  });
}

/**
 * Returns the rules with conditions on labels or on the trust of sources, if the edit causes these conditions to be met
 * more or less often.
 */
function findRuleEffects(
  both: BothTables,
  reads: readonly Read[],
  trusted: readonly TrustEdit[],
): readonly RuleEffect[] {
  const { after } = both;
  const ofLabels = reads.flatMap(({ row: at, tool, was, is }): readonly RuleEffect[] => {
    const row = after.rows[at];
    if (tool === undefined || row === undefined) return [];
    return [...after.tools.keys()].flatMap((index) =>
      (findRunnable(after, row, index)?.floors ?? []).flatMap((floor): readonly RuleEffect[] => {
        const [before, now] = [isMetAt(floor, was), isMetAt(floor, is)];
        return before === now ? [] : [{ rule: floor.rule, kind: before ? "disarmed" : "armed" }];
      }),
    );
  });
  const ofTrust = trusted.flatMap(({ row: at, tool }) => {
    const row = after.rows[at];
    return row === undefined ? [] : findTrustRules(both, row, tool);
  });
  const effects = new Map([...ofLabels, ...ofTrust].map((effect) => [`${effect.rule} ${effect.kind}`, effect]));
  return [...effects.values()].sort((one, other) => one.rule - other.rule);
}
