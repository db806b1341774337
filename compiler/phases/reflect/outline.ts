// Outlines of interfaces: the parts that a person reviews, which are methods, arguments, results, descriptions and
// facts. Two outlines are compared member by member, so that a message describes the effect of a change instead of
// moved lines.

import { isRecord, type Json, type JsonRecord } from "../../../engine/lib/policy/index.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { getText } from "../../../lang/text/index.ts";
import type { ImportedInterface } from "./imported.ts";
import type { MethodDescription } from "./tools.ts";

/**
 * Returns the outline of an interface as cap.lock contains it, with one entry for each method. Types are texts, because
 * nested JSON could be deeper than the reader of cap.lock accepts.
 */
export function createOutline({ description, said }: ImportedInterface): JsonRecord {
  const methods = description.methods.map((method) => {
    const facts = said.get(method.name)?.node.span;
    const words = facts === undefined ? {} : { facts: getText(facts) };
    return [method.name, { ...createMethodOutline(method), ...words }] as const;
  });
  return Object.fromEntries(methods);
}

function createMethodOutline(method: MethodDescription): Record<string, Json> {
  if (!method.callable) return { "left out": escapeInvisible(method.reason) };
  const { ordinal, doc, paramSchema, resultSchema } = method;
  return { ordinal, description: doc, arguments: describeMembers(paramSchema), results: describeMembers(resultSchema) };
}

function describeMembers(schema: string): JsonRecord {
  const { properties, required }: { properties: Record<string, unknown>; required: string[] } = JSON.parse(schema);
  const members = Object.entries(properties).map(([name, property]) => {
    return [name, `${required.includes(name) ? "required" : "optional"} ${JSON.stringify(property)}`] as const;
  });
  return Object.fromEntries(members);
}

/**
 * Compares two versions of the interfaces of an import. Returns one sentence for each interface, method or member of a
 * method that was added, removed or changed.
 */
export function describeChanges(before: JsonRecord, after: JsonRecord): readonly string[] {
  return compareMembers(before, after, (face, [old, now]) =>
    compareMembers(
      old,
      now,
      (method, [was, is]) => compareMembers(was, is, describeMemberChange, `${face}.${method}: `),
      `${face}.`,
    ),
  );
}

function describeMemberChange(what: string, [was, is]: readonly [JsonRecord, JsonRecord]): readonly string[] {
  return compareMembers(was, is, () => [], `${what} `);
}

type Deeper = (name: string, both: readonly [JsonRecord, JsonRecord]) => readonly string[];

function compareMembers(before: JsonRecord, after: JsonRecord, deeper: Deeper, prefix = ""): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    const said = `${prefix}${escapeInvisible(name)}`;
    if (was === undefined) return [`${said} added${isRecord(is ?? null) ? "" : `: ${quoteValue(is)}`}`];
    if (is === undefined) return [`${said} removed`];
    if (isRecord(was) && isRecord(is)) return deeper(name, [was, is]).map((change) => addPrefix(prefix, change));
    return JSON.stringify(was) === JSON.stringify(is)
      ? []
      : [`${said} changed from ${quoteValue(was)} to ${quoteValue(is)}`];
  });
}

/** Adds the name of the method before a sentence about a member of the method. */
function addPrefix(prefix: string, change: string): string {
  return prefix.endsWith(": ") && !change.startsWith(prefix) ? `${prefix}${change}` : change;
}

const MOST = 120;

function quoteValue(value: Json | undefined): string {
  const text = escapeInvisible(typeof value === "string" ? value : JSON.stringify(value ?? null));
  return text.length > MOST ? `\`${text.slice(0, MOST)}…\`` : `\`${text}\``;
}
