// Puts each text and number of a successful result into an index, and stores the texts that calls wrote.

import type { Json, JsonRecord } from "../policy/index.ts";
import { isList, isRecord, readJson } from "../policy/index.ts";
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
  /** Arguments of the call. If the result repeats words of these arguments, the words are echoes without a source. */
  readonly arguments: Json;
}

/**
 * Maximum depth of a part of a result. If a part is deeper, it is not indexed, and the index counts as incomplete.
 * Results are limited to fewer levels when they are read.
 */
const MAX_DEPTH = 64;

/** Adds each text and number of a result as a separate document, under the name of its field, and the arguments of its call. */
export function addResult(index: SourceIndex, { tool, service, integrity, value, arguments: args }: Answer): void {
  const echoes = new Set<number>(listWritten(index, service));
  for (const { text } of listLeaves(args)) for (const token of splitTokens(text)) echoes.add(index.digest(token));
  const call = index.openCall();
  for (const { field, text } of listLeaves(args)) index.add({ which: "argument", tool, field }, text, { call });
  const add = (part: Json, place: Place): void => {
    if (place.depth > MAX_DEPTH) index.markIncomplete();
    else if (isList(part) || isRecord(part)) for (const [inner, at] of listParts(index, part, place)) add(inner, at);
    else if (typeof part === "string" || typeof part === "number") {
      const { field, record } = place;
      index.add({ which: "result", tool, field, integrity }, String(part), { record, call, echoes });
      // Do not index JSON in a text that belongs to no field, such as a result that is only a text. Fields of this JSON
      // would get the same names as fields of a result that is a record.
      const isClosed = place.isWritten || field === "" || typeof part === "number";
      const written = isClosed ? undefined : readWrittenJson(part);
      if (written !== undefined) add(written, { ...place, record: index.openRecord(), isWritten: true });
    }
  };
  add(value, { field: "", record: index.openRecord(), depth: 0, isWritten: false });
}

/** The position of a part in a result: its field, the record that contains it, and its depth. */
interface Place {
  readonly field: string;
  readonly record: number;
  readonly depth: number;
  /** Whether the part was JSON inside a text. A text within it is not parsed again. */
  readonly isWritten: boolean;
}

/**
 * Returns the items of a list, or the members of an object, each with its position. An item has the field name of its
 * list, and each object in a list is a record of its own.
 */
function listParts(index: SourceIndex, part: JsonRecord | readonly Json[], place: Place): readonly [Json, Place][] {
  const depth = place.depth + 1;
  if (isList(part))
    return part.map((item) => [item, { ...place, depth, record: isRecord(item) ? index.openRecord() : place.record }]);
  return Object.keys(part).map((name) => {
    const field = place.field === "" ? name : `${place.field}.${name}`;
    return [part[name] ?? null, { ...place, depth, field }];
  });
}

/** Returns the object or list that a text spells as JSON; `undefined` for any other text, and for faulty JSON. */
function readWrittenJson(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const read = readJson(text);
  return read.ok ? read.value : undefined;
}

/** Adds the words that a call may have written into a service: a result that returns them later is not their source. */
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
