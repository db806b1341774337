// Finds the task that a place of a page concerns, by the words before this place.

import type { Model, Task } from "../../../../phases/bind/index.ts";
import { readReference, skipBrackets, type Word } from "./site.ts";

/**
 * Returns the task that `as`, `in` or `for` names, such as `["triage"]` or `["operator", "triage"]`; `undefined` if
 * there is none.
 */
export function findSubjectTask({ tasks }: Model, names: readonly string[]): Task | undefined {
  const name = names.join(".");
  return tasks.find(({ id }) => id === name) ?? tasks.find((task) => task.name === names.at(-1));
}

/**
 * Returns the task that a declaration `task NAME … in SESSION` begins, or `undefined` if the model does not have this
 * task.
 */
export function findTaskAround(model: Model, words: readonly Word[]): Task | undefined {
  const name = words[1]?.text ?? "";
  const head = skipBrackets(words.slice(2));
  const session = head[0]?.kind === "in" ? readReference(head.slice(1)) : [];
  return findSubjectTask(model, [...session, name]);
}

/** Returns the task that the last `as` of a test begins, or `undefined` if it begins none. */
export function findTaskOfTest(model: Model, words: readonly Word[]): Task | undefined {
  const steps = skipBrackets(words.slice(words.findIndex(({ kind }) => kind === "{") + 1));
  const as = steps.findLastIndex(({ kind }) => kind === "as");
  const names = readReference(steps.slice(as + 1));
  if (as < 0 || model.sessions.some(({ id }) => id === names.join("."))) return undefined;
  return findSubjectTask(model, names);
}
