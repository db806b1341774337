// Lists a thousand conversations as `/conversations 1000` does: the gate asks over a connection, the store answers, and the lines
// are made. Tells the CPU milliseconds of one of them.

import { duplexPair } from "node:stream";
import { openStore } from "../../engine/conversations/opening.ts";
import { serveConversations } from "../../engine/conversations/serve.ts";
import { ConversationStore } from "../../engine/wire/generated/conversations.ts";
import { connect } from "../../engine/wire/index.ts";

const CONVERSATIONS = 1000;
const TIMES = 10;

const store = openStore(undefined, { now: () => 0, bootId: "0".repeat(32) });
const nothing = { calls: [], callId: "", source: "", outcome: "ok", through: 0n, saidMs: 0n, sequence: 0n } as const;
for (let number = 0; number < CONVERSATIONS; number += 1) {
  const begun = store.begin("operator");
  const text = `The first words of conversation ${number}, which are long enough to be a title`;
  if (!begun.ok || !store.open("operator", begun.value).ok) throw new Error("no conversation is begun");
  const said = store.append("operator", begun.value, [{ ...nothing, turn: 1, role: "user", text }]);
  if (!said.ok) throw new Error(said.reason);
}

const [mine, stream] = duplexPair();
serveConversations({ stream, holder: "gate.operator", interfaceId: ConversationStore.id }, store);
const gate = connect(mine);
const before = process.cpuUsage();
for (let time = 0; time < TIMES; time += 1) {
  const listed = await gate.call(ConversationStore.methods.list, { most: CONVERSATIONS });
  if (!listed.ok || listed.value.conversations.length !== CONVERSATIONS) throw new Error("they are not all listed");
}
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1000 / TIMES}\n`);
process.exit(0);
