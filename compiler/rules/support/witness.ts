import { formatLabel, isByElse, renderSource, renderTaskCommand } from "../../../engine/lib/policy/index.ts";
import type { Label, PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import type { Witness, WitnessCall, WitnessConversation, WitnessStep } from "../../phases/prove/index.ts";

// Renders conversations as text for people: each call with the line that allows it, the gates, and the label after the
// call.

/** Returns one line for each conversation, and one line for each of its steps. */
export function renderWitness(tables: PolicyTables, { conversations }: Witness): string[] {
  return conversations.flatMap((played, index) => [
    `${index + 1}. ${placeOf(tables, played)}`,
    ...played.steps.flatMap((step) => stepLines(tables, step)).map((line) => `   ${line}`),
  ]);
}

function placeOf({ rows }: PolicyTables, { session, task, chosen = [] }: WitnessConversation): string {
  if (task === "") return `a conversation in ${session}`;
  const row = rows.find((one) => one.session === session && one.task === task);
  const values = new Map(chosen.map(({ name, value }) => [name, value]));
  const begun = chosen.length === 0 ? "" : `, begun by ${renderTaskCommand(task, row?.parameters ?? [], values)}`;
  return `a conversation in ${session}, in the task ${task}${begun}`;
}

function stepLines(tables: PolicyTables, step: WitnessStep): string[] {
  const describeSeen = (label: Label): string => `has seen ${formatLabel(tables.lattice, label)}`;
  switch (step.kind) {
    case "call":
      return [`${callWords(tables, step)}; ${describeSeen(step.label)}`];
    case "phase":
      return [`goes on to phase ${step.phase}: ${step.gate}; ${describeSeen(step.label)}`];
    case "ingress":
      return [`words come in through ${step.name}; ${describeSeen(step.label)}`];
    case "worker":
      return [
        `the worker ${step.worker} works; the conversation ${describeSeen(step.label)}`,
        ...step.steps.flatMap((inner) => stepLines(tables, inner)).map((line) => `   ${line}`),
      ];
    case "infer":
      return [
        `${step.backend} is asked: ${step.gate}; it hears all of this, the conversation ${describeSeen(step.label)}`,
      ];
  }
}

/**
 * Returns which values must have occurred in which earlier texts, so that the conditions of a call hold. For example:
 * `, after "a.txt" stood in person`.
 */
function describeHeard({ heard = [] }: WitnessCall): string {
  const stood = heard.filter(({ standing }) => standing === "strong" || standing === "weak");
  const words = stood.map(
    ({ value, sources }) => `${JSON.stringify(value)} stood in ${sources.map(renderSource).join(" or ")}`,
  );
  return words.length === 0 ? "" : `, after ${[...new Set(words)].join(" and ")}`;
}

function callWords({ lattice, rules, releases }: PolicyTables, step: WitnessCall): string {
  const { tool, gate, returning, use, times = 1 } = step;
  const describeRule = (rule: number | undefined): string => {
    const line = rule === undefined ? undefined : rules[rule];
    return line === undefined ? "no line of the page" : `\`${line.words}\` (${line.place})`;
  };
  const often = times === 1 ? "" : `, ${times} times`;
  const released = step.release === undefined ? "" : `, let out by ${describeRule(releases[step.release]?.rule)}`;
  const back = returning === undefined ? "" : `, returns ${formatLabel(lattice, returning)}`;
  const used = use === undefined ? "" : `, may use ${use.tool} by a grant of ${use.by}`;
  const behind = isByElse(rules[step.rule]?.words ?? "", gate) ? "the else of " : "";
  return `${tool} ${step.arguments}${describeHeard(step)}${often}: ${gate} by ${behind}${describeRule(step.rule)}${released}${back}${used}`;
}
