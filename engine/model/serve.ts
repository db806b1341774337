// LanguageModel over one connection. TokenStream is carried on the same connection: at most one stream is open, and
// opening another ends it.
import type { Duplex } from "node:stream";
import { type ChatMessage, LanguageModel, type ModelInfo, TokenStream } from "../wire/generated/capos.ts";
import { type Failure, failure, implement, type Serving, serveInterface } from "../wire/index.ts";
import { chunksOf } from "./chunks.ts";
import type { CannedReply } from "./replies.ts";
import { type Answer, type Asked, answerOf } from "./stub.ts";

/** A rough count, for a stub has no vocabulary: four bytes a token, as is usual for English. */
const BYTES_PER_TOKEN = 4;
const EMPTY_CHUNK = { textDelta: "", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } };

export interface StubModel {
  readonly replies: readonly CannedReply[];
  readonly info: ModelInfo;
}

/** What is told of the stub. `id` is the manifest's word, as it is to the gate: the audit and the model say the same. */
export function stubInfo(id: string): ModelInfo {
  return {
    id,
    displayName: "canned replies",
    arch: "stub",
    contextTokens: 65_536,
    outputTokens: 4096,
    backend: "stub",
    quantisation: "",
    supportsTools: true,
  };
}

export function serveModel(stream: Duplex, model: StubModel): Serving {
  let open: OpenStream | undefined;
  const begin = (asked: Asked) => {
    open?.cancel();
    open = new OpenStream(answerOf(model.replies, asked));
    return open;
  };
  return serveInterface(stream, [
    implement(LanguageModel, {
      info: async () => ({ info: model.info }),
      complete: async ({ req }, { signal }) => complete(answerOf(model.replies, req), req.messages, signal),
      stream: async ({ req }) => {
        begin(req);
        return { stream: null };
      },
      countTokens: async () => failure("failed", "a list of replies has no tokenizer"),
    }),
    implement(TokenStream, {
      next: async (_, { signal }) => open?.next(signal) ?? failure("failed", "no stream is open"),
      cancel: async () => {
        open?.cancel();
        return {};
      },
    }),
  ]);
}

/** One answer on its way. Chunks are made when they are asked for; nothing runs in between. */
class OpenStream {
  readonly #chunks: Generator<typeof EMPTY_CHUNK>;
  readonly #pauses: boolean;
  readonly #cancelled = new AbortController();

  constructor(answer: Answer) {
    this.#chunks = chunksOf(answer);
    this.#pauses = answer.pausesUntilCancelled;
  }

  cancel(): void {
    this.#cancelled.abort();
  }

  async next(signal: AbortSignal): Promise<{ chunk: typeof EMPTY_CHUNK; done: boolean }> {
    const ended = { chunk: EMPTY_CHUNK, done: true };
    if (this.#cancelled.signal.aborted) return ended;
    const next = this.#chunks.next();
    if (next.done !== true) return { chunk: next.value, done: false };
    if (this.#pauses) await aborted(AbortSignal.any([signal, this.#cancelled.signal]));
    return ended;
  }
}

async function complete(answer: Answer, messages: readonly ChatMessage[], signal: AbortSignal) {
  if (answer.pausesUntilCancelled) await aborted(signal);
  if (signal.aborted) return failure("cancelled", "the answer is no longer wanted") satisfies Failure;
  const message = { role: "assistant" as const, content: answer.text, toolCallId: "", toolCalls: answer.calls };
  const promptBytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const usage = { promptTokens: tokens(promptBytes), outputTokens: tokens(Buffer.byteLength(answer.text)) };
  const finishReason = answer.calls.length > 0 ? ("toolCalls" as const) : ("stop" as const);
  return { resp: { message, usage, finishReason } };
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
