// Asks an MCP server for its tools, as `capc tool list` and `capc init --kind mcp-server` do. The server runs with the rights of the
// person who typed its command. Its output is untrusted: the reader of lines limits its length, and a timer limits the time.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { isRecord, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import {
  type Answer,
  answerTo,
  describeUnknownVersion,
  listAllTools,
  PROTOCOLS,
  readResult,
} from "../../../engine/processes/services/own/mcp/client.ts";
import { readLines } from "../../../engine/processes/services/own/mcp/lines.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { World } from "../../host/world.ts";

/**
 * Maximum time in milliseconds in which the server must start and list its tools. A server that npx or uvx starts may have to be downloaded
 * first.
 */
const WITHIN_MS = 60_000;
/** Maximum number of characters that a person sees of a server's message, and of its output on standard error. */
const MOST_SAID = 2000;
const MOST_LINES = 8;

/**
 * Returns the words of a command. Blanks separate words, except for blanks in quotes. Other characters that are special
 * in a shell, such as `$`, stay unchanged. Fails if the command is empty, or if a quote is not closed.
 */
export function splitCommand(command: string): Result<readonly string[]> {
  const words = [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single ?? ""),
  );
  const rest = command.replaceAll(/"[^"]*"|'[^']*'/g, "");
  if (/["']/.test(rest)) return refuse(`a quote in ${JSON.stringify(command)} is not closed`);
  return (words[0] ?? "") === "" ? refuse("the command is empty") : accept(words);
}

/**
 * Starts the server, and returns its response to tools/list as JSON text; the parts of a response in several parts are
 * joined. On failure, the reason is a clause that can end a sentence.
 */
export async function recordTools(
  command: readonly string[],
  world: Pick<World, "folder" | "interrupted">,
): Promise<Result<string>> {
  const started = startServer(command, world.folder);
  if (!started.ok) return started;
  const server = started.value;
  let said = "";
  server.stderr.setEncoding("utf8").on("data", (piece: string) => {
    said = `${said}${piece}`.slice(0, MOST_SAID);
  });
  const over = Promise.withResolvers<Result<never>>();
  const timer = setTimeout(
    () => over.resolve(refuse(`it does not list its tools within ${WITHIN_MS / 1000} s`)),
    WITHIN_MS,
  );
  const stop = (): void => over.resolve(refuse("interrupted"));
  world.interrupted.addEventListener("abort", stop, { once: true });
  server.on("error", (error) => over.resolve(refuse(explainNotStarted(error))));
  server.on("close", (status) => over.resolve(refuse(`it ended${status === null ? "" : ` with status ${status}`}`)));
  server.stdin.on("error", () => {});
  try {
    const listed = await Promise.race([over.promise, listTools(server.stdin, server.stdout)]);
    if (listed.ok) return accept(`${JSON.stringify({ tools: listed.value }, undefined, 2)}\n`);
    return refuse(`${escapeInvisible(listed.reason.slice(0, MOST_SAID))}${renderSaid(said)}`);
  } finally {
    clearTimeout(timer);
    world.interrupted.removeEventListener("abort", stop);
    endGroup(server.pid);
  }
}

function startServer(command: readonly string[], folder: string): Result<ChildProcessWithoutNullStreams> {
  const [program = "", ...words] = command;
  try {
    return accept(spawn(program, words, { cwd: folder, stdio: ["pipe", "pipe", "pipe"], detached: true }));
  } catch (error) {
    // If the program cannot be started, `spawn` throws some errors, and reports others to the `error` listener.
    return refuse(explainNotStarted(error));
  }
}

function explainNotStarted(error: unknown): string {
  return `it cannot be started: ${error instanceof Error ? error.message : String(error)}`;
}

/** Returns the first lines that a server wrote to standard error, in a form that can be appended to a message. */
function renderSaid(said: string): string {
  const lines = said
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .slice(0, MOST_LINES);
  return lines.length === 0 ? "" : ["; it wrote:", ...lines.map((line) => `  ${escapeInvisible(line)}`)].join("\n");
}

/** Ends the server and the processes that it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The server has already ended by itself.
  }
}

function listTools(input: Writable, output: Readable): Promise<Result<readonly JsonRecord[]>> {
  const waiting = new Map<number, (answer: Answer) => void>();
  const send = (message: JsonRecord): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const failed = Promise.withResolvers<Result<never>>();
  readLines(output, {
    heed: ({ message, isShortened }) => {
      const { id, method } = message;
      if (typeof method === "string" && id !== undefined) return send({ id, ...answerTo(method) });
      if (typeof method === "string" || typeof id !== "number") return;
      waiting.get(id)?.(readResult(message, isShortened ? "shortened" : "whole"));
    },
    // Some libraries print to standard output; only a line that answers a request counts as the server's output.
    skip: ({ answers, reason }) => {
      if (answers !== undefined) waiting.get(answers.id)?.(refuse(reason));
    },
    fail: (reason) => failed.resolve(refuse(reason)),
  });
  let last = 0;
  const request = (method: string, params: JsonRecord): Promise<Answer> => {
    last += 1;
    const id = last;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  };
  const ask = async (): Promise<Result<readonly JsonRecord[]>> => {
    const clientInfo = { name: "capc", version: "1" };
    const hello = await request("initialize", { protocolVersion: PROTOCOLS[0] ?? "", capabilities: {}, clientInfo });
    if (!hello.ok) return refuse(`it does not begin: ${hello.reason}`);
    const version = isRecord(hello.value) ? hello.value["protocolVersion"] : undefined;
    if (typeof version !== "string" || !PROTOCOLS.includes(version)) return refuse(describeUnknownVersion(version));
    send({ method: "notifications/initialized" });
    return listAllTools(request);
  };
  return Promise.race([failed.promise, ask()]);
}
