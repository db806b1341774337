import {
  admit,
  type Conversation,
  decide,
  FIRST_DECISION,
  type GatedDecision,
  type IndexedTables,
  isMet,
  isSameLabel,
  startTurn,
} from "../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { Quota } from "../../../engine/lib/wire/generated/policy.ts";
import { fillIn } from "./arguments/chosen.ts";
import { assumeSources } from "./arguments/heard.ts";
import { findArguments } from "./arguments.ts";
import { encodeGate, GATES } from "./modes.ts";
import type { WitnessCall, WitnessStep } from "./proof.ts";
import type { TraceCall } from "./trace.ts";

// Replays one call of a trace. The functions that the image runs decide the call and admit its result.

/** Which steps of a replay belong to the same turn or login, and so share its quotas. */
export interface QuotaSharing {
  /** Whether all steps of a conversation belong to one turn; otherwise each step is a separate turn. */
  readonly sameTurn: boolean;
  /** Whether all conversations belong to one login; otherwise each has its own login. */
  readonly sameLogin: boolean;
}

/** The context in which all conversations of one trace are replayed. */
export interface ReplayContext {
  readonly tables: IndexedTables;
  readonly sharing: QuotaSharing;
  /** Usage of quotas that continue over several conversations, by rule. */
  readonly lastingUsage: Map<number, bigint>;
}

/**
 * The conversation after a replayed step, and this step as steps of a witness; or the reason for which the step is
 * impossible.
 */
export type StepResult = Result<{ readonly conversation: Conversation; readonly steps: readonly WitnessStep[] }>;

/** Replays a call. The function uses the first arguments for which the call runs behind one of the wanted gates. */
export function replayCall(
  { tables }: ReplayContext,
  conversation: Conversation,
  { tool: index, gates, back }: TraceCall,
): StepResult {
  const tool = tables.tools[index];
  const list = tables.decisions[(tables.rows[conversation.row]?.cells[index] ?? 0) - FIRST_DECISION];
  if (tool === undefined || list === undefined) return refuse("a tool is called that is not there");
  // The search needs only the floors with conditions: a floor without conditions does not depend on the arguments, and
  // the gate applies it to any found arguments.
  const asking = list.floors.filter((floor) => floor.conditions.length > 0 && isMet(floor, conversation));
  const found = findArguments(tool, fillIn({ ...list, floors: asking }, conversation.parameters));
  let why = `no arguments of ${tool.name} lead there`;
  for (const mode of GATES) {
    const args = found[mode];
    if (args.kind === "unknown") why = `of ${tool.name}, ${args.why}`;
    if (args.kind !== "some") continue;
    const heard = args.heard.length === 0 ? {} : { heard: args.heard };
    // If a conversation has received no texts, conditions on sources fail; they are not unknown.
    const now = { ...conversation, sources: assumeSources(args.heard) };
    const decision = decide(tables, now, { tool: tool.name, arguments: args.arguments });
    if (decision.kind === "refused") {
      why = explainBlockingRule(tables, conversation, decision.rule) ?? `${tool.name} is refused: ${decision.reason}`;
      continue;
    }
    if ((encodeGate(decision.gate) & gates) === 0) continue;
    return completeCall(tables, conversation, { ...decision, ...heard }, back);
  }
  return refuse(why);
}

/**
 * Replays a call that a trace makes several times. Only the first two calls are replayed; the result of the others is
 * computed from them. If a call changes only the usage of quotas, it can be repeated until a quota is used up.
 */
export function replayCalls(
  context: ReplayContext,
  conversation: Conversation,
  call: TraceCall,
  times: number,
): StepResult {
  const first = replayCall(context, conversation, call);
  if (times < 2 || !first.ok) return first;
  const between = first.value.conversation;
  const again = replayCall(context, context.sharing.sameTurn ? between : startTurn(context.tables, between), call);
  if (!again.ok) return again;
  const { steps, conversation: after } = again.value;
  if (!isSameLabel(after.label, between.label)) return refuse("what comes back changes the conversation each time");
  const quotas = context.tables.rows[after.row]?.quotas ?? [];
  const isRenewed = (scope: string) => scope === "call" || (scope === "turn" && !context.sharing.sameTurn);
  const spent = quotas.map(({ scope }, at) => {
    const [used, before] = [after.spent[at] ?? 0n, between.spent[at] ?? 0n];
    return isRenewed(scope) ? used : used + (used - before) * BigInt(times - 2);
  });
  const exhausted = quotas.find(({ scope, amount }, at) => !isRenewed(scope) && (spent[at] ?? 0n) > amount);
  if (exhausted !== undefined) return refuse(explainQuotaBlock(context.tables, exhausted));
  return accept({ conversation: { ...after, spent }, steps: mergeRepeatedSteps(first.value.steps, steps, times) });
}

/** Merges equal steps into one step. If the first step differs from the others, it stays separate. */
function mergeRepeatedSteps(
  [first]: readonly WitnessStep[],
  [other]: readonly WitnessStep[],
  times: number,
): WitnessStep[] {
  if (first?.kind !== "call" || other?.kind !== "call") return [];
  const isSameHeard = JSON.stringify(first.heard ?? []) === JSON.stringify(other.heard ?? []);
  const alike =
    isSameHeard && (["arguments", "gate", "rule", "release"] as const).every((part) => first[part] === other[part]);
  if (alike) return [{ ...first, times }];
  return times === 2 ? [first, other] : [first, { ...other, times: times - 1 }];
}

function explainBlockingRule(
  tables: IndexedTables,
  { row }: Conversation,
  rule: number | undefined,
): string | undefined {
  const quota = tables.rows[row]?.quotas.find((one) => one.rule === rule);
  return quota && explainQuotaBlock(tables, quota);
}

/** Renders the reason of a verdict that is undetermined only because of a quota. */
export function explainQuotaBlock({ rules }: IndexedTables, { rule }: Quota): string {
  return `blocked only by quota \`${rules[rule]?.words.replace(/^quota /, "")}\``;
}

/**
 * Returns the conversation after a call that the gate lets run, and after its result. Fails if the label of this
 * conversation differs from the label in the trace.
 */
function completeCall(
  tables: IndexedTables,
  before: Conversation,
  { tool: index, arguments: text, gate, rule, release, spent, heard }: GatedDecision & Pick<WitnessCall, "heard">,
  back: TraceCall["back"],
): StepResult {
  const tool = tables.tools[index]?.name ?? "";
  const said = heard === undefined ? {} : { heard };
  const decided = { kind: "call", tool, arguments: text, ...said, gate, rule } as const;
  const called = release === undefined ? decided : { ...decided, release };
  if (back === undefined) {
    return accept({ conversation: { ...before, spent }, steps: [{ ...called, label: before.label }] });
  }
  const { conversation } = admit(tables, { ...before, spent }, index, back.stated);
  if (!isSameLabel(conversation.label, back.label ?? conversation.label))
    return refuse(`${tool} leads to another label than was reckoned with`);
  const step = { ...called, returning: back.stated, label: conversation.label };
  return accept({ conversation, steps: [step] });
}
