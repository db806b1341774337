// Prints the digests that a log contains instead of a withheld text, so that a person can prove later which text a record had.

import { canonicalizeArguments } from "../../../engine/lib/policy/index.ts";
import { ChatMessage, type Role } from "../../../engine/lib/wire/generated/capos.ts";
import { encode } from "../../../engine/lib/wire/index.ts";
import { digestText, type WithheldKind } from "../../../engine/processes/audit/withheld.ts";
import { excerpt } from "../../../engine/processes/gate/result.ts";
import { encodeHex } from "./record-text.ts";

/**
 * Roles whose messages may consist of a text alone. The digests of messages with calls, and of messages of tools, cover more than the text.
 */
const SPOKEN: readonly Role[] = ["system", "user", "assistant"];
const NAME_WIDTH = "arguments as written".length;

/**
 * Returns one line for each kind of text: the name of the kind, and the digest of the text in the form in which the log
 * records it. Arguments are recorded in canonical form, except those of a call that was refused before a rule decided
 * it. A long error is recorded as an excerpt. The digest of a message also covers its role.
 */
export function listDigests(key: Uint8Array, text: string): readonly string[] {
  const canonical = canonicalizeArguments(text);
  const told = canonical.ok ? canonical.value.text : text;
  const line = (name: string, kind: WithheldKind, recorded: string | Uint8Array) =>
    `${name.padEnd(NAME_WIDTH)} ${encodeHex(digestText(key, kind, recorded))}`;
  return [
    line("arguments", "arguments", told),
    ...(told === text ? [] : [line("arguments as written", "arguments", text)]),
    line("result", "result", text),
    line("error", "error", excerpt(text)),
    line("detail", "detail", text),
    ...SPOKEN.map((role) => {
      const message = { role, content: text, toolCallId: "", toolCalls: [] };
      return line(`${role} message`, "message", encode(ChatMessage, message));
    }),
  ];
}
