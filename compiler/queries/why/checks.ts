import {
  type Conversation,
  canonicalizeArguments,
  chargeCall,
  checkFlow,
  checkRecord,
  computeMode,
  type Decision,
  decide,
  evaluateConditions,
  FIRST_DECISION,
  findDisplaced,
  formatLabel,
  type IndexedTables,
  isMet,
  type JsonRecord,
  listOutcomes,
  renderPlainArguments,
  SUPPRESSED,
  type Truth,
  weaken,
} from "../../../engine/lib/policy/index.ts";
import { decideAtGate } from "../../../engine/lib/reach/decide-at-gate.ts";
import { renderTarget } from "../../../engine/lib/reach/place.ts";
import { resolveToolTarget } from "../../../engine/lib/reach/tool.ts";
import type { Decision as DecisionList, Floor, Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { findNearest } from "../../../lang/diagnostics/index.ts";
import type { Question } from "./question.ts";

// Describes the checks of a decision in order. The decision itself comes from `decide`, and a test compares the
// description with it.

type CheckName = "tool" | "arguments" | "mode" | "flow" | "quota" | "gate";

export interface CheckResult {
  readonly name: CheckName;
  /** `decides`: this check made the decision, so later checks were not made (`notAsked`). */
  readonly verdict: "passes" | "decides" | "notAsked";
  readonly words: readonly string[];
}

interface CheckTrace {
  readonly decision: Decision;
  readonly checks: readonly CheckResult[];
  /** Whether the grant of the tool's service does not cover the call. */
  readonly isOutsideGrant: boolean;
  /** Arguments as JSON text; in canonical form if the call may run. */
  readonly arguments: string;
}

const ORDER: readonly CheckName[] = ["tool", "arguments", "mode", "flow", "quota", "gate"];

export function trace(tables: IndexedTables, conversation: Conversation, question: Question): CheckTrace {
  const tool = tables.tools[tables.toolIndex.get(question.tool) ?? -1];
  const text = question.arguments ?? (tool === undefined ? "{}" : renderPlainArguments(tool.params));
  const made = decide(tables, conversation, { tool: question.tool, arguments: text });
  // The grant is checked only if the person stated the arguments of the call. Otherwise capc chooses arguments, and
  // these name no server.
  const isAsked = question.arguments !== undefined && tool !== undefined && made.kind === "gated";
  const decision = isAsked ? decideAtGate(tables, conversation, { tool: question.tool, arguments: text }) : made;
  const target = isAsked ? resolveToolTarget(tool, made.arguments) : undefined;
  const said = new Map(
    describeChecks(tables, conversation, question.tool, text).map((check) => [check.name, check.words]),
  );
  if (target?.ok === true)
    said.set("gate", [`it sends ${tool?.methodName.toUpperCase()} ${renderTarget(target.value)}`]);
  // The last check that was made is the deciding one.
  const last = [...said.keys()].at(-1) ?? "tool";
  const checks = ORDER.map((name): CheckResult => {
    const verdict = name === last ? "decides" : said.has(name) ? "passes" : "notAsked";
    return {
      name,
      verdict,
      words: name === last ? [...(said.get(name) ?? []), decision.reason] : (said.get(name) ?? []),
    };
  });
  const isOutsideGrant = target?.ok === false;
  return { decision, checks, isOutsideGrant, arguments: decision.kind === "gated" ? decision.arguments : text };
}

interface CheckText {
  readonly name: CheckName;
  readonly words: readonly string[];
}

/** Returns the checks that are made, in order. The last of them decides about the call. */
function describeChecks(tables: IndexedTables, now: Conversation, name: string, text: string): CheckText[] {
  const row = tables.rows[now.row];
  if (row?.requiresTask === true) return [{ name: "tool", words: [] }];
  const index = tables.toolIndex.get(name) ?? -1;
  const tool = tables.tools[index];
  const list = tables.decisions[(row?.cells[index] ?? 0) - FIRST_DECISION];
  const there = tool === undefined ? explainAbsence(tables, name) : describeExistence(row?.cells[index] ?? SUPPRESSED);
  const made: CheckText[] = [{ name: "tool", words: [there] }];
  if (tool === undefined || row === undefined || list === undefined) return made;
  const args = canonicalizeArguments(text);
  made.push({ name: "arguments", words: args.ok ? [args.value.text] : [] });
  if (!args.ok || checkRecord(tool.params, args.value.value) !== undefined) return made;
  made.push({ name: "mode", words: describeMode(tables, list, args.value.value, now) });
  const { mode } = computeMode(list, args.value.value, now);
  if (mode === "forbidden") return made;
  const flow = checkFlow(tables, row, now, index);
  made.push({ name: "flow", words: describeFlow(tables, tool, now) });
  if (!flow.ok) return made;
  const gated = mode !== "auto" || flow.value !== undefined;
  const charge = { tool, arguments: args.value.text, prompts: gated ? 1 : 0 };
  const { spent, exhausted } = chargeCall(tables, row, now, charge);
  made.push({ name: "quota", words: row.quotas.map((quota, at) => describeQuota(tables, quota, spent[at] ?? 0n)) });
  return exhausted === undefined ? [...made, { name: "gate", words: [] }] : made;
}

function explainAbsence({ toolIndex }: IndexedTables, name: string): string {
  const near = findNearest(name, toolIndex.keys());
  const hint = near === undefined ? "" : `; did you mean ${near}?`;
  return `no service of the page has such a method that is classified${hint}`;
}

function describeExistence(cell: number): string {
  if (cell === SUPPRESSED) return "suppressed here, or outside of an `only`";
  return cell < FIRST_DECISION ? "no line covers it here" : "it exists here, and is offered";
}

const TRUTH_WORDS = {
  holds: "holds",
  holdsWeakly: "holds by words that an outsider may have chosen",
  fails: "fails",
};

function describeMode(tables: IndexedTables, list: DecisionList, args: JsonRecord, now: Conversation): string[] {
  const renderRule = (rule: number) => `${tables.rules[rule]?.words} (${tables.rules[rule]?.place})`;
  const truths = list.clauses.map(({ conditions }) => evaluateConditions(conditions, args, now));
  const lines = list.clauses.map(
    (clause, at) => `${describeClause(tables, list, truths, at)}: ${renderRule(clause.rule)}`,
  );
  const floors = list.floors.map((floor) => `${describeFloor(floor, args, now)}: ${renderRule(floor.rule)}`);
  return [...lines, ...floors];
}

/** Describes the mode that a floor requires for the arguments, and why its condition holds or fails. */
function describeFloor(floor: Floor, args: JsonRecord, now: Conversation): string {
  if (!isMet(floor, now)) return "not met";
  if (floor.conditions.length === 0) return `at least ${floor.mode}`;
  const truth = evaluateConditions(floor.conditions, args, now);
  if (truth === "unknown") return `at least ${floor.mode}, for its condition cannot be evaluated`;
  return `${truth === "fails" ? "does not count" : `at least ${floor.mode}`}, for its condition ${TRUTH_WORDS[truth]}`;
}

/**
 * Describes the mode of a line for the arguments. If another line of the same pattern takes precedence, states why the
 * line does not count.
 */
function describeClause(
  tables: IndexedTables,
  { clauses }: DecisionList,
  truths: readonly Truth[],
  at: number,
): string {
  const { conditions = [], met, otherwise } = clauses[at] ?? {};
  const truth = truths[at] ?? "unknown";
  if (truth === "unknown") return "the strictest, for its condition cannot be evaluated";
  if (!truths.includes("unknown")) {
    const by = findDisplaced(clauses, truths).get(at);
    if (by !== undefined) return `displaced by the more specific "${tables.rules[clauses[by]?.rule ?? -1]?.words}"`;
    const isCounting = listOutcomes(clauses, truths).some(({ clause }) => clause === at);
    if (!isCounting) return "does not count, for its condition fails and another line of its pattern matches";
  }
  if (conditions.length === 0 || met === undefined) return `${met}`;
  const mode = { holds: met, holdsWeakly: weaken(met), fails: otherwise }[truth];
  return `${mode}, for its condition ${TRUTH_WORDS[truth]}`;
}

function describeFlow(tables: IndexedTables, tool: Tool, { label }: Conversation): string[] {
  const here = `the conversation is at ${formatLabel(tables.lattice, label)}`;
  if (tool.readOnly && !tool.networked) return [`${here}; a read-only call on this machine tells its provider nothing`];
  return [`${here}; the arguments flow to ${tool.provider} at ${formatLabel(tables.lattice, tool.sink)}`];
}

function describeQuota(
  tables: IndexedTables,
  { amount, rule }: { amount: bigint; rule: number },
  spent: bigint,
): string {
  return `${spent} of ${amount}: ${tables.rules[rule]?.words} (${tables.rules[rule]?.place})`;
}
