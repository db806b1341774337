// Computes how often people are asked in the worst case. Every call behind a gate is one prompt, and so is a gate
// before a phase. A call with remembered consent counts as a prompt too, because another person may be present.
import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Quota, Row } from "../../../../engine/lib/wire/generated/policy.ts";
import type { PromptDemand, Questions } from "../findings.ts";
import { type ConversationRows, collectCounters, groupRowsByConversation } from "./counters.ts";
import { findLeastCover } from "./cover.ts";
import type { PromptReachability } from "./prompt-reachability.ts";

/** Returns the prompt demand of each task, and of each session outside of tasks, in the order of the tables' rows. */
export function promptDemand(tables: IndexedTables, reachability: PromptReachability): readonly PromptDemand[] {
  return groupRowsByConversation(tables).map((conversation) => demandOf(tables, reachability, conversation));
}

function demandOf(
  tables: IndexedTables,
  reachability: PromptReachability,
  conversation: ConversationRows,
): PromptDemand {
  const questions = collectQuestions(tables, reachability, conversation);
  const quotas = conversation.rows.flatMap((index) => tables.rows[index]?.quotas ?? []);
  const prompts = quotas.filter(({ unit }) => unit === "prompts");
  return {
    session: conversation.session,
    task: conversation.task,
    wanted: computeUpperBound({ tables, conversation, questions, includes: ({ unit }) => unit !== "prompts" }),
    asked: computeUpperBound({ tables, conversation, questions, includes: () => true }),
    quotas: [...new Map(prompts.map((quota) => [quota.rule, quota])).values()],
  };
}

/**
 * A prompt for a person. One call stands for all calls of its row and category, because quotas count them in the same
 * way.
 */
interface Question {
  readonly row: number;
  /** Index of the tool; `undefined` for the gate before a phase, which a conversation passes only once. */
  readonly tool: number | undefined;
}

function collectQuestions(
  tables: IndexedTables,
  reachability: PromptReachability,
  { rows }: ConversationRows,
): readonly Question[] {
  return rows.flatMap((row): Question[] => {
    if (!reachability.isReached(row)) return [];
    const gated = tables.tools.flatMap((_, tool) => (reachability.isGated(row, tool) ? [{ row, tool }] : []));
    const calls = new Map(gated.map((question) => [tables.tools[question.tool]?.category, question]));
    return [...(hasGate(tables.rows[row]) ? [{ row, tool: undefined }] : []), ...calls.values()];
  });
}

/**
 * Returns whether a person is asked when a conversation enters the row. A worker begins in the phase of the
 * conversation that starts it, and causes no prompt.
 */
function hasGate(row: Row | undefined): boolean {
  return row !== undefined && row.worker === "" && row.entry !== "auto";
}

interface DemandInputs {
  readonly tables: IndexedTables;
  readonly conversation: ConversationRows;
  readonly questions: readonly Question[];
  readonly includes: (quota: Quota) => boolean;
}

function computeUpperBound({ tables, conversation, questions, includes }: DemandInputs): Questions {
  const counters = collectCounters(tables, conversation).filter(({ quota }) => includes(quota));
  const findZeroQuotas = (row: number) =>
    (tables.rows[row]?.quotas ?? []).filter((quota) => includes(quota) && quota.amount === 0n);
  const counted = questions.filter(
    ({ row, tool }) => !findZeroQuotas(row).some((quota) => isCounted(tables, quota, tool)),
  );
  const holders = counted.map(({ row, tool }, at) => [
    ...counters.flatMap(({ quota, rows }, index) => (rows.has(row) && isCounted(tables, quota, tool) ? [index] : [])),
    // A conversation enters a phase only once, so the gate before the phase causes at most one prompt.
    ...(tool === undefined ? [counters.length + at] : []),
  ]);
  const uncounted = counted.find((_, at) => holders[at]?.length === 0);
  if (uncounted?.tool !== undefined) return { kind: "unbounded", row: uncounted.row, tool: uncounted.tool };
  const cover = findLeastCover(holders, [...counters.map(({ quota }) => quota.amount), ...counted.map(() => 1n)]);
  const getEntryRule = (at: number) => tables.rows[counted[at]?.row ?? -1]?.entryRule;
  const rules = cover.holders.flatMap(
    (holder) => counters[holder]?.quota.rule ?? getEntryRule(holder - counters.length) ?? [],
  );
  return { kind: "atMost", questions: cover.total, rules: [...new Set(rules)] };
}

/**
 * Returns whether the quota counts a call of the tool behind a gate. If `tool` is `undefined`, returns whether the
 * quota counts the gate before a phase.
 */
function isCounted(tables: IndexedTables, { unit, name }: Quota, tool: number | undefined): boolean {
  switch (unit) {
    case "prompts":
      return true;
    case "calls":
      return tool !== undefined;
    case "category":
      return tool !== undefined && tables.lineage[tables.tools[tool]?.category ?? -1]?.has(name) === true;
    // Quotas of bytes, tokens and money do not limit the number of calls: a call may have few bytes, and only answers
    // of models use tokens and money.
    case "bytes":
    case "tokens":
    case "money":
      return false;
  }
}
