// Puts a successful result into an index, leaf by leaf, and remembers what calls wrote.

import type { Json } from "../policy/index.ts";
import { isList, isRecord } from "../policy/index.ts";
import type { SourceIndex } from "./source-index.ts";
import { splitTokens } from "./tokens.ts";

interface Answer {
  /** `contacts.find` */
  readonly tool: string;
  /** `contacts` */
  readonly service: string;
  /** Integrity level of the label that the result was given. */
  readonly integrity: number;
  readonly value: Json;
  /** Arguments of the call. Their words that come back are echoes, and come from nowhere. */
  readonly arguments: Json;
}

/** Deeper parts are no documents; the index says then that it is incomplete. Results are held to fewer levels when they are read. */
const MAX_DEPTH = 64;

/** Adds each text and number of a result as a document of its own, under the name of its field, and the arguments of its call. */
export function addResult(index: SourceIndex, { tool, service, integrity, value, arguments: args }: Answer): void {
  const echoes = new Set<number>(listWritten(index, service));
  for (const { text } of listLeaves(args)) for (const token of splitTokens(text)) echoes.add(index.digest(token));
  const call = index.openCall();
  for (const { field, text } of listLeaves(args)) index.add({ which: "argument", tool, field }, text, { call });
  const root = index.openRecord();
  const add = (part: Json, field: string, record: number, depth: number): void => {
    if (depth > MAX_DEPTH) index.markIncomplete();
    else if (isList(part))
      for (const item of part) add(item, field, isRecord(item) ? index.openRecord() : record, depth + 1);
    else if (isRecord(part))
      for (const name of Object.keys(part))
        add(part[name] ?? null, field === "" ? name : `${field}.${name}`, record, depth + 1);
    else if (typeof part === "string" || typeof part === "number")
      index.add({ which: "result", tool, field, integrity }, String(part), { record, call, echoes });
  };
  add(value, "", root, 0);
}

/** Adds what a call may have written into a service: results of that service give it back as nobody's words. */
export function addWritten(index: SourceIndex, service: string, args: Json): void {
  for (const { text } of listLeaves(args)) index.add({ which: "written", service }, text);
}

function listWritten(index: SourceIndex, service: string): readonly number[] {
  return index.documents.flatMap((document) =>
    document.origin.which === "written" && document.origin.service === service ? index.readDigests(document) : [],
  );
}

interface Leaf {
  readonly field: string;
  readonly text: string;
}

function listLeaves(value: Json, field = "", depth = 0): readonly Leaf[] {
  if (typeof value === "string") return [{ field, text: value }];
  if (typeof value === "number") return [{ field, text: String(value) }];
  if (depth > MAX_DEPTH) return [];
  if (isList(value)) return value.flatMap((item) => listLeaves(item, field, depth + 1));
  if (!isRecord(value)) return [];
  return Object.keys(value).flatMap((name) =>
    listLeaves(value[name] ?? null, field === "" ? name : `${field}.${name}`, depth + 1),
  );
}
