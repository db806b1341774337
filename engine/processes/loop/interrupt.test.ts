import { duplexPair } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { LanguageModel, TokenStream } from "../../lib/wire/generated/capos.ts";
import { connect, implement, makeFailure, serveInterface } from "../../lib/wire/index.ts";
import { infer } from "./inference.ts";

const NOTHING = { messages: [], tools: [], nonce: new Uint8Array(16) };
const unused = async () => makeFailure("failed", "not asked for here");

afterEach(() => {
  vi.useRealTimers();
});

test("a model that is busy computing does not delay Ctrl-C", async () => {
  vi.useFakeTimers();
  // The other end never reads, like a model whose native code is busy.
  const [mine] = duplexPair();
  const interrupt = new AbortController();
  const heard = infer(connect(mine), NOTHING, { show: async () => {}, signal: interrupt.signal });
  interrupt.abort();
  expect((await heard).fault).toBeDefined();
});

test("a console that accepts no text does not delay Ctrl-C, and the model is cancelled", async () => {
  vi.useFakeTimers();
  const [mine, theirs] = duplexPair();
  const cancelled = Promise.withResolvers<void>();
  const chunk = { textDelta: "word ", toolCallDelta: { index: 0, id: "", name: "", argumentsDelta: "" } };
  serveInterface(theirs, [
    implement(LanguageModel, {
      info: unused,
      complete: unused,
      countTokens: unused,
      stream: async () => ({ stream: null }),
    }),
    implement(TokenStream, {
      next: async () => ({ chunk, done: false }),
      cancel: async () => {
        cancelled.resolve();
        return {};
      },
    }),
  ]);
  const interrupt = new AbortController();
  const drawing = Promise.withResolvers<void>();
  // This simulated call of the console ends when the signal fires, like a call by `Connection.call`.
  const show = (): Promise<void> =>
    new Promise((resolve) => {
      interrupt.signal.addEventListener("abort", () => resolve());
      drawing.resolve();
    });
  const heard = infer(connect(mine), NOTHING, { show, signal: interrupt.signal });
  await drawing.promise;
  interrupt.abort();
  expect(await heard).toMatchObject({ text: "word ", calls: [], fault: expect.any(String) });
  await cancelled.promise;
});
