// Puts a successful result into an index, leaf by leaf.

import type { Json } from "../policy/index.ts";
import { isList, isRecord } from "../policy/index.ts";
import type { SourceIndex } from "./source-index.ts";
import { splitTokens } from "./tokens.ts";

interface Result {
  /** `contacts.find` */
  readonly tool: string;
  /** Integrity level of the label that the result was given. */
  readonly integrity: number;
  readonly value: Json;
  /** Arguments of the call. Their words that come back are echoes, and come from nowhere. */
  readonly arguments: Json;
}

/** Deeper parts are no documents; the index says then that it is incomplete. Results are held to fewer levels when they are read. */
const MAX_DEPTH = 64;

/** Adds each text and number of a result as a document of its own, under the name of its field. */
export function addResult(index: SourceIndex, { tool, integrity, value, arguments: args }: Result): void {
  const echoes = new Set<number>();
  for (const text of listTexts(args, 0)) for (const token of splitTokens(text)) echoes.add(index.digest(token));
  const add = (part: Json, field: string, record: number, depth: number): void => {
    if (depth > MAX_DEPTH) index.markIncomplete();
    else if (isList(part))
      for (const item of part) add(item, field, isRecord(item) ? index.openRecord() : record, depth + 1);
    else if (isRecord(part))
      for (const name of Object.keys(part))
        add(part[name] ?? null, field === "" ? name : `${field}.${name}`, record, depth + 1);
    else if (typeof part === "string") index.add({ which: "result", tool, field, integrity }, part, record, echoes);
    else if (typeof part === "number")
      index.add({ which: "result", tool, field, integrity }, String(part), record, echoes);
  };
  add(value, "", index.openRecord(), 0);
}

function listTexts(value: Json, depth: number): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (depth > MAX_DEPTH) return [];
  if (isList(value)) return value.flatMap((item) => listTexts(item, depth + 1));
  return isRecord(value) ? Object.keys(value).flatMap((name) => listTexts(value[name] ?? null, depth + 1)) : [];
}
