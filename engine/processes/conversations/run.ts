import { parseArgs } from "node:util";
import type { Program } from "../../lib/wire/program.ts";
import { Embedding } from "./meaning/embedding.ts";
import { Meanings } from "./meaning/meanings.ts";
import { openStore } from "./opening.ts";
import { serveConversations } from "./serve.ts";

const several = { type: "string", multiple: true, default: [] as string[] } as const;
/**
 * The options `embeds`, `by` and `model` occur once for each session with an embedder. They name the session, the
 * capability of its embedder, and the digest of the weights. The n-th values of the three belong together.
 */
const OPTIONS = { memory: { type: "boolean", default: false }, embeds: several, by: several, model: several } as const;

export const runConversations: Program = (capset, { words, bootId, log }) => {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  const directory = values.memory ? undefined : capset.directory("data");
  const store = openStore(directory, { now: Date.now, bootId });
  const embeddings = new Map(
    values.embeds.map((session, index) => {
      const connection = capset.connection(values.by[index] ?? "");
      return [session, new Embedding(values.model[index] ?? "", connection)] as const;
    }),
  );
  // After a failure of an embedder, the indexer pauses before the next try. Such a pause must not keep the process
  // alive.
  const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
  const meanings = new Meanings(store, embeddings, wait);
  capset.onGrant((grant) => {
    const serving = serveConversations(grant, store, meanings);
    if (serving !== undefined) return;
    grant.stream.destroy();
    log(`${grant.holder} was cut off: it is no loop and no gate of a session`);
  });
  capset.onStop(async () => {
    meanings.stop();
    store.close();
  });
  capset.ready();
};
