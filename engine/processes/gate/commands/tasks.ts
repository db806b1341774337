// What a person sets a conversation to: a task at its beginning, and later phases of it. No model can.
import { advertisedTools, laterPhases, tasksOf } from "../../../lib/policy/index.ts";
import { excerpt } from "../result.ts";
import { placeWords } from "../words.ts";
import type { CommandParts, Lines } from "./parts.ts";

export async function beginTask(parts: CommandParts, name: string, signal: AbortSignal): Promise<Lines> {
  const { tables, session } = parts.gate.parts;
  if (name === "") return [namesOf("tasks", tasksOf(tables, session), "the page has no task in this session")];
  return arrived(parts, await parts.gate.beginTask(name, signal));
}

export async function enterPhase(parts: CommandParts, name: string, signal: AbortSignal): Promise<Lines> {
  const { tables } = parts.gate.parts;
  const { conversation } = parts.gate;
  if (name === "") return [here(parts), namesOf("later phases", laterPhases(tables, conversation), "no later phase")];
  return arrived(parts, await parts.gate.enterPhase(name, signal));
}

function arrived(parts: CommandParts, refusal: string | undefined): Lines {
  if (refusal !== undefined) return [`refused: ${excerpt(refusal)}`];
  const { conversation } = parts.gate;
  const tools = advertisedTools(parts.gate.parts.tables, conversation).map(({ tool, mode }) => `${tool.name}: ${mode}`);
  return [here(parts), ...tools];
}

function here({ gate }: CommandParts): string {
  const waiting = gate.waiting().filter(({ conversation }) => conversation === gate.place.conversation).length;
  const needs = waiting === 0 ? "" : `; needs approval: ${waiting} wait for a person, /parked`;
  return `this conversation is in ${placeWords(gate.parts.tables, gate.conversation)}${needs}`;
}

function namesOf(what: string, names: readonly string[], none: string): string {
  return names.length === 0 ? none : `${what}: ${names.join(", ")}`;
}
