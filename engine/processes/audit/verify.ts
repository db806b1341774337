// Verifies the bytes of a partition. Verification stops at the first fault, because the rest cannot be verified.
// README.md lists what the chain cannot show.

import { bug } from "../../lib/result/bug.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { AuditRecord } from "../../lib/wire/generated/audit.ts";
import { type Piece, readPieces } from "./batches.ts";
import { BLOCK_BYTES, computeOffset } from "./block.ts";
import { Chain } from "./chain.ts";
import type { SealingKey } from "./key-block.ts";
import { HEADER_BYTES, hashOf, isSame, readClaimedBytes, recordFrom } from "./record.ts";
import { deriveKeyAfter } from "./seals.ts";

export const KEY_GONE = "its key is gone from the disk";

/** One valid record of the log. */
export interface VerifiedRecord {
  readonly record: AuditRecord;
  readonly hash: Uint8Array;
  /** Bytes from the start of the partition to the record, and bytes of the record itself. */
  readonly offset: number;
  readonly length: number;
}

interface Fault {
  /** Bytes from the start of the partition to the wrong block or record. */
  readonly offset: number;
  /** The sequence that the record should have. */
  readonly sequence: bigint;
  readonly reason: string;
}

export interface Verdict {
  /** The chain up to the last valid record. */
  readonly chain: Chain;
  readonly boots: number;
  /** Intents that a later boot found without an outcome: their effect is unknown. */
  readonly orphans: readonly bigint[];
  /** Bytes of the partition that are valid: whole blocks. */
  readonly length: number;
  /** Bytes of the blocks after the valid ones: a crash left incomplete records there, which were never acknowledged. */
  readonly torn: number;
  /** Bytes of the partition that were read: all bytes, if there is no fault. */
  readonly size: number;
  /**
   * The secret key of the next seal. Absent if the last block contains no key, or if a fault comes before that block.
   */
  readonly key: SealingKey | undefined;
  readonly fault: Fault | undefined;
}

/**
 * Returns why the key after a log is not the one that its newest seal names. On a disk there must be a key if the log was ever sealed.
 */
export function findKeyMismatch({ chain, key, fault }: Verdict, medium: "disk" | "file"): string | undefined {
  if (fault !== undefined) return undefined;
  if (key === undefined) return medium === "disk" && chain.sealed !== undefined ? KEY_GONE : undefined;
  const after = deriveKeyAfter(chain.sealed, key);
  return after.ok ? undefined : after.reason;
}

/** Verifies a partition. `each` receives every valid record before later ones are read. */
export function verify(chunks: Iterable<Uint8Array>, each: (found: VerifiedRecord) => void = () => {}): Verdict {
  const steps = verifyRecords(chunks);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) each(step.value);
  return step.value;
}

/** Verifies like `verify`, and yields record by record, for callers that do other work in between. */
export function* verifyRecords(chunks: Iterable<Uint8Array>): Generator<VerifiedRecord, Verdict, void> {
  const chain = new Chain();
  const orphans: bigint[] = [];
  let boots = 0;
  let length = 0;
  const makeFaultyVerdict = (offset: number, reason: string): Verdict => {
    const fault = { offset, sequence: chain.sequence + 1n, reason };
    return { chain, boots, orphans, length, torn: 0, size: length, key: undefined, fault };
  };
  for (const piece of readPieces(chunks)) {
    if (piece.kind === "fault") return makeFaultyVerdict(piece.place * BLOCK_BYTES, piece.reason);
    if (piece.kind === "end")
      return { chain, boots, orphans, length, torn: piece.torn, size: piece.bytes, key: piece.key, fault: undefined };
    for (const found of readBatchRecords(piece, chain)) {
      if ("reason" in found) return makeFaultyVerdict(found.offset, found.reason);
      const { entry } = found.record;
      if (entry.which === "boot") boots += 1;
      if (entry.which === "boot") for (const orphan of entry.boot.orphans) orphans.push(orphan);
      yield found;
    }
    length = (piece.place + piece.blocks) * BLOCK_BYTES;
  }
  return bug("a partition without an end");
}

interface Wrong {
  readonly offset: number;
  readonly reason: string;
}

/** Yields the valid records of a batch, and advances the chain with each. */
function* readBatchRecords(
  { place, first, records }: Extract<Piece, { kind: "batch" }>,
  chain: Chain,
): Generator<VerifiedRecord | Wrong> {
  const makeWrong = (at: number, reason: string): Wrong => ({ offset: computeOffset(place, at), reason });
  if (!isSame(first.previous, chain.hash))
    return yield { offset: place * BLOCK_BYTES, reason: "the hash of the record before is another" };
  for (let at = 0; at < records.length; ) {
    const rest = records.subarray(at);
    const size = rest.length < HEADER_BYTES ? refuse("a batch ends within a record") : readClaimedBytes(rest);
    if (!size.ok) return yield makeWrong(at, size.reason);
    if (size.value > rest.length) return yield makeWrong(at, "a batch ends within a record");
    const found = follow(chain, rest.subarray(0, size.value), computeOffset(place, at));
    if (!found.ok) return yield makeWrong(at, found.reason);
    if (!isSame(found.value.record.bootId, first.bootId))
      return yield makeWrong(at, "the block is of another boot than its record");
    yield found.value;
    at += size.value;
  }
}

/**
 * Reads a record and appends it to the chain. Fails if the bytes are not a record, or not the next record of the chain.
 */
function follow(chain: Chain, bytes: Uint8Array, offset: number): Result<VerifiedRecord> {
  const record = recordFrom(bytes);
  if (!record.ok) return record;
  const hash = hashOf(bytes);
  const fault = chain.follow(record.value, hash);
  return fault === undefined ? accept({ record: record.value, hash, offset, length: bytes.length }) : refuse(fault);
}
