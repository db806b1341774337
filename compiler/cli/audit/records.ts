// Reads the records of a log in any form: on a data disk, in a copy of its partition, or exported as JSON lines or OCSF. Each record
// comes with its verdict. After the first fault of an export no record is verified, but all are still returned.

import { statSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { accept, type Result } from "../../../engine/lib/result/result.ts";
import type { AuditRecord } from "../../../engine/lib/wire/generated/audit.ts";
import type { LatestSeal } from "../../../engine/processes/audit/seals.ts";
import { findKeyMismatch } from "../../../engine/processes/audit/verify.ts";
import type { World } from "../../host/world.ts";
import { type ExportedLine, ExportJudge, isExport, parseJson, readLines, recordIn } from "./exported.ts";
import { explainTrouble, renderKey, sealAsJson } from "./finding.ts";
import { isDisk, logIn } from "./log-source.ts";
import { isOcsf, OcsfEvents } from "./ocsf-record.ts";
import { describeDamage, read } from "./reading.ts";

/** Result of reading a log. */
export interface LogRead {
  readonly form: "disk" | "jsonl" | "ocsf";
  readonly records: number;
  /** Sequence numbers of the first and the last record; both are 0 if there is no record. */
  readonly first: bigint;
  readonly last: bigint;
  /** Reason why the log is not in order, or `undefined` if it is in order. */
  readonly trouble: string | undefined;
  readonly sealed: LatestSeal | undefined;
  /** Number of lines that are not records, with the number and the fault of the first one. */
  readonly unread: { readonly count: number; readonly line: number; readonly reason: string } | undefined;
}

interface LogOptions {
  /** Passphrase of an encrypted disk. */
  readonly passphrase: string | undefined;
  /** Audit key that the log must have. */
  readonly key: string | undefined;
  /** Maximum number of records of this log; a longer one is refused. */
  readonly mostRecords: number;
}

/** Whether the hash chain confirms a record. */
type Chain = "vouched" | "unvouched";

type EachRecord = (record: AuditRecord, chain: Chain) => void;

/** Number of lines or records to read before checking for Ctrl-C. */
const AT_A_TIME = 500;

/** Reads all records of a log. Returns `undefined` if the user interrupts, and throws errors of the operating system. */
export async function readRecords(
  path: string,
  options: LogOptions,
  world: Pick<World, "interrupted">,
  each: EachRecord,
): Promise<Result<LogRead> | undefined> {
  const span = new Span(options.mostRecords, each);
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const found =
    isFile && isExport(path)
      ? await readExport(path, options, world, span)
      : await readDisk(path, options, world, span);
  if (found?.ok === true && span.isTooLong)
    return { ok: false, reason: `${path} has more than ${options.mostRecords} records` };
  return found;
}

/**
 * Passes records to `each`, counts them, and stores the sequence numbers of the first and the last. After the first
 * `most` records, it only counts.
 */
class Span {
  readonly #most: number;
  readonly #each: EachRecord;
  records = 0;
  first = 0n;
  last = 0n;

  constructor(most: number, each: EachRecord) {
    this.#most = most;
    this.#each = each;
  }

  get isTooLong(): boolean {
    return this.records > this.#most;
  }

  give(record: AuditRecord, chain: Chain): void {
    this.records += 1;
    if (this.isTooLong) return;
    if (this.records === 1) this.first = record.sequence;
    this.last = record.sequence;
    this.#each(record, chain);
  }
}

async function readDisk(
  path: string,
  { passphrase, key }: LogOptions,
  world: Pick<World, "interrupted">,
  span: Span,
): Promise<Result<LogRead> | undefined> {
  const log = logIn(path, passphrase);
  if (!log.ok) return log;
  const verdict = await read(log.value, world, ({ record }) => span.give(record, "vouched"));
  if (verdict === undefined) return undefined;
  const { sealed } = verdict.chain;
  const estranged = findKeyMismatch(verdict, isDisk(log.value) ? "disk" : "file");
  const trouble = explainTrouble(
    { damage: describeDamage(verdict)?.replace("damaged ", ""), sealed, estranged, released: verdict.beyond?.sequence },
    { key, known: undefined },
  );
  const { records, first, last } = span;
  return { ok: true, value: { form: "disk", records, first, last, trouble, sealed, unread: undefined } };
}

async function readExport(
  path: string,
  { key }: LogOptions,
  world: Pick<World, "interrupted">,
  span: Span,
): Promise<Result<LogRead> | undefined> {
  const judge = new ExportJudge();
  const events = new OcsfEvents();
  let form: LogRead["form"] = "jsonl";
  let count = 0;
  let unread: LogRead["unread"];
  for (const text of readLines(path)) {
    count += 1;
    const parsed = text.ok ? parseJson(text.value) : text;
    const isEvent = parsed.ok && isOcsf(parsed.value);
    if (isEvent) form = "ocsf";
    const line: ExportedLine = isEvent ? accept(events.restoreLine(parsed.value)) : parsed;
    const inOrder = judge.take(line);
    const found = inOrder === undefined ? (line.ok ? recordIn(line.value) : line) : accept(inOrder);
    if (found.ok) span.give(found.value.record, inOrder === undefined ? "unvouched" : "vouched");
    else unread = { line: count, reason: found.reason, ...unread, count: (unread?.count ?? 0) + 1 };
    if (span.isTooLong) break;
    if (count % AT_A_TIME === 0) await setImmediate();
    if (world.interrupted.aborted) return undefined;
  }
  const { fault, sealed } = judge.verdict;
  const damage = fault && `in line ${fault.line}: ${fault.reason}`;
  const { records, first, last } = span;
  const trouble = explainTrouble({ damage, sealed }, { key, known: undefined });
  return { ok: true, value: { form, records, first, last, trouble, sealed, unread } };
}

/** Describes for people how far a log can be trusted. */
export function describeWorth({ trouble, sealed, first, last, records, unread }: LogRead): string {
  const span = records === 0 ? "no records" : `${records} records, ${first} to ${last}`;
  const seal =
    sealed === undefined
      ? "under no seal"
      : `sealed up to record ${sealed.sequence} by the audit key ${renderKey(sealed)}`;
  const lines =
    unread === undefined
      ? ""
      : `; lines that are no records: ${unread.count}, the first is line ${unread.line}: ${unread.reason}`;
  return `${span}; ${trouble ?? `in order, ${seal}`}${lines}`;
}

/** Returns a log and how far it can be trusted, in the form that every published schema uses for a log. */
export function convertLogToJson(log: LogRead & { readonly name: string }): object {
  const { name, form, records, first, last, trouble, sealed, unread } = log;
  return {
    name,
    form,
    records,
    first,
    last,
    inOrder: trouble === undefined,
    trouble: trouble ?? null,
    sealed: sealAsJson(sealed),
    unread: unread ?? null,
  };
}
