// Describes the edits of a service's labels: which data became less secret or more trusted, which calls are decided
// differently after a read, and which rules apply more or less often. Facts about each label alone do not show this.

import {
  type ChosenValues,
  decide,
  FIRST_DECISION,
  formatSecrecy,
  type IndexedTables,
  isMet,
  isSameLabel,
  join,
  type Label,
  mayFlow,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import type { Decision, Floor, Row, Source, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { formatRowPath, reachOfList } from "../../phases/policy/index.ts";
import { assumeSources, findModePairs, type Heard, nameOrigins } from "../../phases/prove/index.ts";
import { classifyDirection, type Direction } from "./direction.ts";
import { isSameLattice, renderParams, translateLabel } from "./normalize.ts";

/** All changes of the labels of one service's tools. */
export interface LabelEdit {
  readonly service: string;
  /** Names of the tools with another label. */
  readonly tools: readonly string[];
  readonly parts: readonly LabelPart[];
  /** Calls that are decided differently because of the edit alone, by the rules of the newer tables. */
  readonly effects: readonly LabelEffect[];
  /** Rules of the newer tables that apply to other conversations because of the edit. */
  readonly rules: readonly RuleEffect[];
}

/** One aspect of the labels: the secrecy or the trust of results or of arguments. */
interface LabelPart {
  readonly direction: Direction;
  /** `results are less secret` */
  readonly what: string;
  readonly before: string;
  readonly after: string;
  readonly tools: readonly string[];
}

/** Calls in one row that are decided differently after one read, or without a read. */
export interface LabelEffect {
  readonly place: string;
  /** The read before the call; `undefined` if the call is decided differently even if the conversation has read nothing. */
  readonly read: ExampleCall | undefined;
  readonly shown: ExampleCall & { readonly before: LabelOutcome; readonly after: LabelOutcome };
  /** Names of the other tools and backends whose decision changed in the same direction. */
  readonly others: readonly string[];
  readonly direction: "widened" | "narrowed";
}

interface ExampleCall {
  readonly tool: string;
  /** Arguments as canonical JSON; `undefined` if none were found, or for an answer of a backend. */
  readonly arguments: string | undefined;
  readonly heard: readonly Heard[];
}

/** Decision of a call; `refusedByPolicy` if its arguments may not flow to the tool. */
type LabelOutcome = PermissionMode | "refusedByPolicy";

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
  return [...Map.groupBy(changed, ({ tool }) => tool.provider)].map(([service, tools]) => {
    const offered = tools.filter((one) => one.isOffered);
    const reads = collectReads(both, offered);
    return {
      service,
      tools: tools.map(({ tool }) => tool.name),
      // The labels of a tool that nobody can call have no effect.
      parts: describeParts(after, offered.length > 0 ? offered : tools),
      effects: reads.flatMap((read) => findEffects(both, read)),
      rules: findRuleEffects(after, reads),
    };
  });
}

/**
 * Returns the older tables with the newer labels of the tools whose results have another label now, so that a comparison
 * of flows shows only other changes. Returns `undefined` if there are no such tools.
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

function findRunnable({ decisions }: IndexedTables, row: Row, tool: number) {
  const list = decisions[(row.cells[tool] ?? 0) - FIRST_DECISION];
  return list !== undefined && reachOfList(list.clauses).loosest !== "forbidden" ? list : undefined;
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
 * Returns, for each row, a conversation that has read nothing, and one read for each pair of an old and a new label.
 * Reads whose results have the same labels as before are included only if the labels of arguments changed.
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
      const key = [read.was, read.is].map((label) => Object.values(label).join()).join(" ");
      if (reads.has(key) || (isSameLabel(read.was, starts) && isSameLabel(read.is, starts))) continue;
      // The read itself must be possible with the old labels and with the new labels.
      if (isRefused(decideCall(unedited, empty, index, "was")) || isRefused(decideCall(after, empty, index, "is")))
        continue;
      reads.set(key, read);
    }
    return [empty, ...reads.values()];
  });
}

function isRefused(outcome: LabelOutcome): boolean {
  return outcome === "forbidden" || outcome === "refusedByPolicy";
}

/** Returns how an example call of a tool is decided after a read. */
function decideCall(tables: IndexedTables, read: Read, index: number, at: "was" | "is"): LabelOutcome {
  const tool = tables.tools[index];
  const row = tables.rows[read.row];
  const list = row && findRunnable(tables, row, index);
  if (tool === undefined || row === undefined || list === undefined) return "forbidden";
  const { text = "{}", heard, chosen } = findLoosestCall(tool, list);
  const decision = decide(
    tables,
    {
      row: read.row,
      label: read[at],
      unattended: false,
      spent: row.quotas.map(() => 0n),
      sources: assumeSources(heard),
      parameters: chosen,
    },
    { tool: tool.name, arguments: text },
  );
  if (decision.kind === "gated") return decision.gate;
  return decision.mode === "forbidden" ? "forbidden" : "refusedByPolicy";
}

interface LoosestCall {
  /** Canonical JSON; `undefined` if the search found no arguments with the loosest mode. */
  readonly text: string | undefined;
  readonly heard: readonly Heard[];
  readonly chosen?: ChosenValues | undefined;
}

const LOOSEST = new WeakMap<Decision, Map<string, LoosestCall>>();

/** Returns a call with the loosest mode that a list can give. It ignores floors, which depend on the conversation. */
function findLoosestCall({ params }: Tool, list: Decision): LoosestCall {
  const known = LOOSEST.get(list) ?? new Map<string, LoosestCall>();
  LOOSEST.set(list, known);
  const form = renderParams(params);
  const found = known.get(form) ?? searchLoosestCall(params, { ...list, floors: [] });
  known.set(form, found);
  return found;
}

function searchLoosestCall(params: Tool["params"], list: Decision): LoosestCall {
  const { pairs } = findModePairs(params, list, list);
  const [loosest] = pairs
    .filter((pair) => pair.arguments !== undefined)
    .toSorted((one, other) => MODES.indexOf(one.after) - MODES.indexOf(other.after));
  return { text: loosest?.arguments, heard: loosest?.heard ?? [], chosen: loosest?.chosen };
}

/** Returns the calls and answers that are decided differently after a read: one example for each direction. */
function findEffects(both: BothTables, read: Read): readonly LabelEffect[] {
  const { after } = both;
  const row = after.rows[read.row];
  if (row === undefined) return [];
  const changes = [...listChangedCalls(both, read, row), ...listChangedAnswers(after, read, row)];
  const rank = (outcome: LabelOutcome) => (outcome === "refusedByPolicy" ? REFUSED : MODES.indexOf(outcome));
  const reader = read.tool === undefined ? undefined : makeExample(after, row, read.tool);
  return (["widened", "narrowed"] as const).flatMap((direction): readonly LabelEffect[] => {
    const some = changes.filter(({ before, after: now }) =>
      direction === "widened" ? rank(now) < rank(before) : rank(now) > rank(before),
    );
    const [first, ...more] = some.toSorted(
      (one, other) => Math.abs(rank(other.after) - rank(other.before)) - Math.abs(rank(one.after) - rank(one.before)),
    );
    if (first === undefined) return [];
    const others = more.map(({ tool }) => tool);
    return [{ place: formatRowPath(row), read: reader, shown: first, others, direction }];
  });
}

/** Rank of every refusal among the modes. */
const REFUSED = MODES.indexOf("forbidden");

type ChangedCall = LabelEffect["shown"];

function listChangedCalls({ unedited, after }: BothTables, read: Read, row: Row): readonly ChangedCall[] {
  return after.tools.flatMap((tool, index): readonly ChangedCall[] => {
    const list = findRunnable(after, row, index);
    const old = unedited.tools[index];
    if (list === undefined || old === undefined) return [];
    const flows = [mayFlow(read.was, old.sink), mayFlow(read.is, tool.sink)];
    const isRaised = list.floors.some((floor) => isMetAt(floor, read.was) !== isMetAt(floor, read.is));
    // Most calls do not depend on labels. They are left out without a decision, which saves time.
    if (flows[0] === flows[1] && !isRaised && row.releases.length === 0) return [];
    const [was, is] = [decideCall(unedited, read, index, "was"), decideCall(after, read, index, "is")];
    return was === is ? [] : [{ ...makeExample(after, row, index), before: was, after: is }];
  });
}

function isMetAt(floor: Floor, label: Label): boolean {
  return isMet(floor, { label, unattended: false });
}

function listChangedAnswers({ backends }: IndexedTables, read: Read, row: Row): readonly ChangedCall[] {
  return row.backends.flatMap(({ backend, mode }): readonly ChangedCall[] => {
    const one = backends[backend];
    if (one === undefined || mode === "forbidden") return [];
    const [was, is] = [read.was, read.is].map(
      (label): LabelOutcome => (mayFlow(label, one.clearance) ? mode : "refusedByPolicy"),
    );
    if (was === undefined || is === undefined || was === is) return [];
    return [{ tool: `an answer of ${one.name}`, arguments: undefined, heard: [], before: was, after: is }];
  });
}

function makeExample(tables: IndexedTables, row: Row, index: number): ExampleCall {
  const tool = tables.tools[index];
  const list = findRunnable(tables, row, index);
  const found = tool && list && findLoosestCall(tool, list);
  return { tool: tool?.name ?? "", arguments: found?.text, heard: nameOrigins(found?.heard ?? []) };
}

/**
 * Returns the rules with conditions on labels or on the trust of sources, if the edit causes these conditions to be met
 * more or less often.
 */
function findRuleEffects(after: IndexedTables, reads: readonly Read[]): readonly RuleEffect[] {
  const effects = new Map<string, RuleEffect>();
  const add = (rule: number, kind: RuleEffect["kind"]) => effects.set(`${rule} ${kind}`, { rule, kind });
  for (const { row: at, tool, was, is } of reads) {
    const row = after.rows[at];
    if (tool === undefined || row === undefined) continue;
    for (const index of after.tools.keys()) {
      const list = findRunnable(after, row, index);
      for (const floor of list?.floors ?? []) {
        const [before, now] = [isMetAt(floor, was), isMetAt(floor, is)];
        if (before !== now) add(floor.rule, before ? "disarmed" : "armed");
      }
      for (const { conditions, rule } of [...(list?.clauses ?? []), ...(list?.floors ?? [])]) {
        for (const source of conditions.flatMap(({ sources }) => sources)) {
          const [before, now] = [isOfTrust(source, was.integrity), isOfTrust(source, is.integrity)];
          if (before !== now) add(rule, before ? "disarmed" : "armed");
        }
      }
    }
  }
  return [...effects.values()].sort((one, other) => one.rule - other.rule);
}

/**
 * Returns whether text of this integrity counts as text of the source; `undefined` if the source is not defined by a
 * level of integrity.
 */
function isOfTrust(source: Source, integrity: number): boolean | undefined {
  if (source.which === "untrusted") return integrity === 0;
  return source.which === "atLeast" ? integrity >= source.atLeast : undefined;
}
