// Verifies the audit log in the bytes of its partition. Verification stops at the first fault, because the rest cannot
// be verified. README.md lists what the chain cannot show.

import { bug } from "../../lib/result/bug.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { AuditRecord } from "../../lib/wire/generated/audit.ts";
import { type Beginning, countPlaces, type Piece, readKeyBlock, readPieces } from "./batches.ts";
import { BLOCK_BYTES, computeOffset } from "./block.ts";
import { Chain } from "./chain.ts";
import type { LogBytes } from "./device.ts";
import { type KeyBlock, WHOLE_LOG } from "./key-block.ts";
import { HEADER_BYTES, hashOf, isSame, readClaimedBytes, recordFrom } from "./record.ts";
import { deriveKeyAfter } from "./seals.ts";

export const KEY_GONE = "its key is gone from the disk";

/** One valid record of the log. */
export interface VerifiedRecord {
  readonly record: AuditRecord;
  readonly hash: Uint8Array;
  /**
   * Offset of the record in bytes, counted from the first block that was ever written; `length` is the size of the
   * record.
   */
  readonly offset: number;
  readonly length: number;
}

/**
 * The last record that was not read. This record and all records before it were left out, because they were released,
 * or because a start does not need them.
 */
interface Beyond {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

interface Fault {
  /** Bytes from the start of the partition to the wrong block or record. */
  readonly offset: number;
  /** The sequence number that the record should have. */
  readonly sequence: bigint;
  readonly reason: string;
}

export interface Verdict {
  /** The chain up to the last valid record. */
  readonly chain: Chain;
  /** The last record that was not read; `undefined` if the log was read from its first record on. */
  readonly beyond: Beyond | undefined;
  readonly boots: number;
  /** Intents that a later boot found without an outcome: their effect is unknown. */
  readonly orphans: readonly bigint[];
  /** Offset in bytes of the end of the last valid block, counted from the first block that was ever written. */
  readonly length: number;
  /** Bytes of the blocks after the valid ones: a crash left incomplete records there, which were never acknowledged. */
  readonly torn: number;
  /** Bytes of the partition that were read: all bytes, if there is no fault. */
  readonly size: number;
  /** The secret key of the next seal. Absent if the last block does not contain a key, or if the log has a fault. */
  readonly key: KeyBlock | undefined;
  readonly fault: Fault | undefined;
}

/**
 * Compares the key on the disk with the key that the newest seal of the log names. Returns why they differ, or
 * `undefined` if they are equal. On a disk there must be a key if the log was ever sealed.
 */
export function findKeyMismatch({ chain, key, fault }: Verdict, medium: "disk" | "file"): string | undefined {
  if (fault !== undefined) return undefined;
  if (key === undefined) return medium === "disk" && chain.sealed !== undefined ? KEY_GONE : undefined;
  const after = deriveKeyAfter(chain.sealed, key);
  return after.ok ? undefined : after.reason;
}

/** Verifies a partition. `each` is called with every valid record before the next one is read. */
export function verify(
  log: LogBytes,
  each: (found: VerifiedRecord) => void = () => {},
  beginning: Beginning = "first",
): Verdict {
  const steps = verifyRecords(log, beginning);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) each(step.value);
  return step.value;
}

/** Verifies like `verify`, and yields record by record, for callers that do other work in between. */
export function* verifyRecords(
  log: LogBytes,
  beginning: Beginning = "first",
): Generator<VerifiedRecord, Verdict, void> {
  // Read the key block once: while a machine writes, a second reading could state other bounds.
  const key = readKeyBlock(log);
  const start = (key?.bounds ?? WHOLE_LOG)[beginning];
  const chain = new Chain(start === 0 ? "first" : "joined");
  const orphans: bigint[] = [];
  let beyond: Beyond | undefined;
  let boots = 0;
  let length = start * BLOCK_BYTES;
  const makeVerdict = (rest: Pick<Verdict, "fault" | "key" | "size" | "torn">): Verdict => ({
    ...{ chain, beyond, boots, orphans, length },
    ...rest,
  });
  const makeFaultyVerdict = (offset: number, reason: string): Verdict => {
    const within = start === 0 ? offset : offset % (countPlaces(log.size) * BLOCK_BYTES);
    const fault = { offset: within, sequence: chain.sequence + 1n, reason };
    return makeVerdict({ torn: 0, size: length, key: undefined, fault });
  };
  for (const piece of readPieces(log, key, beginning)) {
    if (piece.kind === "fault") return makeFaultyVerdict(piece.place * BLOCK_BYTES, piece.reason);
    if (piece.kind === "end") {
      const reason = explainBeginning(chain, { isJoined: start > 0, beyond, beginning });
      if (reason !== undefined) return makeFaultyVerdict(start * BLOCK_BYTES, reason);
      return makeVerdict({ torn: piece.torn, size: piece.bytes, key: piece.key, fault: undefined });
    }
    for (const found of readBatchRecords(piece, chain)) {
      if ("reason" in found) return makeFaultyVerdict(found.offset, found.reason);
      const { entry, sequence, previous } = found.record;
      if (start > 0) beyond ??= { sequence: sequence - 1n, hash: previous };
      if (entry.which === "boot") boots += 1;
      if (entry.which === "boot") for (const orphan of entry.boot.orphans) orphans.push(orphan);
      yield found;
    }
    length = (piece.place + piece.blocks) * BLOCK_BYTES;
  }
  return bug("a partition without an end");
}

/**
 * Returns why the log must not begin at its present first record, or `undefined` if it may. It must not if earlier
 * records are missing, and no record says that they were released.
 */
function explainBeginning(
  { segments, sequence }: Chain,
  {
    isJoined,
    beyond,
    beginning,
  }: { readonly isJoined: boolean; readonly beyond: Beyond | undefined; readonly beginning: Beginning },
): string | undefined {
  if (!isJoined) return undefined;
  if (sequence === 0n || beyond === undefined)
    return "the checkpoint that the key block names is missing: what came after was cut off";
  const isReleased = (segments[0]?.sequence ?? 0n) > beyond.sequence;
  return beginning === "recent" || isReleased
    ? undefined
    : `the records up to ${beyond.sequence} are missing, and no record says that they were released`;
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
  if (!chain.isJoined && !isSame(first.previous, chain.hash))
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
    const { entry, previous } = found.value.record;
    if (at === 0 && !isSame(previous, first.previous))
      return yield makeWrong(at, "the block names another record before it than its record");
    if (entry.which === "checkpoint" && (entry.checkpoint.place !== BigInt(place) || at > 0))
      return yield makeWrong(at, "the checkpoint belongs to another block");
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
