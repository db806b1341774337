// Names to addresses, over TCP to the name servers that the machine was given. No answer is kept: a look-up and the one
// connection that is made of it belong together, so there is no time in between in which a name could change.

import { randomInt } from "node:crypto";
import { accept, type Checked, refuse } from "../policy/index.ts";
import { type Address, addressText, notPublic } from "./address.ts";
import type { Dial } from "./dial.ts";
import { addressesIn, isHostName, question } from "./message.ts";

const DNS_PORT = 53;
/** Far more than addresses of one name need. */
const MOST_ANSWER_BYTES = 4096;
/** For one name server; then the next one is asked. */
const ANSWER_WITHIN_MS = 5000;

/**
 * The address to dial for a name. All that the name server says of it are looked at: one that is not public refuses the
 * name, because whoever mixes it in means somebody to reach it.
 */
export async function lookUp(
  name: string,
  servers: readonly Address[],
  dial: Dial,
  signal: AbortSignal,
): Promise<Checked<Address>> {
  if (!isHostName(name)) return refuse("this is no name of a server");
  let last = refuse("the machine knows no name server");
  for (const server of servers) {
    const found = await ask(name, server, dial, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]));
    if (signal.aborted) return refuse("the look-up was ended");
    if (found.ok) return judged(name, found.value);
    last = refuse(`${name}: ${found.reason}`);
  }
  return last;
}

function judged(name: string, addresses: readonly Address[]): Checked<Address> {
  for (const address of addresses) {
    const why = notPublic(address);
    if (why !== undefined) return refuse(`${name} leads to ${addressText(address)}, which is ${why}`);
  }
  const [first] = addresses;
  return first === undefined ? refuse(`${name} has no address`) : accept(first);
}

async function ask(
  name: string,
  server: Address,
  dial: Dial,
  signal: AbortSignal,
): Promise<Checked<readonly Address[]>> {
  const id = randomInt(0x1_0000);
  const asked = question(id, name);
  const answer = await answerTo(Buffer.concat([lengthOf(asked), asked]), server, dial, signal);
  return answer.ok ? addressesIn(answer.value, id, name) : answer;
}

/** One message each way, with its length before it (RFC 7766). */
function answerTo(message: Uint8Array, server: Address, dial: Dial, signal: AbortSignal): Promise<Checked<Uint8Array>> {
  const { promise, resolve } = Promise.withResolvers<Checked<Uint8Array>>();
  const socket = dial(server, DNS_PORT);
  const end = (result: Checked<Uint8Array>): void => {
    signal.removeEventListener("abort", late);
    socket.destroy();
    resolve(result);
  };
  const late = (): void => end(refuse("the name server does not answer"));
  let taken = Buffer.alloc(0);
  socket.on("data", (piece: Buffer) => {
    taken = Buffer.concat([taken, piece]);
    const size = taken.length < 2 ? undefined : taken.readUInt16BE(0);
    if (size !== undefined && size > MOST_ANSWER_BYTES) end(refuse("the name server's answer is too large"));
    else if (size !== undefined && taken.length >= size + 2) end(accept(taken.subarray(2, size + 2)));
  });
  socket.on("error", () => end(refuse("the name server cannot be reached")));
  socket.on("close", () => end(refuse("the name server hung up")));
  if (signal.aborted) late();
  else {
    signal.addEventListener("abort", late, { once: true });
    socket.write(message);
  }
  return promise;
}

function lengthOf(message: Uint8Array): Uint8Array {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
}
