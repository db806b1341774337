import {
  accept,
  admit,
  type Checked,
  type Conversation,
  decide,
  FIRST_DECISION,
  type Gated,
  type IndexedTables,
  isSameLabel,
  refuse,
  startTurn,
} from "../../../engine/lib/policy/index.ts";
import type { Quota } from "../../../engine/lib/wire/generated/policy.ts";
import { findArguments } from "./arguments.ts";
import { encodeGate, GATES } from "./modes.ts";
import type { WitnessStep } from "./proof.ts";
import type { CallAct } from "./story.ts";

// One call of a story, decided and admitted by the functions that the image runs.

/** What goes on being counted from step to step. */
export interface Counting {
  /** All steps of a conversation are one turn; else each is one of its own. */
  readonly sameTurn: boolean;
  /** All conversations are of one login; else each is of one of its own. */
  readonly sameLogin: boolean;
}

/** What all conversations of one story are played on. */
export interface Stage {
  readonly tables: IndexedTables;
  readonly counting: Counting;
  /** What was used of quotas that outlast conversations, by their rules. */
  readonly kept: Map<number, bigint>;
}

/** The conversation after a step, and what is told of the step; or why it does not come about. */
export type Stepped = Checked<{ readonly conversation: Conversation; readonly steps: readonly WitnessStep[] }>;

/** With the first arguments that lead to one of the gates that are wanted. */
export function playCall(
  { tables }: Stage,
  conversation: Conversation,
  { tool: index, gates, back }: CallAct,
): Stepped {
  const tool = tables.tools[index];
  const list = tables.decisions[(tables.rows[conversation.row]?.cells[index] ?? 0) - FIRST_DECISION];
  if (tool === undefined || list === undefined) return refuse("a tool is called that is not there");
  const found = findArguments(tool, list);
  let why = `no arguments of ${tool.name} lead there`;
  for (const mode of GATES) {
    const args = found[mode];
    if (args.kind === "unknown") why = `of ${tool.name}, ${args.why}`;
    if (args.kind !== "some") continue;
    const decision = decide(tables, conversation, { tool: tool.name, arguments: args.arguments });
    if (decision.kind === "refused") {
      why = explainBlockingRule(tables, conversation, decision.rule) ?? `${tool.name} is refused: ${decision.reason}`;
      continue;
    }
    if ((encodeGate(decision.gate) & gates) === 0) continue;
    return completeCall(tables, conversation, tool.name, decision, back);
  }
  return refuse(why);
}

/**
 * The first two are played, and the others reckoned: a call that leaves a conversation as it found it, but for what was used,
 * can be made again for as long as its quotas last.
 */
export function playCalls(stage: Stage, conversation: Conversation, act: CallAct, times: number): Stepped {
  const first = playCall(stage, conversation, act);
  if (times < 2 || !first.ok) return first;
  const between = first.value.conversation;
  const again = playCall(stage, stage.counting.sameTurn ? between : startTurn(stage.tables, between), act);
  if (!again.ok) return again;
  const { steps, conversation: after } = again.value;
  if (!isSameLabel(after.label, between.label)) return refuse("what comes back changes the conversation each time");
  const quotas = stage.tables.rows[after.row]?.quotas ?? [];
  const isRenewed = (scope: string) => scope === "call" || (scope === "turn" && !stage.counting.sameTurn);
  const spent = quotas.map(({ scope }, at) => {
    const [used, before] = [after.spent[at] ?? 0n, between.spent[at] ?? 0n];
    return isRenewed(scope) ? used : used + (used - before) * BigInt(times - 2);
  });
  const exhausted = quotas.find(({ scope, amount }, at) => !isRenewed(scope) && (spent[at] ?? 0n) > amount);
  if (exhausted !== undefined) return refuse(explainQuotaBlock(stage.tables, exhausted));
  return accept({ conversation: { ...after, spent }, steps: mergeRepeatedSteps(first.value.steps, steps, times) });
}

/** The first one apart where it is not like the others. */
function mergeRepeatedSteps(
  [first]: readonly WitnessStep[],
  [other]: readonly WitnessStep[],
  times: number,
): WitnessStep[] {
  if (first?.kind !== "call" || other?.kind !== "call") return [];
  const alike = (["arguments", "gate", "rule", "release"] as const).every((part) => first[part] === other[part]);
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

/** The reason by which a verdict is undetermined for a quota alone. */
export function explainQuotaBlock({ rules }: IndexedTables, { rule }: Quota): string {
  return `blocked only by quota \`${rules[rule]?.words.replace(/^quota /, "")}\``;
}

function completeCall(
  tables: IndexedTables,
  before: Conversation,
  tool: string,
  { tool: index, arguments: text, gate, rule, release, spent }: Gated,
  back: CallAct["back"],
): Stepped {
  const asked = { kind: "call", tool, arguments: text, gate, rule } as const;
  const called = release === undefined ? asked : { ...asked, release };
  if (back === undefined) {
    return accept({ conversation: { ...before, spent }, steps: [{ ...called, label: before.label }] });
  }
  const { conversation } = admit(tables, { ...before, spent }, index, back.stated);
  if (!isSameLabel(conversation.label, back.label ?? conversation.label))
    return refuse(`${tool} leads to another label than was reckoned with`);
  const step = { ...called, returning: back.stated, label: conversation.label };
  return accept({ conversation, steps: [step] });
}
