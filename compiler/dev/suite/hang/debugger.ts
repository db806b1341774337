// Writes into the memory of a running machine through QEMU's debugger stub. QEMU then also discards its translation of
// the old bytes. The machine is stopped while the connection is open.

import { connect } from "node:net";

/** Timeout for a response of QEMU's debugger stub. The stub runs on the same machine, so it usually answers sooner. */
const PATIENCE_MS = 60_000;

/** Writes `bytes` at each of the physical addresses. Fails if QEMU refuses, or does not respond in time. */
export async function writeMemory(socket: string, addresses: readonly number[], bytes: Buffer): Promise<void> {
  const place = (address: number): string => `M${address.toString(16)},${bytes.length.toString(16)}`;
  const words = [
    "Qqemu.PhyMemMode:1",
    ...addresses.map((address) => `${place(address)}:${bytes.toString("hex")}`),
    "D",
  ];
  const stub = connect(socket);
  stub.setTimeout(PATIENCE_MS, () => stub.destroy(new Error("the stub says nothing")));
  try {
    const answers = readAnswers(stub.setEncoding("latin1"));
    for (const word of words) {
      stub.write(encodePacket(word));
      const { value } = await answers.next();
      if (value !== "OK") throw new Error(`the stub answers ${value} to ${word}`);
    }
  } finally {
    stub.destroy();
  }
}

function encodePacket(words: string): string {
  const sum = Buffer.from(words, "latin1").reduce((total, byte) => (total + byte) & 0xff, 0);
  return `$${words}#${sum.toString(16).padStart(2, "0")}`;
}

/** Matches the message that the machine has stopped. QEMU's debugger stub sends it without a request. */
const STOPPED = /^T/;

/**
 * Yields each message of QEMU's debugger stub, and acknowledges it with `+`. Skips QEMU's acknowledgements, and the
 * message that the machine has stopped.
 */
async function* readAnswers(
  stub: AsyncIterable<string> & { write: (text: string) => unknown },
): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stub) {
    rest += text;
    for (let found = /\$([^#$]*)#../.exec(rest); found !== null; found = /\$([^#$]*)#../.exec(rest)) {
      rest = rest.slice(found.index + found[0].length);
      stub.write("+");
      if (!STOPPED.test(found[1] ?? "")) yield found[1] ?? "";
    }
  }
}
