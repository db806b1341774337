import { parseArgs } from "node:util";
import { openCapset } from "../../lib/wire/capset.ts";
import { Embedding } from "./meaning/embedding.ts";
import { Meanings } from "./meaning/meanings.ts";
import { openStore } from "./opening.ts";
import { serveConversations } from "./serve.ts";

const { CAPOS_BOOT_ID = "" } = process.env;
const several = { type: "string", multiple: true, default: [] as string[] } as const;
// Sessions with an embedder, each with its capability and the digest of its weights. The three lists have the same order.
const { values } = parseArgs({
  options: { memory: { type: "boolean", default: false }, embeds: several, by: several, model: several },
});
const capset = openCapset();
const directory = values.memory ? undefined : capset.directory("data");
const store = openStore(directory, { now: Date.now, bootId: CAPOS_BOOT_ID });
const embeddings = new Map(
  values.embeds.map((session, index) => {
    const connection = capset.connection(values.by[index] ?? "");
    return [session, new Embedding(values.model[index] ?? "", connection)] as const;
  }),
);
// A pending pause must not keep the process alive.
const wait = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
const meanings = new Meanings(store, embeddings, wait);
capset.onGrant((grant) => {
  const serving = serveConversations(grant, store, meanings);
  if (serving !== undefined) return;
  grant.stream.destroy();
  process.stderr.write(`${grant.holder} was cut off: it is no loop and no gate of a session\n`);
});
capset.onStop(async () => {
  meanings.stop();
  store.close();
});
capset.ready();
