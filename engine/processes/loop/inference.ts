// One inference: it requests the stream, draws text as it arrives, and assembles calls. The model's text is only shown; only structured
// calls of the stream are calls.
import { loadCrypto } from "../../lib/wire/crypto.ts";
import {
  type InferenceRequest,
  LanguageModel,
  TokenStream,
  type ToolCall,
  type ToolCallDelta,
} from "../../lib/wire/generated/capos.ts";
import type { Connection } from "../../lib/wire/index.ts";

export interface Inference {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Reason why the answer ended before the model finished; absent if the model finished. */
  readonly fault?: string;
  /** Whether the gate ended the answer, because the person pressed Ctrl-C or revoked a permission. */
  readonly isEndedByGate?: boolean;
}

/** Default limit of an answer, in tokens. */
export const MAX_TOKENS = 1024;
const MAX_TEXT_LENGTH = 64 * 1024;
const MAX_CALLS = 8;
/** Maximum UTF-16 units of one call's arguments: room for a whole file, and far below a frame. */
const MAX_ARGUMENTS_LENGTH = 128 * 1024;
/** Maximum UTF-16 units of a tool's name or a call's ID. */
const MAX_NAME_LENGTH = 1024;
/** The form of a call ID that a gate accepts; a call with another ID gets an ID from the loop. */
const CALL_ID = /^[\w.-]{1,64}$/;
/** Timeout of a whole answer in milliseconds: it ends a model that sends only a little text from time to time. */
const MODEL_TIMEOUT_MS = 600_000;
/** Maximum number of pieces of an answer, including empty ones: far more than the requested tokens. */
const MAX_CHUNKS = 16 * 1024;

/**
 * The function that receives the text as it arrives, the signal that stops the answer, and the maximum number of
 * tokens.
 */
interface Inferring {
  readonly show: (text: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly maxTokens?: number;
}

export async function infer(
  model: Connection,
  asked: Pick<InferenceRequest, "messages" | "tools" | "nonce">,
  { show, signal, maxTokens = MAX_TOKENS }: Inferring,
): Promise<Inference> {
  const req = {
    ...asked,
    maxTokens,
    temperature: 0,
    stopSequences: [],
    responseSchema: "",
  };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), MODEL_TIMEOUT_MS);
  const options = { signal: AbortSignal.any([signal, late.signal]) };
  try {
    const opened = await model.call(LanguageModel.methods.stream, { req }, options);
    const heard: Inference = opened.ok
      ? await listen(model, show, options)
      : { text: "", calls: [], fault: opened.reason };
    if (heard.fault !== undefined && opened.ok) void model.call(TokenStream.methods.cancel, {});
    return late.signal.aborted && !signal.aborted ? { ...heard, fault: "its time was over" } : heard;
  } finally {
    clearTimeout(timer);
  }
}

async function listen(
  model: Connection,
  show: (text: string) => Promise<void>,
  options: { readonly signal: AbortSignal },
): Promise<Inference> {
  let text = "";
  const calls = new CallsInProgress();
  for (let chunks = 0; ; chunks += 1) {
    const next = await model.call(TokenStream.methods.next, {}, options);
    const collectSoFar = () => ({ text, calls: calls.complete() });
    if (!next.ok) return { ...collectSoFar(), fault: next.reason, isEndedByGate: next.code === "cancelled" };
    if (next.value.done) return collectSoFar();
    const { textDelta, toolCallDelta } = next.value.chunk;
    text += textDelta;
    if (!calls.take(toolCallDelta) || text.length > MAX_TEXT_LENGTH || chunks === MAX_CHUNKS) {
      return { ...collectSoFar(), fault: "it said more than is listened to" };
    }
    if (textDelta !== "") await show(textDelta);
  }
}

class CallsInProgress {
  readonly #calls: ToolCall[] = [];

  /**
   * Adds a delta of a call; returns false if the model exceeds a limit. A chunk of text contains an empty delta, which
   * adds no call.
   */
  take({ index, id, name, argumentsDelta }: ToolCallDelta): boolean {
    if (id === "" && name === "" && argumentsDelta === "") return true;
    const before = this.#calls[index] ?? { id: "", name: "", arguments: "" };
    const call = { id: before.id + id, name: before.name + name, arguments: before.arguments + argumentsDelta };
    if (index > this.#calls.length || index >= MAX_CALLS || call.arguments.length > MAX_ARGUMENTS_LENGTH) return false;
    if (call.id.length > MAX_NAME_LENGTH || call.name.length > MAX_NAME_LENGTH) return false;
    this.#calls[index] = call;
    return true;
  }

  /** Returns the calls, and replaces repeated and malformed ids: an answer to one call must not count for another. */
  complete(): readonly ToolCall[] {
    const taken = new Set<string>();
    return this.#calls.map((call) => {
      const id = CALL_ID.test(call.id) && !taken.has(call.id) ? call.id : loadCrypto().randomUUID();
      taken.add(id);
      return { ...call, id };
    });
  }
}
