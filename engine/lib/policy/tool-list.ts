// Identifies the tool list of an MCP server: the compiler records the digest of the list that a person has reviewed, and the runtime
// compares the server's list with it.

import { createHash } from "node:crypto";
import { isList, isRecord } from "./canonical-json.ts";
import { findOddity, type Json, type JsonRecord } from "./json-reader.ts";

/**
 * Returns the canonical JSON of a value that was read tolerantly. Parts that strict reading refuses stay as they were written, without
 * blanks. For all other values the result equals that of `renderCanonicalJson`.
 */
export function renderTolerantJson(value: Json): string {
  if (isList(value)) return `[${value.map(renderTolerantJson).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const oddity = findOddity(value);
  if (oddity !== undefined) return oddity.source;
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${renderTolerantJson(value[name] ?? null)}`).join(",")}}`;
}

/** Returns the SHA-256 of a list of tools. The digest does not depend on the order of the tools or on the spelling of their JSON. */
export function computeToolListDigest(tools: readonly JsonRecord[]): Uint8Array {
  const texts = tools.map((tool) => renderTolerantJson(tool)).sort();
  return createHash("sha256")
    .update(`[${texts.join(",")}]`)
    .digest();
}
