// Serves Terminal to the loop of a worker: the loop reads the message of its task, and the host keeps what it writes.

import type { Duplex } from "node:stream";
import { Terminal } from "../../lib/wire/generated/wire.ts";
import { implement, type Serving, serveInterface } from "../../lib/wire/index.ts";
import type { Worker } from "./worker.ts";

export function serveLoop(stream: Duplex, worker: Worker): Serving {
  const loop = worker.connectLoop();
  const serving = serveInterface(stream, [
    implement(Terminal, {
      readLine: async () => {
        const line = await loop.readLine();
        return { line: line ?? "", end: line === undefined };
      },
      write: async ({ text, speaker }) => {
        loop.write(text, speaker);
        return {};
      },
      awaitInterrupt: async () => {
        await loop.awaitInterrupt();
        return {};
      },
    }),
  ]);
  void serving.closed.then(() => loop.close());
  return serving;
}
