// Finds an example call of a tool in one row of tables, and decides it as the gate does.

import {
  type ChosenValues,
  decide,
  FIRST_DECISION,
  type IndexedTables,
  type Label,
  type PermissionMode,
  type Sources,
} from "../../../engine/lib/policy/index.ts";
import type { Decision, Row, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { MODES } from "../../../lang/grammar/index.ts";
import { reachOfList } from "../../phases/policy/index.ts";
import { assumeSources, findModePairs, type Heard, nameOrigins } from "../../phases/prove/index.ts";
import { renderParams } from "./normalize.ts";

export interface ExampleCall {
  readonly tool: string;
  /** Arguments as canonical JSON; `undefined` if none were found, or for an answer of a backend. */
  readonly arguments: string | undefined;
  readonly heard: readonly Heard[];
}

/** Decision of a call; `refusedByPolicy` if its arguments may not flow to the tool. */
export type CallOutcome = PermissionMode | "refusedByPolicy";

/** Returns the rank of an outcome; a higher rank is stricter. Every refusal has the rank of `forbidden`. */
export function rankOutcome(outcome: CallOutcome): number {
  return MODES.indexOf(outcome === "refusedByPolicy" ? "forbidden" : outcome);
}

export function isRefused(outcome: CallOutcome): boolean {
  return outcome === "forbidden" || outcome === "refusedByPolicy";
}

/** Returns the decision list of a tool in a row, or `undefined` if the list forbids every call. */
export function findRunnable({ decisions }: IndexedTables, row: Row, tool: number): Decision | undefined {
  const list = decisions[(row.cells[tool] ?? 0) - FIRST_DECISION];
  return list !== undefined && reachOfList(list.clauses).loosest !== "forbidden" ? list : undefined;
}

/** A conversation at the moment of a call. */
interface AskedAt {
  /** Index of the row. */
  readonly row: number;
  readonly label: Label;
}

/** Returns the decision about the loosest example call of a tool. */
export function decideExample(tables: IndexedTables, at: AskedAt, index: number): CallOutcome {
  const tool = tables.tools[index];
  const row = tables.rows[at.row];
  const list = row && findRunnable(tables, row, index);
  if (tool === undefined || list === undefined) return "forbidden";
  const { text = "{}", heard, chosen } = findLoosestCall(tool, list);
  return decideCall(tables, at, { tool: tool.name, arguments: text, sources: assumeSources(heard), chosen });
}

/** A call with everything on which its decision depends, except the label of the conversation. */
interface AskedCall {
  readonly tool: string;
  readonly arguments: string;
  readonly sources: Sources;
  readonly chosen: ChosenValues | undefined;
}

/** Returns the decision about a call, if no quota is used up and a person is present. */
export function decideCall(tables: IndexedTables, { row, label }: AskedAt, call: AskedCall): CallOutcome {
  const { sources, chosen, tool } = call;
  const spent = (tables.rows[row]?.quotas ?? []).map(() => 0n);
  const conversation = { row, label, unattended: false, spent, sources, parameters: chosen };
  const decision = decide(tables, conversation, { tool, arguments: call.arguments });
  if (decision.kind === "gated") return decision.gate;
  return decision.mode === "forbidden" ? "forbidden" : "refusedByPolicy";
}

/** Returns the call with the loosest mode of a tool, as an example for a reader. */
export function makeExample(tables: IndexedTables, row: Row, index: number): ExampleCall {
  const tool = tables.tools[index];
  const list = findRunnable(tables, row, index);
  const found = tool && list && findLoosestCall(tool, list);
  return { tool: tool?.name ?? "", arguments: found?.text, heard: nameOrigins(found?.heard ?? []) };
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
