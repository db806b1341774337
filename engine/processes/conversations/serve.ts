// The store on its connections. The session of a call, and whether a loop or a gate asks, come only from init's grant.

import type { Result } from "../../lib/result/result.ts";
import type { IncomingGrant } from "../../lib/wire/capset.ts";
import { ConversationLog, ConversationStore } from "../../lib/wire/generated/conversations.ts";
import { type Failure, implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { MAX_SESSION_BYTES } from "./limits.ts";
import { Meanings } from "./meaning/meanings.ts";
import type { Store } from "./store.ts";

/** Serves a loop or a gate of a session, each over its own interface; returns `undefined` for any other holder. */
export function serveConversations(
  { stream, holder, interfaceId }: Pick<IncomingGrant, "stream" | "holder" | "interfaceId">,
  store: Store,
  meanings: Meanings = Meanings.createDisabled(store),
): Serving | undefined {
  const [, role, session = ""] = /^(loop|gate)\.(.+)$/.exec(holder) ?? [];
  if (role === "loop" && interfaceId === ConversationLog.id)
    return serveInterface(stream, [log(store, meanings, session)]);
  if (role === "gate" && interfaceId === ConversationStore.id)
    return serveInterface(stream, [implementStore(store, meanings, session)]);
  return undefined;
}

function log(store: Store, meanings: Meanings, session: string) {
  return implement(ConversationLog, {
    append: async ({ conversation, sayings }) => {
      const kept = store.appendOfLoop(session, conversation, sayings);
      if (kept.ok) meanings.noticeSayings(session, conversation, kept.value - BigInt(sayings.length));
      return convertResult(kept, (last) => ({ last }));
    },
    recent: async () => convertResult(store.readRecentSayings(session), (recent) => recent),
    account: async ({ conversation, window }) => {
      store.recordWindow(session, conversation, window);
      return {};
    },
    recall: async (wanted) => convertResult(await meanings.recall(session, wanted), (recalled) => recalled),
  });
}

function implementStore(store: Store, meanings: Meanings, session: string) {
  return implement(ConversationStore, {
    begin: async () => convertResult(store.begin(session), (conversation) => ({ conversation })),
    open: async ({ conversation }) => convertResult(store.open(session, conversation), (last) => ({ last })),
    list: async ({ most }) => convertResult(store.list(session, most), (listing) => listing),
    read: async ({ conversation, after, mostBytes }) =>
      convertResult(store.read(session, conversation, after, mostBytes), (read) => read),
    fork: async ({ conversation, through }) => {
      const forked = store.fork(session, conversation, through);
      if (forked.ok) meanings.noticeSayings(session, forked.value, 0n);
      return convertResult(forked, (fork) => ({ fork }));
    },
    search: async (sought) => convertResult(await meanings.search(session, sought), (searched) => searched),
    forget: async ({ conversation }) => convertResult(store.forget(session, conversation), () => ({})),
    status: async () =>
      convertResult(store.readUsage(session), (usage) => {
        const { durable, reason, moved } = store;
        const meaning = meanings.describeStatus(session);
        return { durable, reason, moved, ...usage, mostBytes: BigInt(MAX_SESSION_BYTES), meaning };
      }),
    window: async () => convertResult(store.window(session), (window) => ({ window })),
    setRecall: async ({ isOn }) => convertResult(store.setRecall(session, isOn), () => ({})),
    recalling: async () => convertResult(store.readRecalling(session), (isOn) => ({ isOn })),
    beginTurn: async ({ said }) => {
      store.beginTurn(session, said);
      return {};
    },
    takeRecalled: async () => store.takeRecalled(session),
  });
}

function convertResult<T, R>(done: Result<T>, results: (value: T) => R): R | Failure {
  return done.ok ? results(done.value) : makeFailure("failed", done.reason);
}
