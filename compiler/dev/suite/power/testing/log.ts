import type { WriteEntry } from "../write-log.ts";

/** Returns a log of writes with sectors of 512 bytes, in QEMU's form. */
export function logOf(entries: readonly Partial<WriteEntry>[]): Buffer {
  const head = Buffer.alloc(512);
  head.writeBigUInt64LE(0x6a73_6677_7368_72n, 0);
  head.writeBigUInt64LE(1n, 8);
  head.writeBigUInt64LE(BigInt(entries.length), 16);
  head.writeUInt32LE(512, 24);
  return Buffer.concat([
    head,
    ...entries.flatMap(({ offset = 0, bytes, discarded = 0, isFlush = false }) => {
      const entry = Buffer.alloc(512);
      const length = bytes?.length ?? discarded;
      entry.writeBigUInt64LE(BigInt(offset / 512), 0);
      entry.writeBigUInt64LE(BigInt(length / 512), 8);
      entry.writeBigUInt64LE((isFlush ? 1n : 0n) | (discarded > 0 ? 4n : 0n), 16);
      return bytes === undefined ? [entry] : [entry, bytes];
    }),
  ]);
}
