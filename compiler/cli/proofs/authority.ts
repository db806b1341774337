// Describes further results of the proof search in words: the maximum number of prompts, and permissions that no conversation can use.

import type { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import type { DeadCell, DeadReason, PromptDemand, Questions } from "../../phases/prove/index.ts";
import type { DeadFacts, PromptFacts } from "../../queries/report/index.ts";

/**
 * Returns how often a conversation can ask people at most. `by` has the rules that limit this number, in the notation
 * of the page, or the tool that asks without limit.
 */
export function describePrompts(tables: PolicyTables, demand: PromptDemand): PromptFacts {
  const { session, task, wanted, asked, quotas } = demand;
  return {
    place: formatRowPath({ session, task, phase: "", worker: "" }),
    wanted: countOf(wanted),
    asked: countOf(asked),
    by: listBounds(tables, wanted),
    quotas: quotas.map(({ rule }) => getRuleWords(tables, rule)),
  };
}

function countOf(questions: Questions): string {
  return questions.kind === "atMost" ? questions.questions.toString() : "unbounded";
}

function listBounds(tables: PolicyTables, questions: Questions): string[] {
  if (questions.kind === "atMost") return questions.rules.map((rule) => getRuleWords(tables, rule));
  return [tables.tools[questions.tool]?.name ?? ""];
}

function getRuleWords({ rules }: PolicyTables, rule: number): string {
  return rules[rule]?.words ?? "";
}

/** Returns the place and the tool of a permission that no conversation can use, and the reason in words. */
export function describeDeadCell(tables: PolicyTables, { row, tool, why }: DeadCell): DeadFacts {
  const at = tables.rows[row];
  return {
    place: at === undefined ? "" : formatRowPath(at),
    tool: tables.tools[tool]?.name ?? "",
    why: explainDeadCell(tables, why),
  };
}

function explainDeadCell(tables: PolicyTables, why: DeadReason): string {
  switch (why.kind) {
    case "result":
      return "what it returns may be above what the session is cleared for, and it changes something";
    case "flow":
      return "no conversation there has a label that may flow to where its arguments go";
    case "release": {
      const words = why.releases.map((release) => getRuleWords(tables, tables.releases[release]?.rule ?? -1));
      return `no conversation there has a label that may flow to where its arguments go, or that is covered by ${words.join("; ")}`;
    }
    case "floor":
      return "a `when` forbids it wherever its arguments may flow";
    case "arguments":
      return "no arguments fit it that no line forbids";
  }
}
