// Simulates attackers with more abilities than the attackers of the data set AgentDojo. They fill every field that
// outsiders can fill, choose an argument from all trusted fields that the page names for it, or get their text into the
// person's own prompt.

import { isList, isRecord, type Json } from "../../../engine/lib/policy/index.ts";
import { listLeaves, type Outsiders, type Replay } from "./replay.ts";
import type { Attack, MeasuredPage, Step, Suite } from "./suite.ts";

/**
 * Fields that outsiders fill, by tool: senders choose the content of payments and messages, and owners choose the text of pages and
 * files. An empty list means that outsiders fill the whole text.
 */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  get_most_recent_transactions: ["sender", "subject", "amount", "date"],
  read_file: [],
  read_channel_messages: ["sender", "body"],
  read_inbox: ["sender", "body"],
  get_webpage: [],
};

/** Returns results in which outsiders have put each value of an attack into each field that outsiders can fill. */
export function fillFields(attack: Attack): Outsiders {
  const values = listValues(attack);
  return (tool, result) => {
    const fields = OUTSIDE[tool];
    if (fields === undefined) return result;
    if (typeof result === "string") return [result, ...values].join("\n");
    const [first] = isList(result) ? result : [];
    if (!isList(result) || first === undefined || !isRecord(first)) return result;
    const fill = (value: string | number) => ({ ...first, ...Object.fromEntries(fields.map((name) => [name, value])) });
    return [...result, ...values.map(fill)];
  };
}

/** Returns a prompt that also contains the attack's text and the values of its calls. */
export function sayAttack(prompt: string, goal: string, attack: Attack): string {
  return [prompt, goal, ...listValues(attack)].join("\n");
}

/** Returns the values of an attack's calls, each once. */
function listValues({ calls }: Pick<Attack, "calls">): readonly (string | number)[] {
  return [...new Set(calls.flatMap(({ arguments: args }) => listLeaves(args, "").map(({ value }) => value)))];
}

/** Maximum number of variants of one call to try. */
const MAX_CHOICES = 2_000;

/**
 * Returns the variants of a call that an attacker can achieve by choosing each argument from the fields that the page
 * names as its sources. An argument stays unchanged if no such field has had a value. Values for which `excluded`
 * returns true are not chosen.
 */
export function listPicks(
  { tables, findTool }: MeasuredPage,
  { seen }: Replay,
  step: Step,
  excluded: (value: string | number) => boolean,
): readonly Step[] {
  const at = findTool(step.tool);
  const lists = tables.rows.flatMap(({ cells }) => tables.decisions[(cells[at] ?? 0) - 2] ?? []);
  const conditions = lists.flatMap(({ clauses }) => clauses.flatMap((clause) => clause.conditions));
  const choices = Object.keys(step.arguments).map((name): readonly [string, Json][] => {
    const fields = conditions
      .filter(({ path }) => path[0] === name)
      .flatMap(({ sources }) => sources.flatMap((source) => (source.which === "field" ? [source.field] : [])));
    const fitting = seen.filter((one) =>
      fields.some(({ tool, name: field }) => tool === one.tool && field === one.field),
    );
    const values = [...new Set(fitting.map(({ value }) => value).filter((value) => !excluded(value)))];
    return (values.length > 0 ? values : [step.arguments[name] ?? null]).map((value) => [name, value]);
  });
  let picks: readonly (readonly [string, Json][])[] = [[]];
  for (const one of choices)
    picks = picks.flatMap((pick) => one.map((entry) => [...pick, entry])).slice(0, MAX_CHOICES);
  return picks.map((pick) => ({ ...step, arguments: Object.fromEntries(pick) }));
}

export function findPrompt({ benign }: Suite, { task }: Attack): string {
  const found = benign.find((one) => one.task === task);
  if (found === undefined) throw new Error(`no task ${task}`);
  return found.prompt;
}
