// Renders a replay for programs, in the form that `capc schema replay` describes.

import { renderJson } from "../audit/record-text.ts";
import { convertLogToJson } from "../audit/records.ts";
import type { ReplayReport, ToldFinding } from "./report.ts";

/**
 * Returns the replay as one line of JSON, which `capc replay --json` prints. A 64-bit number is a JSON number if JSON
 * represents it exactly, and otherwise a text.
 */
export function replayJson({ policy, logs, replayed, otherwise, undecided }: ReplayReport): string {
  const { decisions, inOrder, same, counts, beyond, prompts } = replayed;
  return renderJson({
    policy,
    logs: logs.map(convertLogToJson),
    decisions,
    inOrder,
    same,
    counts,
    otherwise: otherwise.map(convertFindingToJson),
    undecided: undecided.map(convertFindingToJson),
    beyond: [...beyond].map(([reason, count]) => ({ reason, count })),
    prompts: {
      days: prompts.days.map(({ day = null, ...count }) => ({ day, ...count })),
      tools: prompts.tools,
    },
  });
}

function convertFindingToJson({ finding, reason, rule }: ToldFinding): object {
  const {
    at,
    kind,
    session,
    place,
    conversation,
    turn,
    tool,
    isWhole,
    isWithheld,
    recorded,
    was,
    now,
    direction,
    mayWiden,
  } = finding;
  return {
    ...at,
    kind,
    session,
    place,
    conversation,
    turn,
    tool,
    arguments: finding.arguments,
    isWhole,
    isWithheld,
    before: { answer: was.kind === "decided" ? was.answer : null, ...recorded },
    after: {
      answer: now?.kind === "settled" ? now.answer : null,
      answers: now?.kind === "open" ? now.answers : null,
      reason,
      rule: rule ?? null,
    },
    direction: direction ?? null,
    mayWiden,
  };
}
