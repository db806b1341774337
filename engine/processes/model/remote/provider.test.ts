import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { HttpExchange } from "../../../lib/wire/generated/egress.ts";
import { connect, implement, makeFailure, serveInterface } from "../../../lib/wire/index.ts";
import { MOST_ANSWER_BYTES } from "./limits.ts";
import { OPENAI } from "./openai.ts";
import { Provider } from "./provider.ts";

const PIECE = Buffer.alloc(512 * 1024, ":");

/** Returns an endpoint whose answer never ends; `stopped` resolves when the answer is cancelled. */
function endless() {
  const stopped = Promise.withResolvers<void>();
  const [here, there] = duplexPair();
  serveInterface(there, [
    implement(HttpExchange, {
      ask: async () => ({ status: 200, contentType: OPENAI.contentType, retryAfter: "", unsent: "" }),
      read: async () => ({ bytes: PIECE, end: false }),
      stop: async () => {
        stopped.resolve();
        return {};
      },
    }),
  ]);
  const provider = new Provider(connect(here), OPENAI, { now: () => 0, after: () => () => {} });
  const payer = { sends: () => {}, sentNothing: () => {} };
  return { pieces: provider.answer("{}", new AbortController().signal, payer), stopped: stopped.promise };
}

test("ends an endless answer at its maximum size, and cancels it at the endpoint", async () => {
  const { pieces, stopped } = endless();
  let size = 0;
  let next = await pieces.next();
  for (; next.done !== true; next = await pieces.next()) size += next.value.length;
  expect([size, next.value]).toEqual([MOST_ANSWER_BYTES, `it sends more than ${MOST_ANSWER_BYTES} bytes`]);
  await stopped;
});

test("cancels an answer at the endpoint when its reader stops", async () => {
  const { pieces, stopped } = endless();
  expect((await pieces.next()).done).toBe(false);
  await pieces.return(undefined);
  await stopped;
});

test("a request that is stopped during a pause is not repeated, and costs only the refused attempts", async () => {
  const [here, there] = duplexPair();
  const head = { status: 429, contentType: "", retryAfter: "5", unsent: "" };
  const asked: string[] = [];
  const unused = async () => makeFailure("failed", "not asked for here");
  const ask = async ({ body }: { readonly body: string }) => {
    asked.push(body);
    return head;
  };
  serveInterface(there, [implement(HttpExchange, { ask, read: unused, stop: async () => ({}) })]);
  const stopped = new AbortController();
  const after = () => {
    queueMicrotask(() => stopped.abort());
    return () => {};
  };
  const paid: string[] = [];
  const payer = { sends: () => paid.push("sends"), sentNothing: () => paid.push("sent nothing") };
  const provider = new Provider(connect(here), OPENAI, { now: () => 0, after });
  const end = await provider.answer("{}", stopped.signal, payer).next();
  expect([end.done, asked, paid]).toEqual([true, ["{}"], ["sends", "sent nothing"]]);
});
