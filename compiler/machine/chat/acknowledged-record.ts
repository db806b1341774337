// End of the audit's chain, as the console showed it: `/audit` prints sequence and hash of the newest record.

/** A record that was told to be on the disk. */
export interface AcknowledgedRecord {
  readonly sequence: bigint;
  /** SHA-256 of the record, hexadecimal. It hangs on every record before this one. */
  readonly hash: string;
}

/** The mark is the console's own. A chain of which nothing more is durable ends with more words, and acknowledges nothing. */
const END = /^\* the chain ends at ([1-9]\d{0,18}), sha256 ([0-9a-f]{64})$/;

export function parseAcknowledged(line: string): AcknowledgedRecord | undefined {
  const [, sequence, hash] = END.exec(line) ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: BigInt(sequence), hash };
}
