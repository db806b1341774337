// Verifies an exported log (`capc audit export`) without the disk of the log. Each line is converted back to a record. The bytes of the
// record must have the stated hash, and the record must name the hash of the previous record. An export may begin at a later record of the
// log.

import { closeSync, openSync, readSync } from "node:fs";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import type { StructLayout } from "../../../engine/lib/wire/layout.ts";
import { Chain } from "../../../engine/processes/audit/chain.ts";
import { HASH_BYTES, hashOf, isSame, MAX_RECORD_BYTES, recordFrom } from "../../../engine/processes/audit/record.ts";
import type { LatestSeal } from "../../../engine/processes/audit/seals.ts";
import { convertToWireStruct } from "../schemas/wire-value.ts";

/** Result of verifying an export. */
export interface ExportVerdict {
  /** Sequence numbers of the first and the last verified record; both are 0 if no record is verified. */
  readonly first: bigint;
  readonly last: bigint;
  readonly lastHash: Uint8Array;
  /** Hash of the previous record, as the first record states it. */
  readonly previous: Uint8Array;
  /** Newest seal; `undefined` for a part of a log, whose seals cannot be verified. */
  readonly sealed: LatestSeal | undefined;
  /** First fault; `line` counts from 1. */
  readonly fault: { readonly line: number; readonly reason: string } | undefined;
}

interface Line {
  readonly record: AuditRecord;
  readonly hash: Uint8Array;
}

/** Maximum bytes of a line: at most six characters of JSON for each byte of its record, and space for the names of fields. */
const MOST_LINE_BYTES = 8 * MAX_RECORD_BYTES;
const CHUNK_BYTES = 256 * 1024;
const NONE = new Uint8Array(0);
/** Previous hash in the first record of a log, as an export writes it. */
export const EMPTY_HASH = "00".repeat(HASH_BYTES);
/** Fields that a line has in addition to those of its record: the position in the partition, and the hash. */
const PLACE = ["offset", "length", "hash"];
const RECORD: StructLayout<unknown> = AuditRecord;

/** Returns whether a file begins like an export; logs and disks begin differently. */
export function isExport(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const first = new Uint8Array(1);
    return readSync(file, first, 0, 1, 0) === 1 && first[0] === 0x7b;
  } finally {
    closeSync(file);
  }
}

/** Verifies the lines of a file up to the first fault; `each` receives the hashes of the lines before the fault. */
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

/** Verifies the lines of an export one after the other. */
export class ExportJudge {
  readonly #chain = new Chain();
  #verdict = EMPTY;
  #count = 0;

  get verdict(): ExportVerdict {
    return this.#verdict;
  }

  /**
   * Returns the record of the next line, or `undefined` if the line is malformed or its record cannot follow the
   * previous ones. After such a fault, all further lines return `undefined`.
   */
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

/**
 * Returns the reason why a record cannot follow the previous records, or `undefined` if it can. A whole log must follow all rules of
 * the chain from its first record on; the records of a part of a log must be consecutive.
 */
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

/**
 * Returns the record of a line with the hash of its bytes. The hash that the line states is ignored, so nothing
 * confirms the record.
 */
export function recordIn(json: unknown): Result<Line> {
  const made = convertToWireStruct(RECORD.shape(), json, PLACE);
  if (made === undefined) return refuse("it is not a record");
  const bytes = encodeMessage(RECORD, made.value);
  const record = bytes.length > MAX_RECORD_BYTES ? undefined : recordFrom(bytes);
  if (record?.ok !== true) return record ?? refuse("it is longer than a record");
  return accept({ record: record.value, hash: hashOf(bytes) });
}

/** Value of a line, or the reason why the line cannot be read as JSON. */
export type ExportedLine = Result<unknown>;

export function parseJson(text: string): ExportedLine {
  try {
    return accept(JSON.parse(text));
  } catch {
    return refuse("it is not JSON");
  }
}

/**
 * Yields the lines of a file. Yields a failure for a line that is not UTF-8, that is too long, or that has no line end.
 * A line that is too long is the last one.
 */
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
