import type { Mode } from "../../../lang/tree/index.ts";
import type { Model, Session, Tool } from "../../phases/bind/index.ts";
import { type Answer, canRun, selectRowSessions } from "../../phases/policy/index.ts";
import type { Page } from "./law.ts";

/**
 * Cache of the index of each tool in the model. A list of answers has one decision for each tool, at the index of the
 * tool. Many laws need these indexes in every layer.
 */
const places = new WeakMap<Model, ReadonlyMap<Tool, number>>();

function indexTools(model: Model): ReadonlyMap<Tool, number> {
  const known = places.get(model);
  if (known !== undefined) return known;
  const made = new Map(model.tools.map((tool, index) => [tool, index] as const));
  places.set(model, made);
  return made;
}

/** Returns a function that finds the decision about a tool in `answers`: one for each tool of the model, in order. */
export function createAnswerLookup(
  model: Model,
  answers: readonly Answer[] | undefined,
): (tool: Tool) => Answer | undefined {
  const placed = indexTools(model);
  return (tool) => answers?.[placed.get(tool) ?? -1];
}

/** Returns a function that finds the decision about a tool in a session. */
export function createSessionAnswers(
  { model, resolution }: Page,
  session: Session,
): (tool: Tool) => Answer | undefined {
  return createAnswerLookup(model, resolution.get(session));
}

/** Returns whether a call with this mode waits for a decision of a person. */
export function isGate(mode: Mode): boolean {
  return mode === "consent" || mode === "stepUp";
}

/** Returns the names of the used services: a session may use one of their tools, or another service may call them. */
export function findUsedServices({ model, resolution }: Page): ReadonlySet<string> {
  const used = new Set(
    model.services.flatMap(({ grants }) => grants.flatMap(({ to }) => (to.kind === "session" ? [] : [to.name]))),
  );
  for (const answers of selectRowSessions(model).map((session) => resolution.get(session) ?? [])) {
    for (const [index, { service }] of model.tools.entries()) {
      const answer = answers[index];
      if (!used.has(service.name) && canRun(answer)) used.add(service.name);
    }
  }
  return used;
}
