// From the bytes of a log to a verdict. Reads to the first fault and no further: behind it nothing is vouched for. What the
// chain cannot show is said in README.md.

import type { AuditRecord } from "../wire/generated/audit.ts";
import { Chain } from "./chain.ts";
import { piecesOf } from "./cut.ts";
import { hashOf, recordFrom } from "./record.ts";

/** One record of the log that was found in order. */
export interface Found {
  readonly record: AuditRecord;
  readonly hash: Uint8Array;
  /** Bytes from the start of the file, and bytes of the record. */
  readonly offset: number;
  readonly length: number;
}

export interface Fault {
  /** Bytes from the start of the file to the record that is wrong. */
  readonly offset: number;
  /** The sequence that belongs there. */
  readonly sequence: bigint;
  readonly reason: string;
}

export interface Verdict {
  /** The end of what is in order. */
  readonly chain: Chain;
  readonly boots: number;
  /** Intents that a later boot found without an outcome: their effect is unknown. */
  readonly orphans: readonly bigint[];
  /** Bytes that are in order. */
  readonly length: number;
  /** Bytes behind them that a crash left of a record that was never acknowledged. */
  readonly torn: number;
  readonly fault: Fault | undefined;
}

/** `each` sees every record that is in order, before anything is known of those behind it. */
export function verify(chunks: Iterable<Uint8Array>, each: (found: Found) => void = () => {}): Verdict {
  const steps = verifying(chunks);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) each(step.value);
  return step.value;
}

/** The same record by record, for callers that have something else to look at in between. */
export function* verifying(chunks: Iterable<Uint8Array>): Generator<Found, Verdict, void> {
  const chain = new Chain();
  const orphans: bigint[] = [];
  let boots = 0;
  let length = 0;
  const verdict = (torn: number, fault?: Fault): Verdict => ({ chain, boots, orphans, length, torn, fault });
  for (const piece of piecesOf(chunks)) {
    if (piece.kind === "torn") return verdict(piece.length);
    const found = piece.kind === "message" ? follow(chain, piece.bytes, piece.offset) : piece.reason;
    if (typeof found === "string") {
      return verdict(0, { offset: piece.offset, sequence: chain.sequence + 1n, reason: found });
    }
    const { entry } = found.record;
    if (entry.which === "boot") {
      boots += 1;
      for (const orphan of entry.boot.orphans) orphans.push(orphan);
    }
    length += found.length;
    yield found;
  }
  return verdict(0);
}

function follow(chain: Chain, bytes: Uint8Array, offset: number): Found | string {
  const record = recordFrom(bytes);
  if (!record.ok) return record.reason;
  const hash = hashOf(bytes);
  return chain.follow(record.value, hash) ?? { record: record.value, hash, offset, length: bytes.length };
}
