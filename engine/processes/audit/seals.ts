// Finds the newest seal of a log, and checks that the key on the disk continues from it.

import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { AuditRecord } from "../../lib/wire/generated/audit.ts";
import { encodeMessage } from "../../lib/wire/index.ts";
import type { SealingKey } from "./key-block.ts";
import { hashOf, isSame } from "./record.ts";
import { derivePublicKey, isKeyOf, isSignedBy, KEY_BYTES, seedAfter, signHash } from "./signing.ts";

type Seal = Extract<AuditRecord["entry"], { which: "seal" }>["seal"];

/** The newest seal of a log. */
export interface LatestSeal {
  /** Public key of epoch 0, which identifies the log. */
  readonly auditKey: Uint8Array;
  readonly epoch: number;
  readonly key: Uint8Array;
  readonly next: Uint8Array;
  /** Sequence number of the record that contains the seal. */
  readonly sequence: bigint;
}

const UNSIGNED = new Uint8Array(0);

/** Returns the seal that this key will sign, still without a signature. */
export function sealOf({ epoch, seed }: SealingKey): Seal {
  return { epoch, key: derivePublicKey(seed), next: derivePublicKey(seedAfter(seed)), signature: UNSIGNED };
}

/** Returns `seal` with the signature over `record`, which must be complete except for this signature. */
export function signSeal(record: AuditRecord, seal: Seal, { seed }: SealingKey): Seal {
  return { ...seal, signature: signHash(seed, computeSignedHash(record, seal)) };
}

/** Returns the seal in `record` as the newest seal of the log. Fails if this seal does not follow the previous seal `before`. */
export function sealAfter(before: LatestSeal | undefined, record: AuditRecord, seal: Seal): Result<LatestSeal> {
  const { epoch, key, next, signature } = seal;
  const expected = before === undefined ? 0 : before.epoch + 1;
  if (epoch !== expected) return refuse(`a seal of epoch ${epoch} stands where epoch ${expected} belongs`);
  if (before !== undefined && !isSame(key, before.next))
    return refuse("the seal has another key than the one before named");
  if (next.length !== KEY_BYTES) return refuse("the seal names no next key");
  if (!isSignedBy(key, computeSignedHash(record, seal), signature))
    return refuse("the signature of the seal does not fit");
  return accept({ auditKey: before?.auditKey ?? key, epoch, key, next, sequence: record.sequence });
}

function computeSignedHash(record: AuditRecord, seal: Seal): Uint8Array {
  const entry = { which: "seal", seal: { ...seal, signature: UNSIGNED } } as const;
  return hashOf(encodeMessage(AuditRecord, { ...record, entry }));
}

/**
 * Returns the key that signs the next seal. If a power cut left the key of the newest seal on the disk, this function
 * derives the next key from it. Fails for any other key: the log or the key was changed.
 */
export function deriveKeyAfter(sealed: LatestSeal | undefined, key: SealingKey): Result<SealingKey> {
  if (sealed === undefined) return key.epoch === 0 ? accept(key) : refuse(cutWords(key.epoch, "no seal"));
  if (key.epoch > sealed.epoch + 1) return refuse(cutWords(key.epoch, `seal ${sealed.epoch}`));
  if (key.epoch < sealed.epoch) return refuse("the key on the disk is older than the seals of the log");
  const next = key.epoch === sealed.epoch ? turnKey(key) : key;
  return isKeyOf(sealed.next, next.seed)
    ? accept(next)
    : refuse("the key on the disk is not the one that the log goes on with");
}

function cutWords(epoch: number, last: string): string {
  return `the key on the disk has made seal ${epoch - 1}, and the log ends with ${last}: what came after was cut off`;
}

export function turnKey({ epoch, seed, digestKey }: SealingKey): SealingKey {
  return { epoch: epoch + 1, seed: seedAfter(seed), digestKey };
}
