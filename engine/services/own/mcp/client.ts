// The client's side of MCP, as far as tools need it: initialize, tools/list, tools/call. The server is the operator's choice and
// a stranger all the same: it is believed for nothing but what a call returns, and its tools are those that somebody has read.

import type { Readable, Writable } from "node:stream";
import {
  accept,
  type Checked,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  refuse,
  toolListDigest,
} from "../../../policy/index.ts";
import { readLines } from "./lines.ts";

const PROTOCOL = "2025-06-18";
/** Pages of a list, and tools in all: as many as an import takes. */
const MAX_PAGES = 20;
const MAX_TOOLS = 1000;
/** For all pages, and once more where the list changes meanwhile: as long as a call has where the page says nothing. */
const LISTS_WITHIN_MS = 30_000;
const METHOD_NOT_FOUND = -32_601;
const GIVEN_UP = refuse("the call was given up");
const LATE = "it does not list its tools: half a minute was not enough";

type Answer = Checked<JsonRecord>;

export interface Client {
  /** Why the server must not be used: it does not speak the protocol, or its tools are not the pinned ones. */
  readonly open: () => Promise<string | undefined>;
  readonly call: (name: string, args: Json, signal: AbortSignal) => Promise<Checked<JsonRecord>>;
}

/** A client of the server that reads `input` and writes `output`. `pinned`: what its tools must be known by. */
export function clientOf(input: Writable, output: Readable, pinned: Uint8Array): Client {
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let over: string | undefined;
  /** How often the list was another one, by what the server says, and up to which of them it was looked at. */
  let changes = 1;
  let lookedAt = 0;
  let looking: Promise<void> | undefined;

  const end = (reason: string): void => {
    over ??= reason;
    for (const answer of waiting.values()) answer(refuse(over));
    waiting.clear();
  };
  const send = (message: JsonRecord): void => {
    if (over === undefined) input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const request = (method: string, params: JsonRecord, signal?: AbortSignal): Promise<Answer> => {
    if (over !== undefined) return Promise.resolve(refuse(over));
    if (signal?.aborted === true) return Promise.resolve(GIVEN_UP);
    lastId += 1;
    const id = lastId;
    return new Promise((resolve) => {
      const takeBack = (): void => {
        if (!waiting.delete(id)) return;
        send({ method: "notifications/cancelled", params: { requestId: id, reason: "nobody waits for it any more" } });
        resolve(GIVEN_UP);
      };
      waiting.set(id, (answer) => {
        signal?.removeEventListener("abort", takeBack);
        resolve(answer);
      });
      send({ id, method, params });
      signal?.addEventListener("abort", takeBack, { once: true });
    });
  };

  readLines(
    output,
    (message) => {
      const { id, method } = message;
      if (typeof method === "string" && id !== undefined) return void send({ id, ...answerTo(method) });
      if (method === "notifications/tools/list_changed") changes += 1;
      if (typeof method === "string" || typeof id !== "number") return;
      const answer = waiting.get(id);
      waiting.delete(id);
      answer?.(resultIn(message));
    },
    end,
  );
  output.on("close", () => end("the server has ended"));
  input.on("error", () => end("the server reads no more"));

  /** Nothing where the server lists what is pinned, and has not said since that it is another list. */
  const listFault = async (limit: AbortSignal): Promise<string | undefined> => {
    for (;;) {
      const change = changes;
      const tools = await listed((method, params) => request(method, params, limit));
      if (!tools.ok) return limit.aborted ? LATE : `it does not list its tools: ${tools.reason}`;
      const isPinned = Buffer.from(toolListDigest(tools.value)).equals(pinned);
      if (!isPinned) return "its tools are not those of the list that is pinned";
      lookedAt = change;
      if (change === changes) return undefined;
    }
  };
  /** Looks at the list, for all who wait for that. A server that has another one is asked for nothing more. */
  const look = async (): Promise<void> => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), LISTS_WITHIN_MS);
    const fault = await listFault(limit.signal);
    clearTimeout(timer);
    looking = undefined;
    if (fault !== undefined) end(fault);
  };
  /** Until the list is looked at as it is by now, the server has ended, or nobody waits any more. */
  const whenLookedAt = async (signal?: AbortSignal): Promise<void> => {
    while (lookedAt !== changes && over === undefined && signal?.aborted !== true) {
      looking ??= look();
      await (signal === undefined ? looking : Promise.race([looking, aborted(signal)]));
    }
  };

  return {
    open: async () => {
      const clientInfo = { name: "capos", version: "1" };
      const hello = await request("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
      if (!hello.ok) return `it does not begin: ${hello.reason}`;
      send({ method: "notifications/initialized" });
      await whenLookedAt();
      return over;
    },
    call: async (name, args, signal) => {
      // A server may offer other tools at any time: what it says then holds for the next call.
      await whenLookedAt(signal);
      const answer = await request("tools/call", { name, arguments: args }, signal);
      return answer.ok ? contentOf(answer.value) : answer;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** Nothing of this side is the server's to use: no sampling, no roots, no questions to a person. */
function answerTo(method: string): JsonRecord {
  if (method === "ping") return { result: {} };
  return { error: { code: METHOD_NOT_FOUND, message: "this client has nothing but calls of tools" } };
}

function resultIn({ result, error }: JsonRecord): Answer {
  if (result !== undefined && isRecord(result)) return accept(result);
  const said = error !== undefined && isRecord(error) ? error["message"] : undefined;
  return refuse(typeof said === "string" ? said : "it answers with neither a result nor an error");
}

type Request = (method: string, params: JsonRecord) => Promise<Answer>;

/** All pages of a list, joined. */
async function listed(request: Request): Promise<Checked<readonly JsonRecord[]>> {
  const tools: JsonRecord[] = [];
  let cursor: Json | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await request("tools/list", cursor === undefined ? {} : { cursor });
    if (!answer.ok) return answer;
    const { tools: more, nextCursor } = answer.value;
    if (more === undefined || !isList(more) || !more.every(isRecord)) return refuse("it gives no list of tools");
    tools.push(...more);
    if (tools.length > MAX_TOOLS) return refuse(`more than ${MAX_TOOLS}`);
    if (nextCursor === undefined) return accept(tools);
    cursor = nextCursor;
  }
  return refuse(`more than ${MAX_PAGES} pages`);
}

/** What a tool gives: an object of its own shape, or its text; pictures and sounds are nothing that anybody here reads. */
function contentOf({ content, structuredContent, isError }: JsonRecord): Checked<JsonRecord> {
  const parts = content !== undefined && isList(content) ? content.filter(isRecord) : [];
  const text = parts.flatMap((part) => (part["type"] === "text" ? [String(part["text"] ?? "")] : [])).join("\n");
  if (isError === true) return refuse(text === "" ? "the tool failed, and says no more" : text);
  return accept(structuredContent !== undefined && isRecord(structuredContent) ? structuredContent : { text });
}
