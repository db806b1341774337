// The rules of the chain. Writers and verifiers use the same function. This module does not access files.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { type AuditEntry, AuditRecord, type CallRecord } from "../../lib/wire/generated/audit.ts";
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
import { findKeptText } from "./withheld.ts";

/** The fields of a record besides its entry and its place in the chain. */
export interface Stamp {
  /** The process that wrote the record, identified by its badge. */
  readonly writer: string;
  readonly bootId: Uint8Array;
  readonly policyDigest: Uint8Array;
  readonly monotonicMs: bigint;
  readonly wallMs: bigint;
  readonly wallSource: string;
}

/** A record that follows the chain. */
export interface Link {
  readonly record: AuditRecord;
  /** The message as it is on the disk. */
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
}

/** Most open intents of a writer. A gate has eight calls in flight; a writer with this many open has stopped reporting outcomes. */
const MAX_OPEN_INTENTS = 1024;

/** The end of a chain: everything that the next record depends on. */
export class Chain {
  #sequence = 0n;
  #hash = NO_HASH;
  #bootId: Uint8Array = new Uint8Array(0);
  /** Intents without an outcome, with their writers; in order of sequence. */
  #open = new Map<bigint, string>();
  #sealed: LatestSeal | undefined;
  /** Whether the newest record is a boot record. */
  #isBooting = false;

  /** Sequence of the newest record; 0 if there is none. */
  get sequence(): bigint {
    return this.#sequence;
  }

  /** Hash of the newest record. */
  get hash(): Uint8Array {
    return this.#hash;
  }

  /** Sequences of intents without an outcome. */
  get open(): readonly bigint[] {
    return [...this.#open.keys()];
  }

  /** The newest seal; `undefined` if there is none. */
  get sealed(): LatestSeal | undefined {
    return this.#sealed;
  }

  copy(): Chain {
    const twin = new Chain();
    twin.#sequence = this.#sequence;
    twin.#hash = this.#hash;
    twin.#bootId = this.#bootId;
    twin.#open = new Map(this.#open);
    twin.#sealed = this.#sealed;
    twin.#isBooting = this.#isBooting;
    return twin;
  }

  /** Makes the next record and appends it. Fails if the rules forbid it; then the chain is unchanged. */
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
    this.#sequence = record.sequence;
    this.#hash = hash;
    this.#bootId = record.bootId;
    return undefined;
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
      case "shipped":
        return this.#checkBoot(bootId);
    }
  }

  /**
   * Returns why no record of this boot may follow yet. The next boot seals the records that a crash left unsealed; only a log that was
   * never sealed continues without a seal.
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

  /** Checks an outcome. An intent has one outcome, from its own writer, so that no gate can close another's intent. */
  #checkOutcome(call: CallRecord, writer: string): string | undefined {
    const { intent, sent, decision } = call;
    if (intent !== 0n && sent) return `${writer} has an intent ${intent} of a call that is said to need none`;
    if (sent && decision !== "auto") return `${writer} sent a call without an intent whose decision is ${decision}`;
    if (intent === 0n || this.#open.get(intent) === writer) return findKeptText(call);
    return `${writer} has no open intent ${intent}`;
  }
}

function isSameList(one: readonly bigint[], other: readonly bigint[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}
