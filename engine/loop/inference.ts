// One inference: asks for the stream, draws text as it comes, and puts calls together. What the model says is text to be
// shown; only the structured calls of the stream are calls.
import { randomUUID } from "node:crypto";
import {
  type InferenceRequest,
  LanguageModel,
  TokenStream,
  type ToolCall,
  type ToolCallDelta,
} from "../wire/generated/capos.ts";
import type { Connection } from "../wire/index.ts";

export interface Inference {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Why it ended before the model was done; nothing where it was done. */
  readonly fault?: string;
}

const MAX_TOKENS = 1024;
const MAX_TEXT_LENGTH = 64 * 1024;
const MAX_CALLS = 8;
/** Of one call: room for a whole file, and still far from a frame. */
const MAX_ARGUMENTS_LENGTH = 128 * 1024;
/** Of a tool's name, or of a call's id. */
const MAX_NAME_LENGTH = 1024;
/** What a gate takes for an id; a model may think of any, and then gets one of ours. */
const CALL_ID = /^[\w.-]{1,64}$/;
const MODEL_TIMEOUT_MS = 600_000;

export async function infer(
  model: Connection,
  asked: Pick<InferenceRequest, "messages" | "tools" | "nonce">,
  show: (text: string) => Promise<void>,
  signal: AbortSignal,
): Promise<Inference> {
  const req = {
    ...asked,
    maxTokens: MAX_TOKENS,
    temperature: 0,
    stopSequences: [],
    responseSchema: "",
  };
  const options = { signal, timeoutMs: MODEL_TIMEOUT_MS };
  const opened = await model.call(LanguageModel.methods.stream, { req }, options);
  if (!opened.ok) return { text: "", calls: [], fault: opened.reason };
  const heard = await listen(model, show, options);
  if (heard.fault !== undefined) void model.call(TokenStream.methods.cancel, {});
  return heard;
}

async function listen(
  model: Connection,
  show: (text: string) => Promise<void>,
  options: { signal: AbortSignal; timeoutMs: number },
): Promise<Inference> {
  let text = "";
  const calls = new CallsInProgress();
  for (;;) {
    const next = await model.call(TokenStream.methods.next, {}, options);
    const soFar = () => ({ text, calls: calls.complete() });
    if (!next.ok) return { ...soFar(), fault: next.reason };
    if (next.value.done) return soFar();
    const { textDelta, toolCallDelta } = next.value.chunk;
    text += textDelta;
    if (!calls.take(toolCallDelta) || text.length > MAX_TEXT_LENGTH) {
      return { ...soFar(), fault: "it said more than is listened to" };
    }
    if (textDelta !== "") await show(textDelta);
  }
}

class CallsInProgress {
  readonly #calls: ToolCall[] = [];

  /** False where the model goes beyond the bounds. A delta that holds nothing belongs to a chunk of text. */
  take({ index, id, name, argumentsDelta }: ToolCallDelta): boolean {
    if (id === "" && name === "" && argumentsDelta === "") return true;
    const before = this.#calls[index] ?? { id: "", name: "", arguments: "" };
    const call = { id: before.id + id, name: before.name + name, arguments: before.arguments + argumentsDelta };
    if (index > this.#calls.length || index >= MAX_CALLS || call.arguments.length > MAX_ARGUMENTS_LENGTH) return false;
    if (call.id.length > MAX_NAME_LENGTH || call.name.length > MAX_NAME_LENGTH) return false;
    this.#calls[index] = call;
    return true;
  }

  complete(): readonly ToolCall[] {
    return this.#calls.map((call) => (CALL_ID.test(call.id) ? call : { ...call, id: randomUUID() }));
  }
}
