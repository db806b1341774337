import { parseArgs } from "node:util";
import { openCapset } from "../wire/capset.ts";
import { openStore } from "./opening.ts";
import { serveConversations } from "./serve.ts";

const { CAPOS_BOOT_ID = "" } = process.env;
const { values } = parseArgs({ options: { memory: { type: "boolean", default: false } } });
const capset = openCapset();
const directory = values.memory ? undefined : capset.directory("data");
const store = openStore(directory, { now: Date.now, bootId: CAPOS_BOOT_ID });
capset.onGrant((grant) => {
  const serving = serveConversations(grant, store);
  if (serving !== undefined) return;
  grant.stream.destroy();
  process.stderr.write(`${grant.holder} was cut off: it is no loop and no gate of a session\n`);
});
capset.onStop(async () => store.close());
capset.ready();
