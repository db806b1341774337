// llmsh in an image: a person submits an action plan through a tool of their session, like any other call.
import { findToolOfMethod, isList, isRecord, readJson, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { ActionPlans } from "../../../lib/wire/generated/tools.ts";
import type { Gate } from "../gate.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { answerLines } from "./tools.ts";

const PING = '{"actions":[{"type":"ping"}],"mode":"execute","request_id":"ping","version":"0.1"}';

/** Submits a plan as it was typed; llm-osd, not the gate, rejects a malformed plan. */
export async function submitPlan({ gate }: CommandParts, argument: string, signal: AbortSignal): Promise<Lines> {
  const tool = planTool(gate);
  if (!tool.ok) return [tool.reason];
  if (argument === "") return ["/llmsh needs a plan, or ping"];
  const plan = argument === "ping" ? PING : argument;
  const result = await gate.personCalls.call(
    { id: "typed", name: tool.value, arguments: renderCanonicalJson({ plan }) },
    signal,
    "plan",
  );
  const lines = await answerLines(gate.parts.person, result, signal);
  return (result.outcome === "ok" ? renderResults(result.content) : undefined) ?? lines;
}

export function planTool({ parts, conversation }: Gate) {
  return findToolOfMethod(parts.tables, conversation, [ActionPlans.id, "submit"], "action plans");
}

/**
 * Returns the answer of llm-osd as lines: first a line about the whole plan, then a line for the result of each action.
 * Returns `undefined` if the answer cannot be read, for example because it was cut.
 */
function renderResults(content: string): Lines | undefined {
  const told = readJson(content);
  const text = told.ok && isRecord(told.value) ? told.value["answer"] : undefined;
  const answer = typeof text === "string" ? readJson(text) : undefined;
  if (answer?.ok !== true || !isRecord(answer.value)) return undefined;
  const { results = [], ...request } = answer.value;
  return [request, ...(isList(results) ? results : [])].map((one) => `→ ${renderCanonicalJson(one)}`);
}
