// What of an interface a person agrees to: methods, arguments, results, words and facts. Compared member by member, so
// that a change can be told as what it does and not as lines that moved.

import { isRecord, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import { visible } from "../../../lang/diagnostics/index.ts";
import { textOf } from "../../../lang/text/index.ts";
import type { ImportedInterface } from "./imported.ts";
import type { MethodDescription } from "./tools.ts";

/** By method, as it stands in cap.lock: flat texts, so that no shape can nest deeper than a reader of the lock goes. */
export function outlineOf({ description, said }: ImportedInterface): JsonRecord {
  const methods = description.methods.map((method) => {
    const facts = said.get(method.name)?.node.span;
    const words = facts === undefined ? {} : { facts: textOf(facts) };
    return [method.name, { ...methodOutline(method), ...words }] as const;
  });
  return Object.fromEntries(methods);
}

function methodOutline(method: MethodDescription): Record<string, Json> {
  if (!method.callable) return { "left out": visible(method.reason) };
  const { ordinal, doc, paramSchema, resultSchema } = method;
  return { ordinal, description: doc, arguments: membersOf(paramSchema), results: membersOf(resultSchema) };
}

function membersOf(schema: string): JsonRecord {
  const { properties, required }: { properties: Record<string, unknown>; required: string[] } = JSON.parse(schema);
  const members = Object.entries(properties).map(([name, property]) => {
    return [name, `${required.includes(name) ? "required" : "optional"} ${JSON.stringify(property)}`] as const;
  });
  return Object.fromEntries(members);
}

/** What is different, one sentence each: interfaces, then methods, then what of a method. */
export function changesBetween(before: JsonRecord, after: JsonRecord): readonly string[] {
  return compared(before, after, (face, [old, now]) =>
    compared(old, now, (method, [was, is]) => compared(was, is, memberChange, `${face}.${method}: `), `${face}.`),
  );
}

function memberChange(what: string, [was, is]: readonly [JsonRecord, JsonRecord]): readonly string[] {
  return compared(was, is, () => [], `${what} `);
}

type Deeper = (name: string, both: readonly [JsonRecord, JsonRecord]) => readonly string[];

function compared(before: JsonRecord, after: JsonRecord, deeper: Deeper, prefix = ""): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const said = `${prefix}${visible(name)}`;
    if (was === undefined) return [`${said} added${isRecord(is ?? null) ? "" : `: ${quoted(is)}`}`];
    if (is === undefined) return [`${said} removed`];
    if (isRecord(was) && isRecord(is)) return deeper(name, [was, is]).map((change) => withPrefix(prefix, change));
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [`${said} changed from ${quoted(was)} to ${quoted(is)}`];
  });
}

/** Sentences about members of a method name the method first. */
function withPrefix(prefix: string, change: string): string {
  return prefix.endsWith(": ") && !change.startsWith(prefix) ? `${prefix}${change}` : change;
}

const MOST = 120;

function quoted(value: Json | undefined): string {
  const text = visible(typeof value === "string" ? value : JSON.stringify(value ?? null));
  return text.length > MOST ? `\`${text.slice(0, MOST)}…\`` : `\`${text}\``;
}
