// What a list of an MCP server's tools is known by: the compiler notes it of the list that somebody has read, and whoever runs
// the server asks whether that is the list it gives.

import { createHash } from "node:crypto";
import { canonicalText } from "./canonical-json.ts";
import type { JsonRecord } from "./json-reader.ts";

/** SHA-256 of all that the list says of its tools, whatever their order and the spelling of their JSON. */
export function toolListDigest(tools: readonly JsonRecord[]): Uint8Array {
  const texts = tools.map((tool) => canonicalText(tool)).sort();
  return createHash("sha256")
    .update(`[${texts.join(",")}]`)
    .digest();
}
