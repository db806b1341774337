// Stores the chain on a disk. A record is acknowledged only when it is on the disk; records that arrive while the disk
// is busy are written together.

import { bug } from "../../lib/result/bug.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { AuditEntry, AuditRecord, ReleaseReason } from "../../lib/wire/generated/audit.ts";
import { BATCH_BYTES, BLOCK_BYTES, computeOffset } from "./block.ts";
import { type Chain, KEPT_SEGMENTS, type Link, type Stamp } from "./chain.ts";
import type { SealingKey } from "./key-block.ts";
import { type BlockLog, getErrorCode } from "./log.ts";
import type { RecentRecords, RecordLocation } from "./recent.ts";
import { hashOf, recordFrom } from "./record.ts";
import { type LatestSeal, turnKey } from "./seals.ts";
import type { VerifiedRecord } from "./verify.ts";
import { keyDigests } from "./withheld.ts";

/** The fields that all records of a boot share, and the clocks. */
export interface Boot {
  readonly systemId: string;
  readonly version: string;
  readonly bootId: Uint8Array;
  readonly policyDigest: Uint8Array;
  /** The audit process's own name: the writer of the boot record. */
  readonly writer: string;
  readonly time: () => Pick<Stamp, "monotonicMs" | "wallMs" | "wallSource">;
}

/** The acknowledgment of a record for its writer. */
export interface Receipt {
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

interface Waiting {
  readonly entry: AuditEntry;
  readonly writer: string;
  readonly tell: (receipt: Result<Receipt>) => void;
}

interface Linked {
  readonly link: Link;
  readonly waiting: Waiting;
}

/** The secrets of a log to which this process writes; such a log always has a digest key. */
export interface KeptKey extends SealingKey {
  readonly digestKey: Uint8Array;
}

/**
 * Finds the last record of which somebody outside of the machine has a copy. `through` is its sequence number, 0 if
 * there is none. `by` states who has the copy: the collector or a person.
 */
export type FindReleasable = (chain: Chain) => { readonly through: bigint; readonly by: ReleaseReason };

/** The parts from which a store is made when its log has been opened. */
interface Opened {
  readonly boot: Boot;
  readonly findReleasable: FindReleasable;
  readonly log: BlockLog;
  readonly chain: Chain;
  readonly recent: RecentRecords;
  readonly key: KeptKey;
  /** Receives each record once it is on the disk. */
  readonly onStored: (stored: StoredRecord) => void;
}

/** A record with its location on the disk. */
export interface StoredRecord extends RecordLocation {
  readonly record: AuditRecord;
}

/**
 * The end of the partition, reserved for records that must be written when the rest is full: outcomes of calls that had
 * begun, and refusals of further calls. An outcome takes 2 to 20 KiB, and a gate has one call under way.
 */
export const RESERVE_BYTES: number = 1024 * 1024;
/**
 * Share of the reserve, in bytes, for all records except outcomes of begun calls. Records of refusals are small, but an
 * endless number of them must not use up the space for outcomes.
 */
const ASIDE_BYTES = 256 * 1024;
export const FULL = "the audit partition is full; no call runs any more";
/** Generous estimate of the bytes of a boot record and its seal: a log begins only if both fit. */
export const START_BYTES = 2048;
/**
 * Number of records after which a seal is due. An attacker who controls the running machine can still rewrite the
 * records after the newest seal. A seal takes two blocks on the disk, and costs a signature and two syncs.
 */
const SEALED_RECORDS = 256;
const SEALED_BYTES = 256 * 1024;
/** Number of segments that a full partition has at most. A start reads two of them, and a release frees one. */
const MOST_SEGMENTS = 16;
/** The minimum size of a segment. A log that is smaller is read completely at each start. */
const SEGMENT_BYTES = 1024 * 1024;
/**
 * The maximum number of waiting records. The queue grows to this length only if the disk hangs; then the store refuses
 * further records, so that they do not fill the memory.
 */
const MAX_WAITING = 1024;

export class Store {
  readonly #boot: Boot;
  readonly #log: BlockLog;
  readonly #recent: RecentRecords;
  #chain: Chain;
  #waiting: Waiting[] = [];
  #isWriting = false;
  #isClosed = false;
  /** Resolves when no record waits for the disk. */
  #writing: Promise<void> = Promise.resolve();
  /** Whether only the reserve is left. */
  #isFull = false;
  /** Bytes of the reserve used by records that are not outcomes of begun calls. */
  #aside = 0;
  #key: SealingKey;
  readonly #digestKey: Uint8Array;
  readonly #onStored: (stored: StoredRecord) => void;
  readonly #findReleasable: FindReleasable;
  /** Numbers of records, and of their bytes, after the newest seal. */
  #unsealed = { records: 0, bytes: 0 };

  constructor({ boot, log, chain, recent, key, onStored, findReleasable }: Opened) {
    this.#boot = boot;
    this.#findReleasable = findReleasable;
    this.#log = log;
    this.#chain = chain;
    this.#recent = recent;
    this.#key = key;
    this.#digestKey = key.digestKey;
    this.#onStored = onStored;
  }

  /** Receipt of the newest record on the disk. */
  get newest(): Receipt {
    return { sequence: this.#chain.sequence, hash: this.#chain.hash };
  }

  /** The newest seal; `undefined` before the first. */
  get sealed(): LatestSeal | undefined {
    return this.#chain.sealed;
  }

  /**
   * Appends the boot record, and seals all records that the start found. This method must be called before any other
   * record is appended. Fails if the boot record could not be written.
   */
  async begin(entry: AuditEntry): Promise<Result<Receipt>> {
    const booted = await this.append(this.#boot.writer, entry);
    if (!booted.ok) return booted;
    // `append` resolves before the batch of the boot record is finished, so wait for the end of the batch.
    await this.#writing;
    await this.#seal();
    await this.#releaseSegments();
    return this.#log.broken === undefined ? booted : refuse(this.#log.broken);
  }

  /** Reason why no call may begin any more; `undefined` if the log accepts records. */
  get refusal(): string | undefined {
    return this.#log.broken ?? (this.#isFull ? FULL : undefined);
  }

  /** How many percent of the space for calls are used. */
  get taken(): number {
    return this.#isFull ? 100 : this.#log.measureUsedPercent(RESERVE_BYTES);
  }

  /**
   * Ends the log: it accepts no further record, writes the appended ones, and seals them. Resolves when all writers have their answer and
   * the disk is idle.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#seal();
  }

  /** Resolves when the record is on the disk, or with the reason why it is not in the log. */
  append(writer: string, entry: AuditEntry): Promise<Result<Receipt>> {
    if (this.#isClosed) return Promise.resolve(refuse("the machine stops, and the log has ended"));
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(refuse(`${MAX_WAITING} records wait for the disk`));
    return new Promise((tell) => {
      this.#waiting.push({ writer, entry: keyDigests(entry, this.#digestKey), tell });
      if (!this.#isWriting) this.#writing = this.#writeWaiting();
    });
  }

  async #writeWaiting(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await this.#writeBatch();
      const { records, bytes } = this.#unsealed;
      if (records >= SEALED_RECORDS || bytes >= SEALED_BYTES) await this.#seal();
      await this.#releaseSegments();
    }
    this.#isWriting = false;
  }

  /** Returns whether less space than one segment is free, not counting the reserve. */
  get #isShort(): boolean {
    return this.#isFull || !this.#log.hasRoom(this.#segmentBlocks * BLOCK_BYTES, RESERVE_BYTES);
  }

  get #segmentBlocks(): number {
    return Math.max(Math.floor(this.#log.places / MOST_SEGMENTS), SEGMENT_BYTES / BLOCK_BYTES);
  }

  /**
   * Releases the oldest segments while space is short and the collector or a person has a copy of their records. A full
   * log then accepts calls again.
   */
  async #releaseSegments(): Promise<void> {
    while (this.#isShort && this.#log.broken === undefined) {
      const { segments } = this.#chain;
      const { through, by } = this.#findReleasable(this.#chain);
      const next = segments.length > KEPT_SEGMENTS ? segments[1] : undefined;
      if (next === undefined || through + 1n < next.sequence) return;
      const released = { through: next.sequence - 1n, hash: next.previous, by };
      if (!(await this.#write({ which: "released", released }))) return;
      const freed = await this.#log.release(this.#key, Number(next.place));
      if (!freed.ok) return;
      this.#recent.dropBefore(Number(next.place) * BLOCK_BYTES);
      this.#isFull = false;
      this.#aside = 0;
    }
  }

  /**
   * Begins a segment if the newest one has reached its minimum size. The segment begins with a checkpoint that has the
   * state of the chain, so that older segments are not needed any more. The chain continues without a checkpoint if the
   * state is too long for a record, or if only the reserve is left.
   */
  async #beginSegment(): Promise<void> {
    const { segments } = this.#chain;
    const before = segments.at(-1);
    const { next } = this.#log;
    if (before === undefined || next - Number(before.place) < this.#segmentBlocks || this.#isFull) return;
    const checkpoint = this.#chain.describe(next);
    if (checkpoint === undefined || !(await this.#write({ which: "checkpoint", checkpoint }))) return;
    await this.#log.keepRecent(this.#key, Number(before.place));
  }

  /**
   * Writes a record that the audit itself makes, in a separate batch. Returns false if the chain refuses the record, if there
   * is no space, or if the disk fails.
   */
  async #write(entry: AuditEntry): Promise<boolean> {
    const chain = this.#chain.copy();
    const link = chain.append(entry, this.#stamp(this.#boot.writer));
    if (!link.ok || !(await this.#writeAlone(chain, link.value))) return false;
    this.#unsealed.records += 1;
    this.#unsealed.bytes += link.value.bytes.length;
    return true;
  }

  /**
   * Writes the newest link of a chain in a batch of its own, and continues with this chain. Returns false if there is
   * no space, or if the disk fails.
   */
  async #writeAlone(chain: Chain, { record, bytes }: Link): Promise<boolean> {
    if (!this.#log.hasRoom(bytes.length)) return false;
    const written = await this.#log.append(bytes, { bootId: record.bootId, previous: this.#chain.hash });
    if (!written.ok) return false;
    this.#chain = chain;
    this.#onStored({ record, offset: computeOffset(written.value, 0), length: bytes.length });
    return true;
  }

  async #writeBatch(): Promise<void> {
    const chain = this.#chain.copy();
    const links = this.#takeBatch(chain);
    if (links.length === 0) return;
    const [only] = links;
    const records =
      links.length === 1 && only !== undefined ? only.link.bytes : Buffer.concat(links.map(({ link }) => link.bytes));
    if (!this.#isFull && !this.#log.hasRoom(records.length, RESERVE_BYTES)) {
      this.#isFull = true;
      this.#waiting.unshift(...links.map(({ waiting }) => waiting));
      return;
    }
    const { bootId } = this.#boot;
    const written = this.#log.hasRoom(records.length)
      ? await this.#log.append(records, { bootId, previous: this.#chain.hash })
      : refuse(FULL);
    if (!written.ok) {
      for (const { waiting } of links) waiting.tell(written);
      return;
    }
    this.#chain = chain;
    this.#tell(links, written.value);
  }

  /**
   * Seals all records, and replaces the key of this seal by the key of the next one. If there is no space or the disk
   * fails, the records stay unsealed; after a crash between seal and new key, the next start repairs the log.
   */
  async #seal(): Promise<void> {
    const chain = this.#chain.copy();
    const link = chain.seal(this.#key, this.#stamp(this.#boot.writer));
    if (!link.ok) return bug(`a seal of our own does not follow: ${link.reason}`);
    if (!(await this.#writeAlone(chain, link.value))) return;
    this.#unsealed = { records: 0, bytes: 0 };
    const next = turnKey(this.#key);
    this.#key.seed.fill(0);
    this.#key = next;
    const kept = await this.#log.keepKey(next);
    if (kept.ok) await this.#beginSegment();
  }

  #stamp(writer: string): Stamp {
    const { time, bootId, policyDigest } = this.#boot;
    const { monotonicMs, wallMs, wallSource } = time();
    return { writer, bootId, policyDigest, monotonicMs, wallMs, wallSource };
  }

  /** Acknowledges the records of a batch that starts at block `place`. */
  #tell(links: readonly Linked[], place: number): void {
    let at = 0;
    for (const { link, waiting } of links) {
      const { length } = link.bytes;
      if (this.#isFull && !isEnd(waiting.entry)) this.#aside += length;
      const stored = { record: link.record, offset: computeOffset(place, at), length };
      this.#recent.add(stored);
      this.#onStored(stored);
      this.#unsealed.records += 1;
      this.#unsealed.bytes += length;
      at += length;
      waiting.tell(accept({ sequence: link.record.sequence, hash: link.hash }));
    }
  }

  /** Links waiting records to the chain, up to one batch. A record that breaks a rule is refused and left out. */
  #takeBatch(chain: Chain): Linked[] {
    const links: Linked[] = [];
    let bytes = 0;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const { writer, entry, tell } = next;
      const link = this.#checkRoom(entry) ?? chain.append(entry, this.#stamp(writer));
      if (link.ok) links.push({ link: link.value, waiting: next });
      else tell(link);
      bytes += link.ok ? link.value.bytes.length : 0;
      if (bytes >= BATCH_BYTES) break;
    }
    return links;
  }

  /**
   * If only the reserve is left, returns why the entry may not use it; otherwise returns `undefined`. Records of
   * shipping progress have their own share of the reserve, because the progress may allow the store to release
   * segments.
   */
  #checkRoom(entry: AuditEntry): Result<never> | undefined {
    if (!this.#isFull || isEnd(entry)) return undefined;
    const most = entry.which === "shipped" ? 2 * ASIDE_BYTES : ASIDE_BYTES;
    return isBegun(entry) || this.#aside >= most ? refuse(FULL) : undefined;
  }

  /**
   * Returns the newest records that concern a reader, oldest first: at most `count`, and not more than fit into one
   * frame. Fails like `read`.
   */
  async readTail(reader: string, count: number): Promise<Result<readonly AuditRecord[]>> {
    const found = await this.read(this.#recent.findRecent(reader, count));
    return found.ok ? accept(found.value.map(({ record }) => record)) : found;
  }

  /** Returns records from the disk. Fails if the disk cannot be read or does not contain these records. */
  async read(spots: readonly RecordLocation[]): Promise<Result<readonly VerifiedRecord[]>> {
    const found: VerifiedRecord[] = [];
    try {
      for (const { offset, length } of spots) {
        const bytes = await this.#log.read(offset, length);
        const record = recordFrom(bytes);
        if (!record.ok) return refuse(`the log cannot be read back: ${record.reason}`);
        found.push({ record: record.value, hash: hashOf(bytes), offset, length });
      }
      return accept(found);
    } catch (error) {
      return refuse(`the log cannot be read back: ${getErrorCode(error)}`);
    }
  }
}

/**
 * Returns whether an entry is the first record of a call: an intent, or the outcome of a call that ran without one.
 * When the log is full, both are refused, so that no further call runs, with or without an intent.
 */
function isBegun(entry: AuditEntry): boolean {
  return entry.which === "intent" || (entry.which === "outcome" && entry.outcome.sent);
}

/** Returns whether an entry ends a call that had begun. */
function isEnd(entry: AuditEntry): boolean {
  return entry.which === "outcome" && entry.outcome.intent !== 0n;
}
