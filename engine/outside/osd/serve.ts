// One connection, one request. It ends with the client's own end, or where the client falls silent: a client that keeps its end
// open is answered all the same.

import type { Duplex } from "node:stream";
import type { Scheduler } from "../../lib/wire/listen.ts";
import type { FailureAnswer } from "./answer.ts";
import { MOST_REQUEST_BYTES } from "./limits.ts";
import { makeFailedAnswer } from "./read-plan.ts";

/** Milliseconds of silence within a request; after it, the request counts as complete. */
const IDLE_MS = 1000;
/** From the connection to the last byte, however slowly they come. */
const WHOLE_MS = 30_000;
/** Between two looks whether the client of what is executed is still there. */
const BEAT_MS = 500;
/** An answer that nobody takes. */
const TAKEN_MS = 30_000;

/** Resolves when the connection has ended. */
export async function servePeer(
  stream: Duplex,
  answer: (request: Uint8Array | FailureAnswer, signal: AbortSignal) => Promise<object>,
  after: Scheduler,
): Promise<void> {
  const gone = new AbortController();
  const closed = new Promise<void>((resolve) => stream.once("close", resolve));
  stream.once("close", () => gone.abort());
  stream.on("error", () => gone.abort());
  const request = await requestOf(stream, after);
  if (request === undefined) {
    stream.destroy();
    return;
  }
  const rest = startHeartbeat(stream, after);
  const answered = await answer(request, gone.signal);
  rest();
  const disarm = after(TAKEN_MS, () => stream.destroy());
  stream.once("finish", () => stream.destroy());
  stream.end(`${JSON.stringify(answered)}\n`);
  await closed;
  disarm();
}

/**
 * A peer that has ended its side cannot be heard to leave: only what is written to it tells. Blanks before a document mean nothing.
 * Gives what ends it.
 */
function startHeartbeat(stream: Duplex, after: Scheduler): () => void {
  let disarm = () => {};
  const arm = () => {
    disarm = after(BEAT_MS, () => {
      if (stream.writableLength === 0) stream.write(" ");
      arm();
    });
  };
  arm();
  return () => disarm();
}

/** Its bytes; why there is none; nothing where the client left before it said anything. */
function requestOf(stream: Duplex, after: Scheduler): Promise<Uint8Array | FailureAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | FailureAnswer | undefined>();
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isOver = false;
  let idle = () => {};
  const whole = after(WHOLE_MS, () =>
    end(makeFailedAnswer("request_timed_out", `a request takes at most ${WHOLE_MS / 1000} s`)),
  );
  const end = (found: Uint8Array | FailureAnswer | undefined) => {
    isOver = true;
    idle();
    whole();
    resolve(found);
  };
  stream.on("data", (chunk: Uint8Array) => {
    if (isOver) return;
    idle();
    length += chunk.length;
    // Bytes behind the bound are read and dropped, so that the client hears why.
    if (length > MOST_REQUEST_BYTES) return end(TOO_LARGE);
    chunks.push(chunk);
    idle = after(IDLE_MS, () => end(Buffer.concat(chunks)));
  });
  stream.once("end", () => end(length === 0 ? undefined : Buffer.concat(chunks)));
  stream.once("close", () => end(undefined));
  return promise;
}

const TOO_LARGE = makeFailedAnswer("request_too_large", `a request has at most ${MOST_REQUEST_BYTES} bytes`);
