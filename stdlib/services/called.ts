// Calls the library's programs in tests as the image does: the program and the types of its methods come from a compiled page.

import { compilePolicy } from "../../compiler/dev/fixtures/facts.ts";
import { answerOwn, type FunctionContext, loadProgram } from "../../engine/processes/services/own/program.ts";

export type Call = (method: string, args: object) => Promise<unknown>;

/** Returns a function that calls the program of the page's first service. If a call fails, this function returns the reason as a text. */
export async function programOf(page: string, more: Partial<FunctionContext> = {}): Promise<Call> {
  const [plan] = (await compilePolicy(page)).services;
  if (plan?.own === undefined) throw new Error("the page has no program");
  const loaded = await loadProgram(plan.own.bytes, plan.own.methods);
  if (!loaded.ok) throw new Error(loaded.reason);
  const methods = [...loaded.value.values()];
  const { signal } = new AbortController();
  const surroundings = { directory: undefined, stateBytes: plan.stateBytes, signal, now: () => 0, held: {}, ...more };
  return async (name, args) => {
    const own = methods.find(({ method }) => method.name === name);
    if (own === undefined) throw new Error(`no method ${name}`);
    const answer = await answerOwn(own, JSON.stringify(args), surroundings);
    return answer.ok ? JSON.parse(answer.value) : answer.reason;
  };
}
