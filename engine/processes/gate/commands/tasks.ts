// Commands that begin a task or a later phase of it. Only a person can give these commands; no model can.
import {
  findParameters,
  listAdvertisedTools,
  listLaterPhases,
  listTasks,
  parseTaskArguments,
  renderTaskUsage,
} from "../../../lib/policy/index.ts";
import { accept } from "../../../lib/result/result.ts";
import { excerpt } from "../result.ts";
import { describeRow } from "../sentences.ts";
import type { CommandParts, Lines } from "./parts.ts";

export async function beginTask(parts: CommandParts, argument: string, signal: AbortSignal): Promise<Lines> {
  const { tables, session } = parts.gate.parts;
  const [task = "", ...rest] = argument.split(/\s+(.*)/su);
  if (task === "") return listTaskUsages(parts);
  const parameters = findParameters(tables, session, task);
  const chosen = parameters === undefined ? accept([]) : parseTaskArguments(parameters, rest.join(""));
  if (!chosen.ok) return [`refused: ${excerpt(chosen.reason)}`, `usage: ${renderTaskUsage(task, parameters ?? [])}`];
  const begun = { task, chosen: chosen.value, entry: parts.entry ?? "typed" } as const;
  return reportArrival(parts, await parts.gate.moves.beginTask(begun, signal));
}

/** Returns the present task, if there is one, the names of all tasks, and how to begin the tasks with parameters. */
function listTaskUsages(parts: CommandParts): Lines {
  const { gate } = parts;
  const { tables, session } = gate.parts;
  const place = tables.rows[gate.conversation.row]?.task === "" ? [] : [describePlace(parts)];
  const names = listTasks(tables, session);
  const usages = names.flatMap((task) => {
    const parameters = findParameters(tables, session, task) ?? [];
    return parameters.length === 0 ? [] : [renderTaskUsage(task, parameters)];
  });
  return [...place, renderNames("tasks", names, "the page has no task in this session"), ...usages];
}

export async function enterPhase(parts: CommandParts, name: string, signal: AbortSignal): Promise<Lines> {
  const { tables } = parts.gate.parts;
  const { conversation } = parts.gate;
  if (name === "")
    return [describePlace(parts), renderNames("later phases", listLaterPhases(tables, conversation), "no later phase")];
  return reportArrival(parts, await parts.gate.moves.enterPhase(name, signal));
}

function reportArrival(parts: CommandParts, refusal: string | undefined): Lines {
  if (refusal !== undefined) return [`refused: ${excerpt(refusal)}`];
  const { conversation } = parts.gate;
  const tools = listAdvertisedTools(parts.gate.parts.tables, conversation).map(
    ({ tool, mode }) => `${tool.name}: ${mode}`,
  );
  return [describePlace(parts), ...tools];
}

function describePlace({ gate }: CommandParts): string {
  const waiting = gate.personCalls
    .listWaiting()
    .filter(({ conversation }) => conversation === gate.place.conversation).length;
  const needs = waiting === 0 ? "" : `; needs approval: ${waiting} wait for a person, /parked`;
  return `this conversation is in ${describeRow(gate.parts.tables, gate.conversation)}${needs}`;
}

function renderNames(what: string, names: readonly string[], none: string): string {
  return names.length === 0 ? none : `${what}: ${names.join(", ")}`;
}
