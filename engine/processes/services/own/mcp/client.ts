// The client's side of MCP, as far as tools need it: initialize, tools/list, tools/call. The operator chose the server, but it is not
// trusted: callers get only results of calls from it, and its tools must be those that somebody reviewed.

import type { Readable, Writable } from "node:stream";
import {
  computeToolListDigest,
  isList,
  isRecord,
  type Json,
  type JsonRecord,
  nameListedTool,
  recordIn,
} from "../../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../../lib/result/result.ts";
import type { ServiceMethod } from "../../../../lib/wire/generated/service.ts";
import { UnfitAnswer } from "../program.ts";
import { answerIn, type McpAnswer } from "./content.ts";
import { readLines, type UnreadableLine } from "./lines.ts";

/** Supported versions of the protocol; this side requests the first. For calls of tools, these versions do not differ. */
export const PROTOCOLS = ["2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"];
/** Maximum number of pages of a list, and of tools in all: the same limits as for an import. */
const MAX_PAGES = 20;
const MAX_TOOLS = 1000;
/**
 * Timeout for reading all pages of the list of tools, in milliseconds. The time does not start again if the server
 * changes its list in the meantime. A call has the same default timeout.
 */
const LISTS_WITHIN_MS = 30_000;
const METHOD_NOT_FOUND = -32_601;
const GIVEN_UP = refuse("the call was given up");
const LATE = "it does not list its tools: half a minute was not enough";

/** Result of a request: a value of any shape, a response that could not be read, or the reason why the result is missing. */
export type Answer =
  | { readonly ok: true; readonly value: Json; readonly isShortened: boolean }
  | { readonly ok: false; readonly reason: string; readonly unread?: UnfitAnswer };

interface Client {
  /**
   * Returns why the server must not be used: it does not speak the protocol, or its tools are not the pinned ones. Returns
   * `undefined` if the server may be used.
   */
  readonly open: () => Promise<string | undefined>;
  /**
   * Returns the tool's answer: a record that fits `results`, or an answer that does not fit. Fails if the tool says
   * that it failed.
   */
  readonly call: (tool: Tool, args: Json, signal: AbortSignal) => Promise<Result<McpAnswer>>;
}

type Tool = Pick<ServiceMethod, "name" | "results">;

/**
 * Returns a client of the server that reads `input` and writes `output`. `pinned` is the digest that the server's list
 * of tools must have. `told` receives each line that is skipped because it is not a message.
 */
export function createClient(
  input: Writable,
  output: Readable,
  pinned: Uint8Array,
  told: (skipped: UnreadableLine) => void = () => {},
): Client {
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let over: string | undefined;
  /**
   * Number of lists that the server has announced, and the number of the newest one that was checked. The first list
   * counts as announced from the start.
   */
  let changes = 1;
  let lookedAt = 0;
  /** Name of each tool at the server, by its name in pages. */
  let listed: ReadonlyMap<string, string> = new Map();
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

  const settle = (id: number, answer: Answer): void => {
    const settled = waiting.get(id);
    waiting.delete(id);
    settled?.(answer);
  };
  readLines(output, {
    heed: ({ message, isShortened }) => {
      const { id, method } = message;
      if (typeof method === "string" && id !== undefined) return void send({ id, ...answerTo(method) });
      if (method === "notifications/tools/list_changed") changes += 1;
      if (typeof method === "string" || typeof id !== "number") return;
      settle(id, readResult(message, isShortened ? "shortened" : "whole"));
    },
    skip: (line) => {
      told(line);
      const { answers, reason, text } = line;
      if (answers?.isError === true) settle(answers.id, refuse(text));
      else if (answers !== undefined) settle(answers.id, { ok: false, unread: new UnfitAnswer(text, reason), reason });
    },
    fail: end,
  });
  output.on("close", () => end("the server has ended"));
  input.on("error", () => end("the server reads no more"));

  /**
   * Reads the list of tools. Returns `undefined` if it is the pinned list and the server has not announced another one
   * in the meantime; otherwise the reason.
   */
  const listFault = async (limit: AbortSignal): Promise<string | undefined> => {
    for (;;) {
      const change = changes;
      const tools = await listAllTools((method, params) => request(method, params, limit));
      if (!tools.ok) return limit.aborted ? LATE : `it does not list its tools: ${tools.reason}`;
      const isPinned = Buffer.from(computeToolListDigest(tools.value)).equals(pinned);
      if (!isPinned) return "its tools are not those of the list that is pinned";
      listed = collectNames(tools.value);
      lookedAt = change;
      if (change === changes) return undefined;
    }
  };
  /** Checks the list, for all callers that wait for it. If the server has another list, it gets no further requests. */
  const look = async (): Promise<void> => {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), LISTS_WITHIN_MS);
    const fault = await listFault(limit.signal);
    clearTimeout(timer);
    looking = undefined;
    if (fault !== undefined) end(fault);
  };
  /** Resolves when the newest list is checked, the server has ended, or the call is cancelled. */
  const whenLookedAt = async (signal?: AbortSignal): Promise<void> => {
    while (lookedAt !== changes && over === undefined && signal?.aborted !== true) {
      looking ??= look();
      await (signal === undefined ? looking : Promise.race([looking, waitForAbort(signal)]));
    }
  };

  return {
    open: async () => {
      const clientInfo = { name: "capos", version: "1" };
      const hello = await request("initialize", { protocolVersion: PROTOCOLS[0] ?? "", capabilities: {}, clientInfo });
      if (!hello.ok) return `it does not begin: ${hello.reason}`;
      const version = isRecord(hello.value) ? hello.value["protocolVersion"] : undefined;
      if (typeof version !== "string" || !PROTOCOLS.includes(version)) return describeUnknownVersion(version);
      send({ method: "notifications/initialized" });
      await whenLookedAt();
      return over;
    },
    call: async ({ name, results }, args, signal) => {
      // A server may offer other tools at any time; a change takes effect at the next call.
      await whenLookedAt(signal);
      const answer = await request("tools/call", { name: listed.get(name) ?? name, arguments: args }, signal);
      if (answer.ok) return answerIn(answer.value, results);
      return answer.unread === undefined ? answer : accept(answer.unread);
    },
  };
}

function collectNames(tools: readonly JsonRecord[]): ReadonlyMap<string, string> {
  const names = tools.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
  return new Map(names.map((name) => [nameListedTool(name) ?? name, name]));
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/**
 * Returns the response to a request from the server. The server gets no service from this client: no sampling, no roots, and no
 * questions to a person.
 */
export function answerTo(method: string): JsonRecord {
  if (method === "ping") return { result: {} };
  return { error: { code: METHOD_NOT_FOUND, message: "this client has nothing but calls of tools" } };
}

/** Returns why the server's version is not supported; the protocol requires a client to disconnect then. */
export function describeUnknownVersion(version: Json | undefined): string {
  const chosen = typeof version === "string" ? JSON.stringify(version.slice(0, 40)) : "none";
  return `it does not begin: it speaks version ${chosen} of the protocol, and this runtime ${PROTOCOLS.join(", ")}`;
}

/**
 * Returns the field `result` of a response. If the response has an error, fails with the message of this error.
 * `length` states whether texts of the response were cut on arrival.
 */
export function readResult({ result, error }: JsonRecord, length: "shortened" | "whole"): Answer {
  const failed = error !== undefined && isRecord(error) ? error : undefined;
  // Beside an error, a result of null means that there is no result.
  const isResult = result !== undefined && !(result === null && failed !== undefined);
  if (isResult) return { ok: true, value: result, isShortened: length === "shortened" };
  const said = failed?.["message"];
  return refuse(typeof said === "string" ? said : "it answers with neither a result nor an error");
}

type Request = (method: string, params: JsonRecord) => Promise<Answer>;

/** Returns all pages of a list, joined. Fails if a page cannot be read. */
export async function listAllTools(request: Request): Promise<Result<readonly JsonRecord[]>> {
  const tools: JsonRecord[] = [];
  let cursor: Json | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await request("tools/list", cursor === undefined ? {} : { cursor });
    if (!answer.ok) return answer;
    if (answer.isShortened) return refuse("one page of it is longer than a list may be");
    const { tools: more, nextCursor } = recordIn(answer.value);
    if (more === undefined || !isList(more) || !more.every(isRecord)) return refuse("it gives no list of tools");
    tools.push(...more);
    if (tools.length > MAX_TOOLS) return refuse(`more than ${MAX_TOOLS}`);
    if (nextCursor === undefined) return accept(tools);
    cursor = nextCursor;
  }
  return refuse(`more than ${MAX_PAGES} pages`);
}
