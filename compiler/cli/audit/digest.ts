// Prints the digests that a log has of a text if the page withholds it, to prove later what a record contains.

import { canonicalizeArguments } from "../../../engine/lib/policy/index.ts";
import { digestText, WITHHELD_KINDS } from "../../../engine/processes/audit/withheld.ts";
import { encodeHex } from "./record-text.ts";

/**
 * Returns one line for each kind of text: its name and its digest. Arguments are recorded in canonical form, so the text of an object is
 * brought into that form first; a digest of other text is of exactly its bytes.
 */
export function listDigests(key: Uint8Array, text: string): readonly string[] {
  const canonical = canonicalizeArguments(text);
  return WITHHELD_KINDS.map((kind) => {
    const told = kind === "arguments" && canonical.ok ? canonical.value.text : text;
    return `${kind.padEnd(9)} ${encodeHex(digestText(key, kind, told))}`;
  });
}
