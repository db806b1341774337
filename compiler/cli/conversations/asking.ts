// Runs the process that parses an untrusted database, and validates its output as untrusted too.

import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readJson } from "../../../engine/lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import {
  type ConversationFacts,
  ConversationStore,
  type Saying,
} from "../../../engine/lib/wire/generated/conversations.ts";
import { decodeMessage, type StructLayout } from "../../../engine/lib/wire/index.ts";
import { MAX_FILE_BYTES } from "../../../engine/processes/conversations/limits.ts";

/**
 * Maximum milliseconds for the process that reads the database. A valid file of the largest size takes a few seconds.
 */
const MOST_MS = 120_000;
/** Maximum bytes of output. It suffices for the largest database in base64, which is a third longer, and for other text. */
const MOST_OUTPUT_BYTES = 2 * MAX_FILE_BYTES;
const MOST_HEAP_MIB = 512;
const MOST_REASON = 300;

export interface SessionsPart {
  readonly session: string;
  readonly conversations: readonly ConversationFacts[];
}

/** Returns each session with its conversations, newest first. */
export function readConversations(database: Uint8Array): Result<readonly SessionsPart[]> {
  const lines = runReader(database, ConversationStore.methods.list.results, []);
  if (!lines.ok) return lines;
  return { ok: true, value: lines.value.map(({ session, said: { conversations } }) => ({ session, conversations })) };
}

/** Returns all messages of one conversation, in order. */
export function readSayings(database: Uint8Array, session: string, conversation: string): Result<readonly Saying[]> {
  const lines = runReader(database, ConversationStore.methods.read.results, [session, conversation]);
  return lines.ok ? { ok: true, value: lines.value.flatMap(({ said: { sayings } }) => sayings) } : lines;
}

interface Line<T> {
  readonly session: string;
  readonly said: T;
}

function runReader<T>(database: Uint8Array, layout: StructLayout<T>, wanted: readonly string[]): Result<Line<T>[]> {
  // Node.js follows links before it checks a permission, so the permission must name the folder without links.
  const root = realpathSync(fileURLToPath(new URL("../../../", import.meta.url)));
  const program = fileURLToPath(new URL("./reader.ts", import.meta.url));
  // The process may only read capc's own folder. It starts no process or addon, and has no environment.
  const limits = [
    "--permission",
    `--allow-fs-read=${root}/*`,
    `--max-old-space-size=${MOST_HEAP_MIB}`,
    "--no-warnings",
  ];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...limits, program, ...wanted], {
    input: database,
    env: {},
    encoding: "utf8",
    timeout: MOST_MS,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT_BYTES,
  });
  if (status === 1 && stderr !== "") return { ok: false, reason: stderr.slice(0, MOST_REASON) };
  if (status !== 0 || error !== undefined)
    return { ok: false, reason: "whoever reads it was broken by it, or took too long" };
  const lines = stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => parseLine(line, layout));
  const odd = lines.find((line) => !line.ok);
  return odd ?? { ok: true, value: lines.flatMap((line) => (line.ok ? [line.value] : [])) };
}

function parseLine<T>(line: string, layout: StructLayout<T>): Result<Line<T>> {
  const read = readJson(line, MOST_OUTPUT_BYTES);
  const [session, message] = read.ok && Array.isArray(read.value) ? read.value : [];
  if (typeof session !== "string" || typeof message !== "string") return refuse("what was read of it is no message");
  const said = decodeMessage(layout, Buffer.from(message, "base64"));
  return said.ok ? accept({ session, said: said.value }) : refuse(said.reason);
}
