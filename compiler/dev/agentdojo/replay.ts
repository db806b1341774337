// Replays calls of the data set AgentDojo, and decides each call as the gate would. A simulated person answers yes to
// each question.

import { randomBytes } from "node:crypto";
import {
  admit,
  beginIn,
  type Conversation,
  type Decision,
  decide,
  isList,
  isRecord,
  type Json,
} from "../../../engine/lib/policy/index.ts";
import {
  addPageTexts,
  addResult,
  addWritten,
  createStrengthTest,
  SourceIndex,
  type StrengthTest,
  viewSources,
} from "../../../engine/lib/provenance/index.ts";
import type { MeasuredPage, Step } from "./suite.ts";

/** Result of one call. */
export interface Played {
  readonly step: Step;
  readonly decision: Decision;
  /** Whether the call changes or sends something, according to the tool's category on the page. */
  readonly hasEffect: boolean;
}

/** Value from a field of a result. */
interface Seen {
  readonly tool: string;
  readonly field: string;
  readonly value: string | number;
}

/** Returns the result of a tool with the text that outsiders add. */
export type Outsiders = (tool: string, result: Json) => Json;

export class Replay {
  readonly seen: Seen[] = [];
  readonly #page: MeasuredPage;
  readonly #outsiders: Outsiders;
  readonly #isStrong: StrengthTest;
  readonly #index = new SourceIndex(randomBytes(32).toString("hex").slice(0, 32));
  #conversation: Conversation;

  constructor(page: MeasuredPage, prompt: string, outsiders: Outsiders = (_, result) => result) {
    this.#page = page;
    this.#outsiders = outsiders;
    const row = page.tables.rows[page.row];
    if (row === undefined) throw new Error("the page has no session");
    this.#conversation = beginIn(row, page.row);
    this.#isStrong = createStrengthTest(page.tables);
    addPageTexts(this.#index, page.tables);
    this.#index.add({ which: "person" }, prompt);
  }

  /** Returns whether the person typed a value. */
  isTyped(value: string | number): boolean {
    return viewSources(this.#index, this.#isStrong).judge(value, [{ which: "person" }]) === "strong";
  }

  /** Returns the decision about a call in the current state, and runs nothing. */
  ask({ tool, arguments: args }: Step): Decision {
    const { tables, findTool } = this.#page;
    const name = tables.tools[findTool(tool)]?.name ?? tool;
    const sources = viewSources(this.#index, this.#isStrong);
    return decide(tables, { ...this.#conversation, sources }, { tool: name, arguments: JSON.stringify(args) });
  }

  /** Decides a call. If the call is not refused, the conversation gets the call's result from the data set. */
  play(step: Step): Played {
    const { tables, findTool } = this.#page;
    const decision = this.ask(step);
    const at = findTool(step.tool);
    const tool = tables.tools[at];
    const hasEffect = tool?.readOnly === false;
    if (decision.kind === "refused" || tool === undefined) return { step, decision, hasEffect };
    this.#conversation = admit(tables, { ...this.#conversation, spent: decision.spent }, at).conversation;
    if (hasEffect) addWritten(this.#index, tool.provider, step.arguments);
    if (step.result !== undefined) {
      const heard = this.#outsiders(step.tool, step.result);
      const value = { text: renderAnswer(heard) };
      const integrity = tool.result.high.integrity;
      addResult(this.#index, { tool: tool.name, service: tool.provider, integrity, value, arguments: step.arguments });
      for (const leaf of listLeaves(heard, "text")) this.seen.push({ tool: tool.name, ...leaf });
    }
    return { step, decision, hasEffect };
  }
}

/**
 * Returns a result as the text that a server without a result schema would send: mostly JSON, or an empty text for no
 * result.
 */
function renderAnswer(result: Json): string {
  if (result === null) return "";
  return typeof result === "string" ? result : JSON.stringify(result);
}

/**
 * Returns the texts and numbers of a value, each with the name of its field, in the form in which conditions name
 * fields.
 */
export function listLeaves(value: Json, field: string): readonly Omit<Seen, "tool">[] {
  if (typeof value === "string" || typeof value === "number") return [{ field, value }];
  if (isList(value)) return value.flatMap((item) => listLeaves(item, field));
  if (!isRecord(value)) return [];
  return Object.keys(value).flatMap((name) => listLeaves(value[name] ?? null, `${field}.${name}`));
}
