// Resolves names with the machine's name servers: over TCP, and over UDP if a server does not answer there. Answers are not cached: each
// connection has a look-up of its own, and dials the address that was just checked.

import { randomInt } from "node:crypto";
import { type Address, explainNotPublic, formatAddress } from "../../lib/reach/address.ts";
import { isHostName } from "../../lib/reach/host-name.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { DatagramLine, OpenLine } from "./datagrams.ts";
import type { Dial } from "./dial.ts";
import { encodeQuestion, isAnswerTo, readAddresses } from "./message.ts";

const DNS_PORT = 53;
/** Maximum bytes of an answer: far more than the addresses of one name need. */
const MOST_ANSWER_BYTES = 4096;
/** Timeout of one name server in milliseconds, after which the next one is asked. */
const ANSWER_WITHIN_MS = 5000;
/**
 * Milliseconds without an answer over TCP after which UDP is tried as well. Many routers drop connections to their name server silently.
 */
const TCP_ALONE_MS = 700;
/** Milliseconds after which a question is sent again: a datagram may be lost. */
const AGAIN_MS = 1000;
/** Maximum number of datagrams that do not answer the question; a sender of more datagrams is probably guessing. */
const MOST_STRAYS = 64;

/** The ways to reach a name server. Without `openLine` only TCP is used. */
export interface Ways {
  readonly dial: Dial;
  readonly openLine?: OpenLine;
}

/**
 * Returns the address to dial for a name. All addresses in the answer are checked: if one is not public, the name is
 * refused, because an attacker may have added it.
 */
export async function lookUp(
  name: string,
  servers: readonly Address[],
  ways: Ways,
  signal: AbortSignal,
): Promise<Result<Address>> {
  if (!isHostName(name)) return refuse("this is no name of a server");
  let last = refuse("the machine knows no name server");
  for (const server of servers) {
    const found = await ask(name, server, ways, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]));
    if (signal.aborted) return refuse("the look-up was ended");
    if (found.ok) return checkAddresses(name, found.value);
    last = refuse(`${name}: ${found.reason}`);
  }
  return last;
}

function checkAddresses(name: string, addresses: readonly Address[]): Result<Address> {
  for (const address of addresses) {
    const why = explainNotPublic(address);
    if (why !== undefined) return refuse(`${name} leads to ${formatAddress(address)}, which is ${why}`);
  }
  const [first] = addresses;
  return first === undefined ? refuse(`${name} has no address`) : accept(first);
}

async function ask(
  name: string,
  server: Address,
  { dial, openLine }: Ways,
  signal: AbortSignal,
): Promise<Result<readonly Address[]>> {
  const id = randomInt(0x1_0000);
  const asked = encodeQuestion(id, name);
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const tcp = answerTo(Buffer.concat([encodeLength(asked), asked]), server, dial, both);
  try {
    const early = openLine === undefined ? await tcp : await Promise.race([tcp, silence(both)]);
    if (early?.ok === true) return readAddresses(early.value, id, name);
    if (openLine === undefined) return early ?? NO_ANSWER;
    const wanted = randomInt(0x1_0000);
    const line = { openLine, server, id: wanted, name };
    const [first, second] = [tagAnswer(tcp, id), tagAnswer(askByDatagram(line, both), wanted)];
    const found = await takeFirstAnswer(first, second);
    return found.ok ? readAddresses(found.value.bytes, found.value.id, name) : found;
  } finally {
    over.abort();
  }
}

const NO_ANSWER = refuse("the name server does not answer");

/** Resolves after the time in which only TCP is tried. */
function silence(signal: AbortSignal): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), TCP_ALONE_MS);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return promise;
}

interface Answered {
  readonly bytes: Uint8Array;
  readonly id: number;
}

async function tagAnswer(answer: Promise<Result<Uint8Array>>, id: number): Promise<Result<Answered>> {
  const found = await answer;
  return found.ok ? accept({ bytes: found.value, id }) : found;
}

/** Returns the first answer, over TCP (`first`) or UDP (`second`); if both fail, returns why UDP failed. */
async function takeFirstAnswer<T>(first: Promise<Result<T>>, second: Promise<Result<T>>): Promise<Result<T>> {
  const early = await Promise.race([first, second]);
  if (early.ok) return early;
  const [one, other] = await Promise.all([first, second]);
  return one.ok ? one : other;
}

interface Asking {
  readonly openLine: OpenLine;
  readonly server: Address;
  readonly id: number;
  readonly name: string;
}

/**
 * Returns the bytes of the answer over UDP. Skips answers to other questions, and fails if there are too many of them.
 */
async function askByDatagram({ openLine, server, id, name }: Asking, signal: AbortSignal): Promise<Result<Uint8Array>> {
  const { promise, resolve } = Promise.withResolvers<Result<Uint8Array>>();
  if (signal.aborted) return NO_ANSWER;
  signal.addEventListener("abort", () => resolve(NO_ANSWER), { once: true });
  let strays = 0;
  const receiveMessage = (message: Uint8Array): void => {
    if (message.length <= MOST_ANSWER_BYTES && isAnswerTo(message, id, name)) resolve(accept(message));
    strays += 1;
    if (strays > MOST_STRAYS) resolve(refuse("too many datagrams answer another question"));
  };
  const reportFailure = () => resolve(refuse("the name server cannot be reached"));
  const line: DatagramLine = await openLine(server, DNS_PORT, { heard: receiveMessage, failed: reportFailure });
  const asked = encodeQuestion(id, name);
  const again = setInterval(() => line.send(asked), AGAIN_MS);
  line.send(asked);
  try {
    return await promise;
  } finally {
    clearInterval(again);
    line.close();
  }
}

/**
 * Sends a query over TCP and returns the answer; each message is preceded by its length (RFC 7766). Fails if no whole
 * answer arrives.
 */
function answerTo(message: Uint8Array, server: Address, dial: Dial, signal: AbortSignal): Promise<Result<Uint8Array>> {
  const { promise, resolve } = Promise.withResolvers<Result<Uint8Array>>();
  const socket = dial(server, DNS_PORT);
  const end = (result: Result<Uint8Array>): void => {
    signal.removeEventListener("abort", reportTimeout);
    socket.destroy();
    resolve(result);
  };
  const reportTimeout = (): void => end(refuse("the name server does not answer"));
  let taken = Buffer.alloc(0);
  socket.on("data", (piece: Buffer) => {
    taken = Buffer.concat([taken, piece]);
    const size = taken.length < 2 ? undefined : taken.readUInt16BE(0);
    if (size !== undefined && size > MOST_ANSWER_BYTES) end(refuse("the name server's answer is too large"));
    else if (size !== undefined && taken.length >= size + 2) end(accept(taken.subarray(2, size + 2)));
  });
  socket.on("error", () => end(refuse("the name server cannot be reached")));
  socket.on("close", () => end(refuse("the name server hung up")));
  if (signal.aborted) reportTimeout();
  else {
    signal.addEventListener("abort", reportTimeout, { once: true });
    socket.write(message);
  }
  return promise;
}

function encodeLength(message: Uint8Array): Uint8Array {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
}
