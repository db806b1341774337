// Judges the states in which a power cut can leave a data disk: the state after each flush of a recorded run, and
// states with only a part of the writes after a flush. The system must be able to continue with each such disk. The
// disk must contain each audit record that was on it at an earlier flush.

import { createLogBytes } from "../../../../engine/processes/audit/device.ts";
import { findKeyMismatch, type Verdict, verify } from "../../../../engine/processes/audit/verify.ts";
import { type Partition, readTable } from "../../../artefacts/disk/gpt.ts";
import { apply, type WriteEntry } from "./write-log.ts";

interface CutFindings {
  readonly flushes: number;
  /**
   * Number of flushes after which the file system was judged. It is judged only if it has changed since the last time.
   */
  readonly fileSystems: number;
  /** Number of audit records at the last flush. */
  readonly records: bigint;
  /** One sentence for each fault. */
  readonly faults: readonly string[];
}

/** Judges the bytes of a file system after a power cut. Returns a sentence about the fault, or `undefined` if there is none. */
export type JudgeFiles = (bytes: Buffer) => string | undefined;

/** Number of random cases between two flushes. Each case assumes that a part of the writes has reached the disk. */
const CHOICES = 8;

/** Decrypted content of an encrypted disk, and the writes to the disk, converted to writes to this content. */
export interface DecryptedDisk {
  readonly disk: Buffer;
  readonly entries: readonly WriteEntry[];
}

/** Writes to a disk, the function that judges its files, and the seed that selects lost writes. */
interface CutPlan {
  readonly entries: readonly WriteEntry[];
  readonly judgeFiles: JudgeFiles;
  readonly seed: number;
  readonly inside?: DecryptedDisk | undefined;
}

/**
 * Judges the disk after each flush of a run. `disk` is the state before the run; the function changes it to the state
 * after the run. `seed` selects the lost writes.
 */
export function judgeCuts(disk: Buffer, { entries, judgeFiles, seed, inside }: CutPlan): CutFindings {
  const watch = new Watch(disk, judgeFiles, seed, inside?.disk ?? disk);
  for (const [index, entry] of entries.entries()) watch.take(entry, inside?.entries[index] ?? entry);
  return watch.findings;
}

/** Returns the disk after `flushes` flushes, without any later write. */
export function cutAfter(disk: Buffer, entries: readonly WriteEntry[], flushes: number): Buffer {
  const left = Buffer.from(disk);
  let seen = 0;
  for (const entry of entries) {
    if (seen >= flushes) break;
    apply(left, entry);
    if (entry.isFlush) seen += 1;
  }
  return left;
}

/** Returns the hashes of the records of a disk's audit, by sequence number; empty if the disk is not a data disk. */
export function readRecordHashes(disk: Buffer): ReadonlyMap<bigint, string> {
  const audit = findParts(disk)?.audit;
  return audit === undefined
    ? new Map()
    : verifyPartition(disk.subarray(audit.offset, audit.offset + audit.size)).hashes;
}

class Watch {
  readonly #disk: Buffer;
  /** Disk to judge: the disk itself, or its decrypted content. */
  readonly #plain: Buffer;
  readonly #judgeFiles: JudgeFiles;
  readonly #faults: string[] = [];
  readonly #hashes = new Map<bigint, string>();
  #chance: number;
  #flushes = 0;
  #fileSystems = 0;
  /** Writes since the last flush, as they are in the log. `#open` has the same writes, converted to writes to the judged disk. */
  #written: WriteEntry[] = [];
  #open: WriteEntry[] = [];
  #wasWhole = false;
  #filesChanged = true;

  constructor(disk: Buffer, judgeFiles: JudgeFiles, seed: number, plain: Buffer) {
    this.#disk = disk;
    this.#plain = plain;
    this.#judgeFiles = judgeFiles;
    this.#chance = Math.imul(seed, 0x9e37_79b9) | 1;
  }

  get findings(): CutFindings {
    const records = BigInt(this.#hashes.size);
    return { flushes: this.#flushes, fileSystems: this.#fileSystems, records, faults: this.#faults };
  }

  take(entry: WriteEntry, judged: WriteEntry): void {
    this.#written.push(entry);
    this.#open.push(judged);
    if (!entry.isFlush) return;
    const parts = this.#parts();
    if (parts !== undefined) for (let count = 0; count < CHOICES; count += 1) this.#judgeChoice(parts.audit);
    for (const one of this.#written) apply(this.#disk, one);
    if (this.#plain !== this.#disk) for (const one of this.#open) apply(this.#plain, one);
    this.#flushes += 1;
    this.#judgeState();
    this.#written = [];
    this.#open = [];
  }

  /**
   * Returns the partitions of the judged disk. For an encrypted disk, returns the decrypted partitions if the encrypted
   * disk is complete.
   */
  #parts(): ReturnType<typeof findParts> {
    if (this.#plain === this.#disk) return findParts(this.#disk);
    const outer = isMarked(this.#disk) ? undefined : readPartitions(this.#disk);
    return outer?.some(({ kind }) => kind === "encrypted") === true ? findParts(this.#plain) : undefined;
  }

  /**
   * Judges the case in which only some writes after the last flush reached the disk. The audit must contain all records
   * that it had at the last flush.
   */
  #judgeChoice(audit: Partition): void {
    const kept = this.#open.filter((one) => isTouching(one, audit));
    if (kept.length === 0) return;
    const end = Math.max(...kept.map(({ offset, bytes, discarded }) => offset + bytes.length + discarded));
    const copy = Buffer.from(this.#plain.subarray(audit.offset, Math.min(end, audit.offset + audit.size)));
    for (const one of kept) this.#applySectors(copy, one, audit.offset);
    this.#judgeLog(verifyPartition(copy), `between flushes ${this.#flushes} and ${this.#flushes + 1}`);
  }

  /**
   * Applies a random selection of the write's sectors to a copy of the disk. A sector reaches the disk completely or
   * not at all.
   */
  #applySectors(copy: Buffer, { offset, bytes }: WriteEntry, from: number): void {
    for (let at = 0; at < bytes.length; at += 512) {
      const place = offset + at - from;
      if (this.#toss() && place >= 0 && place + 512 <= copy.length) copy.set(bytes.subarray(at, at + 512), place);
    }
  }

  /** Returns a pseudo-random bit (Marsaglia's xorshift). The same seed gives the same bits in every run. */
  #toss(): boolean {
    this.#chance ^= this.#chance << 13;
    this.#chance ^= this.#chance >>> 17;
    this.#chance ^= this.#chance << 5;
    return (this.#chance & 1) === 1;
  }

  #judgeState(): void {
    const when = `after flush ${this.#flushes}`;
    const parts = this.#parts();
    if (parts === undefined) {
      if (this.#wasWhole) this.#faults.push(`${when}: the disk was whole, and is none any more`);
      else if (!isFree(this.#disk)) this.#faults.push(`${when}: the disk is neither whole nor one to be made anew`);
      return;
    }
    this.#wasWhole = true;
    const { audit, files } = parts;
    const log = verifyPartition(this.#plain.subarray(audit.offset, audit.offset + audit.size));
    this.#judgeLog(log, when);
    const estranged = findKeyMismatch(log.verdict, "disk");
    if (estranged !== undefined) this.#faults.push(`${when}: the audit: ${estranged}`);
    for (const [sequence, hash] of log.hashes) this.#hashes.set(sequence, hash);
    this.#filesChanged ||= this.#open.some((one) => isTouching(one, files));
    if (!this.#filesChanged) return;
    this.#filesChanged = false;
    this.#fileSystems += 1;
    const wrong = this.#judgeFiles(this.#plain.subarray(files.offset, files.offset + files.size));
    if (wrong !== undefined) this.#faults.push(`${when}: the file system: ${wrong}`);
  }

  #judgeLog({ verdict, hashes }: Verified, when: string): void {
    const { fault } = verdict;
    if (fault !== undefined) this.#faults.push(`${when}: the audit at byte ${fault.offset}: ${fault.reason}`);
    const lost = [...this.#hashes].filter(([sequence, hash]) => hashes.get(sequence) !== hash);
    if (lost.length > 0) this.#faults.push(`${when}: the audit lost ${lost.map(([sequence]) => sequence).join(" ")}`);
  }
}

interface Verified {
  readonly verdict: Verdict;
  readonly hashes: ReadonlyMap<bigint, string>;
}

function verifyPartition(partition: Buffer): Verified {
  const hashes = new Map<bigint, string>();
  const verdict = verify(createLogBytes(partition), ({ record, hash }) => {
    hashes.set(record.sequence, Buffer.from(hash).toString("hex"));
  });
  return { verdict, hashes };
}

const MARK_AT = 64 * 512;
/**
 * Mark of an incomplete data disk. When init makes a disk, it writes this mark first and removes it last
 * (engine/image/init/src/boot/disk/create.rs).
 */
const MARK = Buffer.from("capos: this disk is being made, and holds nothing yet\n", "latin1");
const MIB = 1024 * 1024;

function isMarked(disk: Buffer): boolean {
  return disk.subarray(MARK_AT, MARK_AT + MARK.length).equals(MARK);
}

/** Returns whether init would make a data disk from this disk. */
function isFree(disk: Buffer): boolean {
  const ends = [disk.subarray(0, MIB), disk.subarray(-MIB)];
  return isMarked(disk) || ends.every((end) => end.equals(Buffer.alloc(MIB)));
}

/** Returns the partitions of a disk, or `undefined` if the disk is not a complete data disk. */
function findParts(disk: Buffer): { readonly audit: Partition; readonly files: Partition } | undefined {
  const partitions = isMarked(disk) ? undefined : readPartitions(disk);
  const [audit, files] = (["audit", "files"] as const).map((kind) =>
    partitions?.find((partition) => partition.kind === kind),
  );
  return audit === undefined || files === undefined ? undefined : { audit, files };
}

function readPartitions(disk: Buffer): readonly Partition[] | undefined {
  const read = readTable((offset, length) => disk.subarray(offset, offset + length), disk.length);
  return read.ok ? read.value.partitions : undefined;
}

function isTouching({ offset, bytes, discarded }: WriteEntry, partition: Partition): boolean {
  const end = offset + bytes.length + discarded;
  return end > offset && offset < partition.offset + partition.size && end > partition.offset;
}
