// Parses the end of the audit's chain from the console: `/audit` prints the sequence and the hash of the newest record.

/** A record that the console reported as written to the disk. */
export interface AcknowledgedRecord {
  readonly sequence: bigint;
  /** SHA-256 of the record in hexadecimal. The hash depends on every record before this one. */
  readonly hash: string;
}

/**
 * Line of the console about the last durable record; other processes cannot print a line with the mark `* `. If later
 * records are not durable yet, the line ends with more words, and this pattern does not match it.
 */
const END = /^\* the chain ends at ([1-9]\d{0,18}), sha256 ([0-9a-f]{64})$/;

export function parseAcknowledged(line: string): AcknowledgedRecord | undefined {
  const [, sequence, hash] = END.exec(line) ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: BigInt(sequence), hash };
}
