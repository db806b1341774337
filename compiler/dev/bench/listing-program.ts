// Measures the first list of a thousand conversations after a start, as `/conversations 1000` makes it. The gate's own command sends a
// request over a connection. The store answers from a file that an earlier process wrote and closed, and the command formats the lines.
// `listing-program fill|list DIRECTORY`: `list` prints the CPU milliseconds without the time to open the file.

import { duplexPair } from "node:stream";
import { ConversationStore } from "../../../engine/lib/wire/generated/conversations.ts";
import { connect } from "../../../engine/lib/wire/index.ts";
import { openStore } from "../../../engine/processes/conversations/opening.ts";
import { NO_SAYING } from "../../../engine/processes/conversations/saying.ts";
import { serveConversations } from "../../../engine/processes/conversations/serve.ts";
import type { Store } from "../../../engine/processes/conversations/store.ts";
import { Archive } from "../../../engine/processes/gate/archive.ts";
import { listConversations } from "../../../engine/processes/gate/commands/conversations.ts";
import { bug } from "../../../lang/diagnostics/index.ts";

const CONVERSATIONS = 1000;
/** Roles of the messages of a conversation: a request, a call, its result and a response, twice. */
const ROLES = ["user", "assistant", "tool", "assistant", "user", "assistant", "tool", "assistant"] as const;

const [, , what = "", directory = ""] = process.argv;

function openDurableStore(run: string): Store {
  const store = openStore(directory, { now: Date.now, bootId: run.repeat(32) });
  return store.durable ? store : bug(store.reason);
}

function fill(store: Store): void {
  for (let number = 0; number < CONVERSATIONS; number += 1) {
    const begun = store.begin("operator");
    if (!begun.ok || !store.open("operator", begun.value).ok) throw new Error("no conversation is begun");
    const renderSaying = (at: number) =>
      `What saying ${at} of conversation ${number} is about, in words. `.repeat(1 + at);
    const sayings = ROLES.map((role, at) => ({
      ...NO_SAYING,
      turn: 1 + Math.floor(at / 4),
      role,
      text: renderSaying(at),
    }));
    const kept = store.append("operator", begun.value, sayings);
    if (!kept.ok) throw new Error(kept.reason);
  }
}

async function list(store: Store): Promise<number> {
  const [mine, stream] = duplexPair();
  serveConversations({ stream, holder: "gate.operator", interfaceId: ConversationStore.id }, store);
  const gate = { place: { conversation: "" } };
  const supervisor = { call: () => bug("nothing is started again for a list") };
  const archive = new Archive({ store: connect(mine), supervisor });
  const before = process.cpuUsage();
  const lines = await listConversations({ gate, archive }, `${CONVERSATIONS}`);
  const { user, system } = process.cpuUsage(before);
  const listed = lines.filter((line) => line.includes(`: ${ROLES.length} sayings, `));
  if (listed.length !== CONVERSATIONS) return bug(`they are not all listed: ${lines.slice(-2).join("; ")}`);
  return (user + system) / 1000;
}

if (what === "fill") {
  const store = openDurableStore("0");
  fill(store);
  store.close();
} else {
  process.stdout.write(`${await list(openDurableStore("1"))}\n`);
}
process.exit(0);
