// Commands that begin a task or a later phase of it. Only a person can give them; no model can.
import { listAdvertisedTools, listLaterPhases, listTasks } from "../../../lib/policy/index.ts";
import { excerpt } from "../result.ts";
import { describeRow } from "../sentences.ts";
import type { CommandParts, Lines } from "./parts.ts";

export async function beginTask(parts: CommandParts, name: string, signal: AbortSignal): Promise<Lines> {
  const { tables, session } = parts.gate.parts;
  if (name === "") return [renderNames("tasks", listTasks(tables, session), "the page has no task in this session")];
  return reportArrival(parts, await parts.gate.moves.beginTask(name, signal));
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
