// An exported log (`capc audit export`), judged without the disk that it came from: each line is a record again, its bytes have the
// hash that it names, and each record names the hash of the one before. What was exported from some record on begins there.

import { closeSync, openSync, readSync } from "node:fs";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import type { StructLayout } from "../../../engine/lib/wire/layout.ts";
import { Chain } from "../../../engine/processes/audit/chain.ts";
import { HASH_BYTES, hashOf, isSame, MAX_RECORD_BYTES, recordFrom } from "../../../engine/processes/audit/record.ts";
import type { LatestSeal } from "../../../engine/processes/audit/seals.ts";
import { convertToWireStruct } from "../schemas/wire-value.ts";

/** What the judgement of an export came to. */
export interface ExportVerdict {
  /** Sequences of the first record and the last that are in order; both 0 where there is none. */
  readonly first: bigint;
  readonly last: bigint;
  readonly lastHash: Uint8Array;
  /** What the first record names as the hash of the one before. */
  readonly previous: Uint8Array;
  /** The newest seal; of a part of a log none is judged. */
  readonly sealed: LatestSeal | undefined;
  /** `line` from 1. */
  readonly fault: { readonly line: number; readonly reason: string } | undefined;
}

interface Line {
  readonly record: AuditRecord;
  readonly hash: Uint8Array;
}

/** A byte of a record is six characters of JSON at most, and it is told once. */
const MOST_LINE_BYTES = 8 * MAX_RECORD_BYTES;
const CHUNK_BYTES = 256 * 1024;
const NONE = new Uint8Array(0);
/** What the first record of a log names as the one before, as lines have it. */
export const EMPTY_HASH = "00".repeat(HASH_BYTES);
/** What a line says beside its record: where in the partition it stood. */
const PLACE = ["offset", "length", "hash"];
const RECORD: StructLayout<unknown> = AuditRecord;

/** Whether a file begins as an export does, and as no log and no disk does. */
export function isExport(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const first = new Uint8Array(1);
    return readSync(file, first, 0, 1, 0) === 1 && first[0] === 0x7b;
  } finally {
    closeSync(file);
  }
}

/** Judges the lines of a file up to the first that is wrong; `each` sees the hashes of those before. */
export function verifyExport(path: string, each: (sequence: bigint, hash: Uint8Array) => void): ExportVerdict {
  const judge = new ExportJudge();
  for (const text of readLines(path)) {
    const line = judge.take(text.ok ? parseJson(text.value) : text);
    if (line === undefined) break;
    each(line.record.sequence, line.hash);
  }
  return judge.verdict;
}

const EMPTY: ExportVerdict = {
  first: 0n,
  last: 0n,
  lastHash: NONE,
  previous: NONE,
  sealed: undefined,
  fault: undefined,
};

/** Judges lines one after the other. */
export class ExportJudge {
  readonly #chain = new Chain();
  #verdict = EMPTY;
  #count = 0;

  get verdict(): ExportVerdict {
    return this.#verdict;
  }

  /** The record of the next line. Nothing where it is not in order; then none behind it is. */
  take(json: ExportedLine): Line | undefined {
    if (this.#verdict.fault !== undefined) return undefined;
    this.#count += 1;
    const line = json.ok ? parseLine(json.value) : json;
    const reason = line.ok ? explainNotNext(this.#verdict, line.value, this.#chain) : line.reason;
    if (!line.ok || reason !== undefined) {
      this.#verdict = { ...this.#verdict, fault: { line: this.#count, reason: reason ?? "" } };
      return undefined;
    }
    const { record, hash } = line.value;
    const { sequence, previous } = record;
    const begins = this.#count === 1 ? { first: sequence, previous } : {};
    this.#verdict = { ...this.#verdict, sealed: this.#chain.sealed, last: sequence, lastHash: hash, ...begins };
    return line.value;
  }
}

/** From its first record on, a log follows all rules of the chain; a part of one has to hang together. */
function explainNotNext(
  { last, lastHash, first }: ExportVerdict,
  { record, hash }: Line,
  chain: Chain,
): string | undefined {
  if (first <= 1n && chain.sequence === last && (last > 0n || record.sequence === 1n))
    return chain.follow(record, hash);
  if (last === 0n) return undefined;
  if (record.sequence !== last + 1n) return `record ${record.sequence} stands where ${last + 1n} belongs`;
  return isSame(record.previous, lastHash) ? undefined : "the hash of the record before is another";
}

/** Returns the record of a line with the hash of its bytes. Refuses a line whose record has another hash. */
function parseLine(json: unknown): Result<Line> {
  const line = recordIn(json);
  if (!line.ok) return line;
  const named = typeof json === "object" && json !== null && "hash" in json ? json.hash : undefined;
  return named === Buffer.from(line.value.hash).toString("hex") ? line : refuse("its hash is another");
}

/** Does the same, whatever hash the line names: nobody vouches for it. */
export function recordIn(json: unknown): Result<Line> {
  const made = convertToWireStruct(RECORD.shape(), json, PLACE);
  if (made === undefined) return refuse("it is not a record");
  const bytes = encodeMessage(RECORD, made.value);
  const record = bytes.length > MAX_RECORD_BYTES ? undefined : recordFrom(bytes);
  if (record?.ok !== true) return record ?? refuse("it is longer than a record");
  return accept({ record: record.value, hash: hashOf(bytes) });
}

/** What a line says as JSON. */
export type ExportedLine = Result<unknown>;

export function parseJson(text: string): ExportedLine {
  try {
    return accept(JSON.parse(text));
  } catch {
    return refuse("it is not JSON");
  }
}

/** Yields the lines of a file. Refuses one that is longer than any, or not UTF-8. */
export function* readLines(path: string): Generator<Result<string>> {
  const file = openSync(path, "r");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  const decodeLine = (line: Uint8Array): Result<string> => {
    try {
      return accept(decoder.decode(line));
    } catch {
      return refuse("it is not UTF-8");
    }
  };
  try {
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
      rest = Buffer.concat([rest, chunk.subarray(0, count)]);
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield decodeLine(rest.subarray(0, end));
        rest = rest.subarray(end + 1);
      }
      if (rest.length > MOST_LINE_BYTES) return yield refuse("it is longer than a record");
    }
    if (rest.length > 0) yield refuse("it is cut short");
  } finally {
    closeSync(file);
  }
}
