// Serves Logs over one connection, with arguments and results as JSON of the shapes in stdlib/schema/tools.capnp.

import type { Duplex } from "node:stream";
import { canonicalizeArguments, type JsonRecord, renderCanonicalJson } from "../../../lib/policy/index.ts";
import { accept, type Result } from "../../../lib/result/result.ts";
import { Logs } from "../../../lib/wire/generated/tools.ts";
import type { LogLine } from "../../../lib/wire/generated/wire.ts";
import type { Serving } from "../../../lib/wire/index.ts";
import { serveJson } from "../serve-json.ts";
import type { Journal } from "./journal.ts";

/**
 * Maximum characters of all entries together. Even if each character takes six bytes in JSON, the answer fits into a
 * frame.
 */
const MAX_CHARACTERS = 128 * 1024;

export function serveLogs(stream: Duplex, journal: Journal): Serving {
  return serveJson(stream, Logs, async (method, json, signal) => {
    const args = canonicalizeArguments(json);
    if (!args.ok) return args;
    const result = await run(journal, method, args.value.value, signal);
    return result?.ok ? accept(renderCanonicalJson(result.value)) : result;
  });
}

/**
 * Runs one method; returns `undefined` if there is no such method. An absent argument has Cap'n Proto's default: `tail`
 * returns no lines, and `follow` returns the next line, whatever its text.
 */
function run(
  journal: Journal,
  method: number,
  { lines = 0, pattern = "" }: JsonRecord,
  signal: AbortSignal,
): Promise<Result<JsonRecord>> | undefined {
  switch (method) {
    case Logs.methods.tail.ordinal:
      return readNewestEntries(journal, typeof lines === "number" ? lines : 0, signal);
    case Logs.methods.follow.ordinal:
      return follow(journal, typeof pattern === "string" ? pattern : "", signal);
    default:
      return undefined;
  }
}

async function readNewestEntries(journal: Journal, count: number, signal: AbortSignal): Promise<Result<JsonRecord>> {
  const lines = await journal.readTail(count, signal);
  return lines.ok ? { ok: true, value: { entries: selectFitting(lines.value.map(formatEntry)) } } : lines;
}

async function follow(journal: Journal, pattern: string, signal: AbortSignal): Promise<Result<JsonRecord>> {
  const line = await journal.waitForNext(pattern, signal);
  return line.ok ? { ok: true, value: { entry: formatEntry(line.value) } } : line;
}

/** Returns the seconds since boot, and the line. */
function formatEntry({ uptimeMs, text }: LogLine): string {
  return `${uptimeMs / 1000n}.${String(uptimeMs % 1000n).padStart(3, "0")} ${text}`
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}

/** Returns as many of the newest entries as fit, oldest first. */
function selectFitting(entries: readonly string[]): readonly string[] {
  let characters = 0;
  const start = entries.findLastIndex((entry) => {
    characters += entry.length;
    return characters > MAX_CHARACTERS;
  });
  return entries.slice(start + 1);
}
