// The rules of the chain. Writers and verifiers check each record with the same method, `follow`. This module does not access files.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import {
  type AuditEntry,
  AuditRecord,
  type CallRecord,
  Checkpoint,
  type Segment,
} from "../../lib/wire/generated/audit.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import type { SealingKey } from "./key-block.ts";
import {
  BOOT_ID_BYTES,
  HASH_BYTES,
  hashOf,
  isSame,
  MAX_RECORD_BYTES,
  NO_HASH,
  RECORD_SCHEMA_VERSION,
} from "./record.ts";
import { type LatestSeal, sealAfter, sealOf, signSeal } from "./seals.ts";
import { KEY_BYTES } from "./signing.ts";
import { findKeptText } from "./withheld.ts";

/** All fields of a record except its entry and its position in the chain. */
export interface Stamp {
  /** The process that wrote the record, identified by its badge. */
  readonly writer: string;
  readonly bootId: Uint8Array;
  readonly policyDigest: Uint8Array;
  readonly monotonicMs: bigint;
  readonly wallMs: bigint;
  readonly wallSource: string;
}

/** A record as the chain appended it, with its bytes. */
export interface Link {
  readonly record: AuditRecord;
  /** The encoded record, as it is on the disk. */
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

/**
 * Most open intents of a writer. A gate runs one call at a time, so a writer with this many open intents has stopped
 * reporting outcomes.
 */
const MAX_OPEN_INTENTS = 1024;

/** Number of newest segments that are never released: a start reads the newest two. */
export const KEPT_SEGMENTS = 2;

/** The first segment of a log, which begins without a checkpoint. */
const FIRST_SEGMENT: Segment = { place: 0n, sequence: 1n, previous: NO_HASH };

type Released = Extract<AuditEntry, { which: "released" }>["released"];

/** The state at the end of a chain: everything that the next record depends on. */
export class Chain {
  #sequence = 0n;
  #hash = NO_HASH;
  #bootId: Uint8Array = new Uint8Array(0);
  /** Intents without an outcome, with their writers; in order of sequence. */
  #open = new Map<bigint, string>();
  #sealed: LatestSeal | undefined;
  /** Whether the newest record is a boot record. */
  #isBooting = false;
  /** The highest sequence number that a record states as shipped. */
  #shipped = 0n;
  /** Segments that were not released, oldest first. */
  #segments: readonly Segment[] = [FIRST_SEGMENT];
  /** Whether the first record must be a checkpoint, from which the chain takes its state. */
  #isJoined: boolean;

  /** `joined`: the chain begins with a checkpoint, because the records before it are not available. */
  constructor(beginning: "first" | "joined" = "first") {
    this.#isJoined = beginning === "joined";
  }

  /** Sequence number of the newest record; 0 if there is none. */
  get sequence(): bigint {
    return this.#sequence;
  }

  /** Hash of the newest record. */
  get hash(): Uint8Array {
    return this.#hash;
  }

  /** Sequence numbers of intents without an outcome. */
  get open(): readonly bigint[] {
    return [...this.#open.keys()];
  }

  /** The newest seal; `undefined` if there is none. */
  get sealed(): LatestSeal | undefined {
    return this.#sealed;
  }

  /** The highest sequence number that a record states as shipped; 0 if there is none. */
  get shipped(): bigint {
    return this.#shipped;
  }

  /** Segments that were not released, oldest first. */
  get segments(): readonly Segment[] {
    return this.#segments;
  }

  /** Returns the state as a checkpoint in the block `place`; `undefined` before the first seal. */
  describe(place: number): Checkpoint | undefined {
    if (this.#sealed === undefined) return undefined;
    const { auditKey, epoch, key, next } = this.#sealed;
    const open = [...this.#open].map(([sequence, writer]) => ({ sequence, writer }));
    const segments = [...this.#segments];
    return { place: BigInt(place), auditKey, epoch, key, next, open, shipped: this.#shipped, segments };
  }

  /** Returns whether the next record must be a checkpoint, from which the chain takes its state. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  copy(): Chain {
    const twin = new Chain();
    twin.#sequence = this.#sequence;
    twin.#hash = this.#hash;
    twin.#bootId = this.#bootId;
    twin.#open = new Map(this.#open);
    twin.#sealed = this.#sealed;
    twin.#isBooting = this.#isBooting;
    twin.#shipped = this.#shipped;
    twin.#segments = this.#segments;
    twin.#isJoined = this.#isJoined;
    return twin;
  }

  /**
   * Makes the next record and appends it. Fails if a rule of the chain forbids the record; the chain is then unchanged.
   */
  append(entry: AuditEntry, stamp: Stamp): Result<Link> {
    return this.#follow(this.#recordOf(entry, stamp));
  }

  /** Makes a seal of all records so far and appends it. Fails like `append`. */
  seal(key: SealingKey, stamp: Stamp): Result<Link> {
    const seal = sealOf(key);
    const record = this.#recordOf({ which: "seal", seal }, stamp);
    return this.#follow({ ...record, entry: { which: "seal", seal: signSeal(record, seal, key) } });
  }

  #recordOf(entry: AuditEntry, stamp: Stamp): AuditRecord {
    return {
      schemaVersion: RECORD_SCHEMA_VERSION,
      sequence: this.#sequence + 1n,
      previous: this.#hash,
      writer: stamp.writer,
      bootId: stamp.bootId,
      policyDigest: stamp.policyDigest,
      monotonicMs: stamp.monotonicMs,
      wallMs: stamp.wallMs,
      wallSource: stamp.wallSource,
      entry,
    };
  }

  #follow(record: AuditRecord): Result<Link> {
    const bytes = encodeMessage(AuditRecord, record);
    if (bytes.length > MAX_RECORD_BYTES)
      return refuse(`a record of ${bytes.length} bytes; at most ${MAX_RECORD_BYTES} are written`);
    const hash = hashOf(bytes);
    const fault = this.follow(record, hash);
    return fault === undefined ? accept({ record, bytes, hash }) : refuse(fault);
  }

  /**
   * Appends a record. If the record breaks a rule, returns the rule and leaves the chain unchanged; otherwise returns
   * `undefined`.
   */
  follow(record: AuditRecord, hash: Uint8Array): string | undefined {
    const { entry } = record;
    if (this.#isJoined) return this.#join(record, hash);
    const fault = this.#checkPlace(record) ?? this.#checkEntry(record);
    if (fault !== undefined) return fault;
    if (entry.which === "seal") {
      const sealed = sealAfter(this.#sealed, record, entry.seal);
      if (!sealed.ok) return sealed.reason;
      this.#sealed = sealed.value;
    }
    this.#isBooting = entry.which === "boot";
    if (entry.which === "boot") this.#open.clear();
    if (entry.which === "intent") this.#open.set(record.sequence, record.writer);
    if (entry.which === "outcome") this.#open.delete(entry.outcome.intent);
    if (entry.which === "shipped" && entry.shipped > this.#shipped) this.#shipped = entry.shipped;
    if (entry.which === "checkpoint") this.#segments = [...this.#segments, segmentAt(record, entry.checkpoint)];
    if (entry.which === "released") this.#segments = this.#segments.slice(this.#findReleased(entry.released));
    this.#sequence = record.sequence;
    this.#hash = hash;
    this.#bootId = record.bootId;
    return undefined;
  }

  /**
   * Takes over the state that a checkpoint states, and appends the checkpoint. Returns `undefined`, or the reason if
   * the record is not a valid checkpoint. The records before the checkpoint are not available to confirm this state;
   * the seals after the checkpoint confirm it.
   */
  #join(record: AuditRecord, hash: Uint8Array): string | undefined {
    const { entry, sequence } = record;
    if (entry.which !== "checkpoint") return "the log begins without its first record, and not with a checkpoint";
    const { auditKey, epoch, key, next, open, shipped, segments } = entry.checkpoint;
    const keys = [auditKey, key, next].every(({ length }) => length === KEY_BYTES);
    if (!keys || sequence < 2n || shipped >= sequence || !isRising([...segments, segmentAt(record, entry.checkpoint)]))
      return "the checkpoint has a form that is never written";
    this.#isJoined = false;
    this.#sequence = sequence - 1n;
    this.#hash = record.previous;
    this.#bootId = record.bootId;
    this.#open = new Map(open.map(({ sequence, writer }) => [sequence, writer]));
    this.#sealed = { auditKey, epoch, key, next, sequence: sequence - 1n };
    this.#shipped = shipped;
    this.#segments = segments;
    const fault = this.follow(record, hash);
    this.#isJoined = fault !== undefined;
    return fault;
  }

  #checkPlace({ sequence, previous, bootId, policyDigest }: AuditRecord): string | undefined {
    if (sequence !== this.#sequence + 1n) return `sequence ${sequence} stands where ${this.#sequence + 1n} belongs`;
    if (!isSame(previous, this.#hash)) return "the hash of the record before is another";
    if (bootId.length !== BOOT_ID_BYTES) return `a boot id has ${bootId.length} bytes`;
    if (policyDigest.length !== HASH_BYTES) return `a policy digest has ${policyDigest.length} bytes`;
    return undefined;
  }

  #checkEntry({ entry, bootId, writer }: AuditRecord): string | undefined {
    switch (entry.which) {
      case "boot":
        return isSameList(entry.boot.orphans, this.open)
          ? undefined
          : `a boot record lists the orphans [${entry.boot.orphans.join(" ")}], which are [${this.open.join(" ")}]`;
      case "seal":
        return this.#checkBootId(bootId);
      case "intent":
        return this.#checkBoot(bootId) ?? this.#checkIntent(entry.intent, writer);
      case "outcome":
        return this.#checkBoot(bootId) ?? this.#checkOutcome(entry.outcome, writer);
      case "session":
      case "inference":
        return this.#checkBoot(bootId);
      case "shipped":
        return this.#checkBoot(bootId) ?? this.#checkShipped(entry.shipped);
      case "checkpoint":
        return this.#checkBoot(bootId) ?? this.#checkState(entry.checkpoint);
      case "released":
        return this.#checkBoot(bootId) ?? this.#checkReleased(entry.released);
    }
  }

  #checkShipped(shipped: bigint): string | undefined {
    return shipped <= this.#sequence ? undefined : `record ${shipped} is said to be shipped, and is not there yet`;
  }

  #checkState(checkpoint: Checkpoint): string | undefined {
    if (this.#sealed?.sequence !== this.#sequence) return "a checkpoint does not follow a seal";
    const { place } = this.#segments.at(-1) ?? FIRST_SEGMENT;
    if (checkpoint.place <= place) return `a checkpoint names block ${checkpoint.place}, and the one before ${place}`;
    const expected = this.describe(Number(checkpoint.place));
    const isExact = expected !== undefined && isSame(encodeState(expected), encodeState(checkpoint));
    return isExact ? undefined : "a checkpoint has another state than the records before it";
  }

  /**
   * Returns why a release is not allowed, or `undefined` if it is. The released records must end where a segment ends,
   * and the newest two segments must be kept. If the reason of the release is that the records were shipped, an earlier
   * record must state that they were shipped.
   */
  #checkReleased(released: Released): string | undefined {
    const { through, by } = released;
    if (this.#findReleased(released) < 1)
      return `records up to ${through} are said to be released, which end no segment`;
    if (by === "shipped" && this.#shipped < through) return `records up to ${through} were released and not shipped`;
    return undefined;
  }

  /**
   * Returns the index of the segment that becomes the oldest after a release. Returns -1 if the released records do not
   * end where a segment ends, or if fewer than two segments would remain.
   */
  #findReleased({ through, hash }: Released): number {
    const index = this.#segments.findIndex(({ sequence }) => sequence === through + 1n);
    const segment = this.#segments[index];
    if (segment === undefined || index > this.#segments.length - KEPT_SEGMENTS) return -1;
    return isSame(segment.previous, hash) ? index : -1;
  }

  /**
   * Returns why this boot may not append the record yet, or `undefined` if it may. After a boot record, a seal must
   * follow, which also covers the records that a crash left unsealed. Only a log that was never sealed may continue
   * without this seal.
   */
  #checkBoot(bootId: Uint8Array): string | undefined {
    if (this.#isBooting && this.#sealed !== undefined) return "a boot goes on without the seal behind its record";
    return this.#checkBootId(bootId);
  }

  #checkBootId(bootId: Uint8Array): string | undefined {
    return isSame(bootId, this.#bootId) ? undefined : "a boot begins without its boot record";
  }

  #checkIntent(call: CallRecord, writer: string): string | undefined {
    const { sent } = call;
    if (sent) return `${writer} has an intent of a call that is said to need none`;
    const open = [...this.#open.values()].filter((name) => name === writer).length;
    return open < MAX_OPEN_INTENTS ? findKeptText(call) : `${writer} has ${open} intents without an outcome`;
  }

  /**
   * Returns why an outcome is not allowed, or `undefined` if it is. An intent has one outcome, from its own writer, so
   * that no gate can close another gate's intent.
   */
  #checkOutcome(call: CallRecord, writer: string): string | undefined {
    const { intent, sent, decision } = call;
    if (intent !== 0n && sent) return `${writer} has an intent ${intent} of a call that is said to need none`;
    if (sent && decision !== "auto") return `${writer} sent a call without an intent whose decision is ${decision}`;
    if (intent === 0n || this.#open.get(intent) === writer) return findKeptText(call);
    return `${writer} has no open intent ${intent}`;
  }
}

function encodeState(checkpoint: Checkpoint): Uint8Array {
  return encodeMessage(Checkpoint, checkpoint);
}

function segmentAt({ sequence, previous }: AuditRecord, { place }: Checkpoint): Segment {
  return { place, sequence, previous };
}

/**
 * Returns whether each segment begins at a later block and with a higher sequence number than the segment before it.
 */
function isRising(segments: readonly Segment[]): boolean {
  return segments.every(({ place, sequence, previous }, index) => {
    const before = segments[index - 1];
    const isBehind = before === undefined || (place > before.place && sequence > before.sequence);
    return isBehind && previous.length === HASH_BYTES;
  });
}

function isSameList(one: readonly bigint[], other: readonly bigint[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
