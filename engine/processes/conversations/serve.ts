// The store on its connections. Whose conversations a call is about, and whether it is a loop or a gate that asks, comes from
// init's grant and from nowhere else.

import type { Checked } from "../../lib/policy/index.ts";
import type { IncomingGrant } from "../../lib/wire/capset.ts";
import { ConversationLog, ConversationStore } from "../../lib/wire/generated/conversations.ts";
import { type Failure, failure, implement, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { MAX_SESSION_BYTES } from "./limits.ts";
import { Meanings } from "./meaning/meanings.ts";
import type { Store } from "./store.ts";

/** Serves a loop or a gate of a session, each its own interface; nothing for anybody else. */
export function serveConversations(
  { stream, holder, interfaceId }: Pick<IncomingGrant, "stream" | "holder" | "interfaceId">,
  store: Store,
  meanings: Meanings = Meanings.none(store),
): Serving | undefined {
  const [, role, session = ""] = /^(loop|gate)\.(.+)$/.exec(holder) ?? [];
  if (role === "loop" && interfaceId === ConversationLog.id)
    return serveInterface(stream, [log(store, meanings, session)]);
  if (role === "gate" && interfaceId === ConversationStore.id)
    return serveInterface(stream, [gates(store, meanings, session)]);
  return undefined;
}

function log(store: Store, meanings: Meanings, session: string) {
  return implement(ConversationLog, {
    append: async ({ conversation, sayings }) => {
      const kept = store.appendOfLoop(session, conversation, sayings);
      if (kept.ok) meanings.said(session, conversation, kept.value - BigInt(sayings.length));
      return told(kept, (last) => ({ last }));
    },
    recent: async () => told(store.recent(session), (recent) => recent),
    account: async ({ conversation, window }) => {
      store.account(session, conversation, window);
      return {};
    },
    recall: async (wanted) => told(await meanings.recall(session, wanted), (recalled) => recalled),
  });
}

function gates(store: Store, meanings: Meanings, session: string) {
  return implement(ConversationStore, {
    begin: async () => told(store.begin(session), (conversation) => ({ conversation })),
    open: async ({ conversation }) => told(store.open(session, conversation), (last) => ({ last })),
    list: async ({ most }) => told(store.list(session, most), (listing) => listing),
    read: async ({ conversation, after, mostBytes }) =>
      told(store.read(session, conversation, after, mostBytes), (read) => read),
    fork: async ({ conversation, through }) => {
      const forked = store.fork(session, conversation, through);
      if (forked.ok) meanings.said(session, forked.value, 0n);
      return told(forked, (fork) => ({ fork }));
    },
    search: async (sought) => told(await meanings.search(session, sought), (searched) => searched),
    forget: async ({ conversation }) => told(store.forget(session, conversation), () => ({})),
    status: async () =>
      told(store.usage(session), (usage) => {
        const { durable, reason, moved } = store;
        const meaning = meanings.status(session);
        return { durable, reason, moved, ...usage, mostBytes: BigInt(MAX_SESSION_BYTES), meaning };
      }),
    window: async () => told(store.window(session), (window) => ({ window })),
    setRecall: async ({ isOn }) => told(store.setRecall(session, isOn), () => ({})),
    recalling: async () => told(store.recalling(session), (isOn) => ({ isOn })),
    beginTurn: async ({ said }) => {
      store.beginTurn(session, said);
      return {};
    },
    takeRecalled: async () => store.takeRecalled(session),
  });
}

function told<T, R>(done: Checked<T>, results: (value: T) => R): R | Failure {
  return done.ok ? results(done.value) : failure("failed", done.reason);
}
