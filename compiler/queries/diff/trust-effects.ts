// Finds calls that are decided differently because text of an edited service became more or less trusted. For example,
// a call of `mail.send` has an address from a result of the service. After the edit, a condition such as `from
// untrusted` begins or ceases to hold for this address.

import { type IndexedTables, isMet, type Json, join, type Label } from "../../../engine/lib/policy/index.ts";
import {
  addPageTexts,
  addResult,
  createStrengthTest,
  SourceIndex,
  viewSources,
} from "../../../engine/lib/provenance/index.ts";
import type { Condition, Decision, Row, Source, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { serializeValue } from "../../phases/policy/index.ts";
import { findModePairs, type Heard, type ModePair, nameOrigins } from "../../phases/prove/index.ts";
import { type CallOutcome, decideCall, type ExampleCall, findRunnable, rankOutcome } from "./example-calls.ts";
import { renderParams } from "./normalize.ts";

/** A read whose text has another integrity than before the edit. */
export interface TrustEdit {
  /** Index of the row. */
  readonly row: number;
  /** Index of the tool that returns the text. */
  readonly tool: number;
  /** Label of the conversation after the read: `was` with the tool's old labels, `is` with its new labels. */
  readonly was: Label;
  readonly is: Label;
}

/** A call that is decided differently because of the value that it passes on. */
interface TrustEffect extends ExampleCall {
  /** Values from the result of the read. `heard` does not contain the sources of these values. */
  readonly given: readonly (string | number)[];
  readonly before: CallOutcome;
  readonly after: CallOutcome;
}

/** Tables with the older labels (`unedited`), and the same tables with the newer labels. */
interface BothTables {
  readonly unedited: IndexedTables;
  readonly after: IndexedTables;
}

/** Returns whether the edit changes the integrity of the text that a tool returns. */
export function isTrustEdited({ unedited, after }: BothTables, tool: number): boolean {
  return getTrust(unedited, tool) !== getTrust(after, tool);
}

/** Returns the integrity that the gate gives to text of a tool. */
function getTrust({ tools }: IndexedTables, tool: number): number {
  return tools[tool]?.result.high.integrity ?? 0;
}

/**
 * Returns the rules with a condition on a source that text of the tool matches only before the edit (`disarmed`), or
 * only after it (`armed`).
 */
export function findTrustRules(
  both: BothTables,
  row: Row,
  tool: number,
): readonly { readonly rule: number; readonly kind: "disarmed" | "armed" }[] {
  const change = createTrustChange(both, tool);
  return [...both.after.tools.keys()].flatMap((index) => {
    const list = findRunnable(both.after, row, index);
    return [...(list?.clauses ?? []), ...(list?.floors ?? [])].flatMap(({ conditions, rule }) =>
      conditions
        .flatMap(({ sources }) => sources)
        .filter((source) => change.before(source) !== change.after(source))
        .map((source) => ({ rule, kind: change.before(source) ? ("disarmed" as const) : ("armed" as const) })),
    );
  });
}

/** Tests, with the labels before and after the edit, whether text of the read may count as text of a source. */
interface TrustChange {
  readonly before: (source: Source) => boolean;
  readonly after: (source: Source) => boolean;
}

function createTrustChange({ unedited, after }: BothTables, tool: number): TrustChange {
  const [was, is] = [getTrust(unedited, tool), getTrust(after, tool)];
  return { before: (source) => isOfTrust(source, was), after: (source) => isOfTrust(source, is) };
}

/**
 * Returns whether text of this integrity may count as text of the source. Only the source `untrusted` and a source
 * `atLeast`, which is an integrity level, depend on the integrity.
 */
function isOfTrust(source: Source, integrity: number): boolean {
  if (source.which === "untrusted") return integrity === 0;
  return source.which !== "atLeast" || integrity >= source.atLeast;
}

/**
 * Returns for each tool the call whose decision changes most, if it passes on values from the result of the edited
 * read. The decisions before and after the edit both look up the sources of the values in an index, as the gate does.
 * Calls with values of unknown origin are left out.
 */
export function findTrustEffects(both: BothTables, edit: TrustEdit): readonly TrustEffect[] {
  const { after } = both;
  const row = after.rows[edit.row];
  if (row === undefined) return [];
  const change = createTrustChange(both, edit.tool);
  return after.tools.flatMap((tool, index): readonly TrustEffect[] => {
    const list = findRunnable(after, row, index);
    if (list === undefined || !isAboutTrust(list, change)) return [];
    const effects = listCandidates(tool, list, edit, change)
      .slice(0, MOST_TRIED)
      .flatMap((pair) => decidePair(both, edit, tool, pair));
    return effects
      .toSorted((one, other) => measureStep(other) - measureStep(one) || one.heard.length - other.heard.length)
      .slice(0, 1);
  });
}

/** Maximum number of calls to decide for one tool. */
const MOST_TRIED = 16;

function measureStep({ before, after }: Pick<TrustEffect, "before" | "after">): number {
  return Math.abs(rankOutcome(after) - rankOutcome(before));
}

function isAboutTrust({ clauses, floors }: Decision, { before, after }: TrustChange): boolean {
  return [...clauses, ...floors].some(({ conditions }) =>
    conditions.some(({ sources }) => sources.some((source) => before(source) !== after(source))),
  );
}

const CANDIDATES = new WeakMap<Decision, Map<string, readonly ModePair[]>>();

/**
 * Returns example calls whose mode may change. The greatest change comes first. The calls are stored, because they are
 * the same for many edited reads.
 */
function listCandidates(tool: Tool, list: Decision, edit: TrustEdit, change: TrustChange): readonly ModePair[] {
  const [older, newer] = [narrowList(list, edit.was, change.before), narrowList(list, edit.is, change.after)];
  const known = CANDIDATES.get(list) ?? new Map<string, readonly ModePair[]>();
  CANDIDATES.set(list, known);
  const key = [renderParams(tool.params), ...[older, newer].map((one) => serializeValue(one))].join(" ");
  const found = known.get(key) ?? searchCandidates(tool, older, newer);
  known.set(key, found);
  return found;
}

/**
 * Returns the list without the floors whose label conditions do not hold at `label`. The conditions keep a source only
 * if text of the read may count as text of this source.
 */
function narrowList(list: Decision, label: Label, isPossible: (source: Source) => boolean): Decision {
  const narrow = (condition: Condition) => ({ ...condition, sources: condition.sources.filter(isPossible) });
  return {
    clauses: list.clauses.map((clause) => ({ ...clause, conditions: clause.conditions.map(narrow) })),
    floors: list.floors
      .filter((floor) => isMet(floor, { label, unattended: false }))
      .map((floor) => ({ ...floor, conditions: floor.conditions.map(narrow) })),
  };
}

function searchCandidates({ params }: Tool, older: Decision, newer: Decision): readonly ModePair[] {
  return findModePairs(params, older, newer)
    .pairs.filter(({ before, after, arguments: asked, heard = [] }) => {
      return before !== after && asked !== undefined && !heard.some(({ standing }) => standing === "unknown");
    })
    .toSorted((one, other) => measureStep(other) - measureStep(one));
}

/**
 * Decides a candidate with the labels before and after the edit, in a conversation that has received the values of the
 * call.
 */
function decidePair(
  { unedited, after }: BothTables,
  edit: TrustEdit,
  tool: Tool,
  { arguments: asked, heard = [], chosen }: ModePair,
): readonly TrustEffect[] {
  const origins = nameOrigins(heard).filter(({ standing }) => standing !== "none");
  const given = new Set(origins.filter(isOfRead).map(({ value }) => value));
  const others = origins.filter((one) => !isOfRead(one) && !isFieldOf(one, after.tools[edit.tool]));
  if (asked === undefined || given.size === 0) return [];
  const fields = new Map([...given].map((value) => [value, chooseField(after, edit.tool, { value, origins })]));
  const decideOn = (tables: IndexedTables, label: Label): CallOutcome | undefined => {
    const index = new SourceIndex(EXAMPLE_KEY);
    addPageTexts(index, tables);
    let now = label;
    const read = (name: string, field: string, value: Heard["value"]) => {
      const one = tables.tools[tables.toolIndex.get(name) ?? -1];
      if (one === undefined) return;
      now = join(now, one.result.low);
      const { integrity } = one.result.high;
      addResult(index, { tool: name, service: one.provider, integrity, value: nestValue(field, value), arguments: {} });
    };
    for (const [value, field] of fields) read(after.tools[edit.tool]?.name ?? "", field, value);
    for (const { value, sources } of others) {
      const [source] = sources;
      if (source?.which === "field" && source.field.related.length === 0)
        read(source.field.tool, source.field.name, value);
      else if (source?.which === "person" || source?.which === "pasted" || source?.which === "page")
        index.add({ which: source.which }, String(value));
      else return undefined;
    }
    const sources = viewSources(index, createStrengthTest(tables));
    return decideCall(tables, { row: edit.row, label: now }, { tool: tool.name, arguments: asked, sources, chosen });
  };
  const [before, now] = [decideOn(unedited, edit.was), decideOn(after, edit.is)];
  if (before === undefined || now === undefined || rankOutcome(before) === rankOutcome(now)) return [];
  return [{ tool: tool.name, arguments: asked, heard: others, given: [...given], before, after: now }];
}

/** Key of the index of sources. This index is never stored, so its key need not be secret. */
const EXAMPLE_KEY = "0".repeat(32);

/**
 * Returns whether the value of an example comes from the edited read: its assumed source is an integrity level or
 * `untrusted`.
 */
function isOfRead({ sources: [source] }: Heard): boolean {
  return source?.which === "untrusted" || source?.which === "atLeast";
}

function isFieldOf({ sources: [source] }: Heard, tool: Tool | undefined): boolean {
  return source?.which === "field" && source.field.tool === tool?.name;
}

/** A value that an example call passes on, and the assumed origins of all values of this call. */
interface ReadValue {
  readonly value: Heard["value"];
  readonly origins: readonly Heard[];
}

/**
 * Returns the field of the tool's result that contains the value in an example. If an assumed origin of the value names
 * a field of this tool, returns that field. Otherwise returns a strong field if the value must be strong, or else a
 * field that some condition names. An empty text means that the whole result is the value.
 */
function chooseField(tables: IndexedTables, index: number, { value, origins }: ReadValue): string {
  const tool = tables.tools[index];
  const about = origins.filter((one) => one.value === value);
  const named = about.flatMap(({ sources: [source] }) =>
    source?.which === "field" && source.field.tool === tool?.name ? [source.field.name] : [],
  );
  const [strong] = about.some(({ standing }) => standing === "strong") ? (tool?.strong ?? []) : [];
  return named[0] ?? strong ?? listNamedFields(tables, index)[0] ?? "";
}

/**
 * Returns the fields of this tool, or of the same method of another service, that conditions name as sources. A result
 * of the tool probably has these fields.
 */
export function listNamedFields({ decisions, tools, toolIndex }: IndexedTables, index: number): readonly string[] {
  const tool = tools[index];
  const sources = decisions
    .flatMap(({ clauses, floors }) => [...clauses, ...floors])
    .flatMap(({ conditions }) => conditions.flatMap((condition) => condition.sources));
  return sources.flatMap((source) => {
    if (source.which !== "field") return [];
    const named = tools[toolIndex.get(source.field.tool) ?? -1];
    return named?.interfaceId === tool?.interfaceId && named?.method === tool?.method ? [source.field.name] : [];
  });
}

/** Returns the result of a tool whose field `a.b` is the value. */
function nestValue(field: string, value: Json): Json {
  return field === "" ? value : field.split(".").reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
}
