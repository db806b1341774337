// Serves one connection to a kernel, or to a program in place of a kernel. Requests are answered one after the other,
// in their order.

import type { Duplex } from "node:stream";
import type { Scheduler } from "../../lib/wire/listen.ts";
import type { Framing } from "./framing.ts";

export interface Line {
  readonly stream: Duplex;
  readonly framing: Framing;
  /**
   * Reaction to an unfinished request. `end` closes the line. `forget` only drops the request and keeps the line, because a kernel could not open
   * its serial line again.
   */
  readonly whenStalled: "end" | "forget";
}

/** Maximum milliseconds in which the peer must send a whole request, and in which it must read a response. */
const STALLED_MS = 30_000;

/** Answers the requests that arrive on a line, and resolves when the line has ended. */
export async function serveLine(
  { stream, framing, whenStalled }: Line,
  answer: (request: Uint8Array | "tooLong", signal: AbortSignal) => Promise<Uint8Array>,
  after: Scheduler,
): Promise<void> {
  const gone = new AbortController();
  stream.once("close", () => gone.abort());
  // Ignore the event `error`, which would end the process if it had no listener. The loop over `stream` reports the
  // error.
  stream.on("error", () => {});
  let disarm: (() => void) | undefined;
  const disarmStall = () => {
    disarm?.();
    disarm = undefined;
  };
  const answerAll = async (requests: readonly (Uint8Array | "tooLong")[]) => {
    for (const request of requests) await sendBytes(stream, framing.wrap(await answer(request, gone.signal)), after);
  };
  const handleStall = () => {
    disarm = undefined;
    if (whenStalled === "end") stream.destroy();
    else framing.forget();
  };
  try {
    for await (const chunk of stream) {
      const requests = framing.take(chunk);
      if (requests.length > 0 || !framing.isUnfinished()) disarmStall();
      await answerAll(requests);
      if (framing.isUnfinished()) disarm ??= after(STALLED_MS, handleStall);
    }
    disarmStall();
    await answerAll(framing.end());
  } catch {
    // The peer has gone or was disconnected, so nobody would receive an error message.
  } finally {
    disarmStall();
    stream.destroy();
  }
}

/** Sends bytes, and disconnects a peer that does not read them. */
async function sendBytes(stream: Duplex, bytes: Uint8Array, after: Scheduler): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const disarm = after(STALLED_MS, () => stream.destroy());
  // If the stream closes during a write, the callback of the write may never run. So reject the promise when the stream
  // closes.
  const rejectClosed = () => reject(new Error("the line ended"));
  stream.once("close", rejectClosed);
  stream.write(bytes, (error) => (error ? reject(error) : resolve()));
  try {
    await promise;
  } finally {
    stream.off("close", rejectClosed);
    disarm();
  }
}
