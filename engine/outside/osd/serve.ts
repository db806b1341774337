// Serves one request on each connection. The request ends when the client ends its side, or sends nothing for a second: so a client
// that keeps its side open gets an answer, too.

import type { Duplex } from "node:stream";
import type { Scheduler } from "../../lib/wire/listen.ts";
import type { FailureAnswer } from "./answer.ts";
import { MOST_REQUEST_BYTES } from "./limits.ts";
import { makeFailedAnswer } from "./read-plan.ts";

/** Milliseconds of silence within a request; after it, the request counts as complete. */
const IDLE_MS = 1000;
/** Maximum milliseconds from the connection to the last byte of the request. */
const WHOLE_MS = 30_000;
/** Milliseconds between two checks whether the client is still connected while its plan is executed. */
const BEAT_MS = 500;
/** Maximum milliseconds until the client has received the answer. */
const TAKEN_MS = 30_000;

/** Serves one connection, and resolves when it has ended. */
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
 * Writes a blank at intervals, because only a failed write shows that a client has left after it ended its side. Blanks before a
 * JSON document have no meaning. Returns a function that stops the blanks.
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

/** Resolves with the bytes of the request, with a failure, or with `undefined` if the client left or sent nothing. */
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
    // Bytes beyond the limit are read and dropped, so that the client receives the reason.
    if (length > MOST_REQUEST_BYTES) return end(TOO_LARGE);
    chunks.push(chunk);
    idle = after(IDLE_MS, () => end(Buffer.concat(chunks)));
  });
  stream.once("end", () => end(length === 0 ? undefined : Buffer.concat(chunks)));
  stream.once("close", () => end(undefined));
  return promise;
}

const TOO_LARGE = makeFailedAnswer("request_too_large", `a request has at most ${MOST_REQUEST_BYTES} bytes`);
