// Derives the sources in an answer: its fields, except for those that the page masks.
import { canonicalizeArguments, isRecord, type Json, readAccompanied, readJson } from "../../lib/policy/index.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import type { Reply } from "../../lib/wire/index.ts";

export interface HeardAnswer {
  readonly value: Json;
  /** `failed`: text about a failure, or an unusable answer. Such text is added to the sources, but no value is trusted because of it. */
  readonly kind: "result" | "failed";
}

/** Returns the sources in a reply that is passed on; `undefined` if it contains no unmasked text of the provider. */
export function deriveHeard(tool: Tool, reply: Reply<string>): HeardAnswer | undefined {
  const isMasked = tool.redact.length > 0;
  const fail = (words: string): HeardAnswer | undefined => (isMasked ? undefined : { value: words, kind: "failed" });
  if (!reply.ok) {
    const { ran, code, reason } = reply;
    if (ran?.is === "answered") return fail(ran.answer);
    return code === "failed" && !(isMasked && tool.pageProgram) ? { value: reason, kind: "failed" } : undefined;
  }
  const result = canonicalizeArguments(reply.value);
  if (result.ok) return { value: removeMasked(tool, result.value.value), kind: "result" };
  const read = readJson(reply.value);
  if (!read.ok) return fail(reply.value);
  const accompanied = readAccompanied(read.value);
  if (accompanied !== undefined) {
    const record = removeMasked(tool, accompanied.record);
    return { value: isMasked ? record : [record, accompanied.text], kind: "result" };
  }
  if (isMasked) return undefined;
  return { value: read.value, kind: "result" };
}

function removeMasked(tool: Tool, value: Json): Json {
  return tool.redact.reduce((rest, path) => remove(rest, path.split(".")), value);
}

/** Removes the value at a path. If the path leads through a list, the value is removed in every element of the list. */
function remove(value: Json, [name = "", ...rest]: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((element: Json) => remove(element, [name, ...rest]));
  const field = isRecord(value) ? value[name] : undefined;
  if (!isRecord(value) || field === undefined) return value;
  const others = Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
  return rest.length === 0 ? others : { ...others, [name]: remove(field, rest) };
}
