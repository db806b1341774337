// Writes into the memory of a running machine through QEMU's stub for debuggers, which drops what it translated of the old bytes.
// The machine stands still from the connection on, and goes on at the end of it.

import { connect } from "node:net";

/** A stub on the same machine answers sooner. */
const PATIENCE_MS = 60_000;

/** `address` is physical. Fails where the stub refuses, or says nothing in time. */
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

/** Message that the machine has stopped, which arrives without a request; it begins with T. */
const STOPPED = /^T/;

/** Each as it comes, with `+` for it; what the stub says for our packets are marks between them. */
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
