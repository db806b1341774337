// Sends syslog to the one collector of the page: messages of RFC 5424 over TCP or TLS, each preceded by its length (RFC
// 6587, RFC 5425). This module cannot send anything else: malformed messages are refused, and the collector's output is
// not read.

import type { Duplex } from "node:stream";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type Endpoint, SyslogExit } from "../../lib/wire/generated/egress.ts";
import { implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { connectTo } from "./connection.ts";
import { MOST_CHATTER_BYTES, MOST_MESSAGE_BYTES, MOST_MESSAGES, OPEN_BEHIND_MS } from "./limits.ts";
import { type Exit, runWithinLimits } from "./request.ts";

/**
 * The form of a syslog message: priority, version, and printable characters. No other protocol has lines that begin
 * like this.
 */
const MESSAGE = /^<\d{1,3}>1 [\x20-\x7e]+$/;

export function serveSyslog(stream: Duplex, endpoint: Endpoint, exit: Exit): Serving {
  const send = async (
    { messages }: { readonly messages: readonly string[] },
    { signal }: { readonly signal: AbortSignal },
  ) => {
    const sent = await shipMessages(messages, endpoint, exit, signal);
    return sent.ok ? {} : makeFailure(signal.aborted ? "cancelled" : "failed", sent.reason);
  };
  return serveInterface(stream, [implement(SyslogExit, { send })]);
}

async function shipMessages(
  messages: readonly string[],
  endpoint: Endpoint,
  exit: Exit,
  caller: AbortSignal,
): Promise<Result<void>> {
  const [place] = endpoint.places;
  const isOdd = messages.some((message) => message.length > MOST_MESSAGE_BYTES || !MESSAGE.test(message));
  if (place === undefined || isOdd || messages.length === 0 || messages.length > MOST_MESSAGES)
    return refuse(
      `1 to ${MOST_MESSAGES} messages of RFC 5424 are sent here, in printable ASCII, of ${MOST_MESSAGE_BYTES} bytes at most`,
    );
  const frames = messages.map((message) => `${message.length} ${message}`).join("");
  return runWithinLimits(exit, endpoint, caller, async (signal) => {
    const connection = await connectTo(place, endpoint.pins, exit, signal);
    if (!connection.ok) return connection;
    const fault = await sendFrames(connection.value, frames);
    if (fault === undefined) return accept(undefined);
    return refuse(`${place.host}: ${signal.aborted ? "it took too long" : fault}`);
  });
}

/**
 * Resolves with `undefined` if the server closes its side after ours: this shows that it has received everything.
 * Otherwise resolves with the fault. Neither accepted writes, nor a close before ours, would prove that the server has
 * received anything.
 */
function sendFrames(socket: Duplex, frames: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  let heard = 0;
  let isOver = false;
  let behind: NodeJS.Timeout | undefined;
  const end = (fault: string | undefined): void => {
    clearTimeout(behind);
    resolve(fault);
    socket.destroy();
  };
  const close = (): void => {
    if (socket.destroyed) return;
    isOver = true;
    socket.end();
  };
  socket.on("data", ({ length }: Buffer) => {
    heard += length;
    if (heard > MOST_CHATTER_BYTES) end("it says more than a collector has to say");
  });
  socket.on("end", () => end(isOver ? undefined : "it hung up before it had everything"));
  socket.on("error", () => end("the connection broke off"));
  socket.on("close", () => end("the connection broke off"));
  socket.write(frames, "latin1", (error) => {
    // After `OPEN_BEHIND_MS`, let the event loop read the socket once more before this side closes. If this process was
    // blocked, the server's end may have arrived unread.
    if (error === null || error === undefined) behind = setTimeout(() => setImmediate(close), OPEN_BEHIND_MS);
  });
  return promise;
}
