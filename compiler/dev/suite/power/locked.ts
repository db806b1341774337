// Converts writes to an encrypted disk to writes to its decrypted content. A torn write has the same effect on the
// encrypted disk as on its decrypted content, because XTS encrypts each 16 bytes separately, depending only on their
// position. So a sector that is half new and half old decrypts to half new and half old content.

import { accept, type Result, refuse } from "../../../../engine/lib/result/result.ts";
import { type Partition, readTable } from "../../../artefacts/disk/gpt.ts";
import { restrictToPartition, type UnlockedVolume, unlock } from "../../../artefacts/disk/luks.ts";
import { decryptSectors, SECTOR } from "../../../artefacts/disk/luks-cipher.ts";
import type { WriteEntry } from "./write-log.ts";

interface Lock {
  /** Returns the decrypted disk. */
  readonly inside: (disk: Buffer) => Buffer;
  /**
   * Converts a write to the encrypted disk to a write to the decrypted disk. Returns `undefined` if the write does
   * not consist of whole encryption sectors.
   */
  readonly entryInside: (entry: WriteEntry) => WriteEntry | undefined;
}

/**
 * Opens the encrypted partition of a whole disk. Fails if the disk has no encrypted partition or the passphrase is
 * wrong.
 */
export function lockOf(disk: Buffer, passphrase: string): Result<Lock> {
  const readAt = (offset: number, length: number): Buffer => disk.subarray(offset, offset + length);
  const read = readTable(readAt, disk.length);
  const partition = read.ok ? read.value.partitions.find(({ kind }) => kind === "encrypted") : undefined;
  if (partition === undefined) return refuse("the disk has no encrypted partition");
  const unlocked = unlock(restrictToPartition(readAt, partition), partition.size, Buffer.from(passphrase));
  return unlocked.ok ? accept(lockWith(unlocked.value, partition)) : unlocked;
}

function lockWith({ header, key }: UnlockedVolume, partition: Partition): Lock {
  const { sector, dataAt } = header;
  const [from, to] = [partition.offset + dataAt, partition.offset + partition.size];
  const readPlain = (bytes: Uint8Array, at: number): Buffer => decryptSectors(bytes, key, sector, (at - from) / SECTOR);
  return {
    inside: (disk) => readPlain(disk.subarray(from, to), from),
    entryInside: (entry) => {
      const { offset, bytes, discarded } = entry;
      if (offset + bytes.length + discarded <= from || offset >= to)
        return { ...entry, offset: 0, bytes: new Uint8Array(0), discarded: 0 };
      if (offset < from || (offset - from) % sector !== 0 || bytes.length % sector !== 0) return undefined;
      return { ...entry, offset: offset - from, bytes: readPlain(bytes, offset) };
    },
  };
}
