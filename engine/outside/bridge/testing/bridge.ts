// Creates a bridge of the page in this folder for tests, with the stub of the image.

import { readFileSync } from "node:fs";
import { duplexPair } from "node:stream";
import { compilePolicy } from "../../../../compiler/dev/fixtures/facts.ts";
import { indexPolicyTables } from "../../../../compiler/phases/policy/index.ts";
import { type IndexedTables, openConversation } from "../../../lib/policy/index.ts";
import { type ChatMessage, type InferenceRequest, LanguageModel } from "../../../lib/wire/generated/capos.ts";
import { connect, implement, makeFailure, serveInterface } from "../../../lib/wire/index.ts";
import { Permits } from "../../../processes/model/permits.ts";
import { readReplies } from "../../../processes/model/replies.ts";
import { createStubInfo, serveModel } from "../../../processes/model/serve.ts";
import type { Bridge } from "../planner.ts";

const FILES = ["system.cap", "kernel.capnp", "kernel.js", "replies.json", "cap.lock"] as const;

/** Returns the tables of the page; `change` modifies the text of the page first. */
export async function tablesOf(change: (page: string) => string = (page) => page): Promise<IndexedTables> {
  const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
  const files = Object.fromEntries(FILES.map((name) => [`/${name}`, read(name)]));
  return indexPolicyTables(await compilePolicy(change(read("system.cap")), files));
}

/** Returns a bridge for a session; `contextTokens` is the model's context size in tokens. */
export function bridgeIn(tables: IndexedTables, session: string, contextTokens = 65_536): Bridge {
  const conversation = openConversation(tables, session);
  const replies = readReplies(readFileSync(new URL("replies.json", import.meta.url)));
  if (conversation === undefined || !replies.ok) throw new Error("the fixture is broken");
  const [mine, theirs] = duplexPair();
  const permits = new Permits();
  serveModel(theirs, { replies: replies.value, info: { ...createStubInfo("stub"), contextTokens } }, permits);
  return { tables, conversation, model: connect(mine), permit: (nonce, most) => void permits.allow(nonce, most) };
}

interface Asked {
  readonly req: InferenceRequest;
  readonly mostTokens: number;
}

/**
 * Returns a bridge whose model gives this response, and the list of the requests to the model. `contextTokens` is the model's context size
 * in tokens.
 */
export function listeningBridge(
  tables: IndexedTables,
  session: string,
  says: Partial<ChatMessage>,
  contextTokens = 65_536,
): { readonly bridge: Bridge; readonly asked: readonly Asked[] } {
  const conversation = openConversation(tables, session);
  if (conversation === undefined) throw new Error("the fixture is broken");
  const asked: Asked[] = [];
  const permitted = new Map<string, number>();
  const [mine, theirs] = duplexPair();
  const message: ChatMessage = { role: "assistant", content: "", toolCallId: "", toolCalls: [], ...says };
  const unused = async () => makeFailure("failed", "not asked for here");
  serveInterface(theirs, [
    implement(LanguageModel, {
      info: async () => ({ info: { ...createStubInfo("listener"), contextTokens } }),
      complete: async ({ req }) => {
        asked.push({ req, mostTokens: permitted.get(Buffer.from(req.nonce).toString("hex")) ?? 0 });
        return { resp: { message, finishReason: "stop", usage: { promptTokens: 1, outputTokens: 1 } } };
      },
      stream: unused,
      countTokens: unused,
    }),
  ]);
  const permit: Bridge["permit"] = (nonce, most) => void permitted.set(Buffer.from(nonce).toString("hex"), most);
  return { bridge: { tables, conversation, model: connect(mine), permit }, asked };
}
