// Replays in memory the journal (jbd2) of an ext4 file system that was not unmounted cleanly. Returns the blocks that
// the next mount would write. This module never writes to the disk. The bytes are untrusted: each block of the journal
// is read only once, so that a hostile journal cannot make the replay endless.

import type { Result } from "../../../engine/lib/result/result.ts";

const MAGIC = 0xc03b3998;
const [DESCRIPTOR, COMMIT, SUPERBLOCK_1, SUPERBLOCK_2, REVOKE] = [1, 2, 3, 4, 5];
const HEADER_BYTES = 12;
const [REVOKES, WIDE, ASYNC_COMMIT, CHECKSUMS_2, CHECKSUMS_3] = [0x1, 0x2, 0x4, 0x8, 0x10];
const READ = REVOKES | WIDE | ASYNC_COMMIT | CHECKSUMS_2 | CHECKSUMS_3;
const [ESCAPED, SAME_UUID, DELETED, LAST] = [0x1, 0x2, 0x4, 0x8];
const UUID_BYTES = 16;
const TAIL_BYTES = 4;

interface Journal {
  readonly bytes: Buffer;
  readonly block: number;
  /**
   * Number of the block after the last block of the log. The log is a ring: after its last block, it continues at block
   * `first`.
   */
  readonly end: number;
  readonly first: number;
  readonly features: number;
}

/** Descriptor, commit or revocation block of the journal, with its sequence number. */
interface Entry {
  readonly kind: number;
  readonly sequence: number;
  /**
   * Number of data blocks that follow a descriptor; 0 for entries of other kinds.
   */
  readonly follow: number;
  readonly blocks: readonly Logged[];
  /** Block numbers that a revocation block revokes; empty in other entries. */
  readonly revoked: readonly number[];
}

interface Logged {
  readonly to: number;
  readonly bytes: Buffer;
}

interface Tag {
  readonly to: number;
  readonly flags: number;
}

/**
 * Returns the blocks that a replay of the journal would write, by block number. `block` is the block size of the file
 * system. Fails if the journal is malformed, or has features that this module does not support.
 */
export function replay(bytes: Buffer, block: number): Result<ReadonlyMap<number, Buffer>> {
  if (bytes.length < block) return { ok: false, reason: "its journal ends too early" };
  const kind = bytes.readUInt32BE(4);
  if (bytes.readUInt32BE(0) !== MAGIC || (kind !== SUPERBLOCK_1 && kind !== SUPERBLOCK_2))
    return { ok: false, reason: "its journal is none" };
  const features = kind === SUPERBLOCK_2 ? bytes.readUInt32BE(40) : 0;
  if ((features & ~READ) !== 0)
    return { ok: false, reason: `its journal has features that are not read here (0x${features.toString(16)})` };
  const [end, first, sequence, start] = [16, 20, 24, 28].map((at) => bytes.readUInt32BE(at)) as Four;
  if (bytes.readUInt32BE(12) !== block || end * block > bytes.length || first < 1 || first >= end)
    return { ok: false, reason: "its journal contradicts itself" };
  if (start === 0) return { ok: true, value: new Map() };
  if (start < first || start >= end) return { ok: false, reason: "its journal contradicts itself" };
  return {
    ok: true,
    value: collectWrittenBlocks(collectCommittedEntries({ bytes, block, end, first, features }, start, sequence)),
  };
}

type Four = [number, number, number, number];

/** Returns the entries of all committed transactions, in their order. */
function collectCommittedEntries(journal: Journal, start: number, first: number): readonly Entry[] {
  const whole: Entry[] = [];
  let open: Entry[] = [];
  let [at, sequence, left] = [start, first, journal.end - journal.first];
  while (left > 0) {
    const entry = readEntry(journal, at, left);
    if (entry === undefined || entry.sequence !== sequence) return whole;
    const taken = 1 + entry.follow;
    left -= taken;
    at = advanceBlock(journal, at, taken);
    if (entry.kind !== COMMIT) open.push(entry);
    else {
      whole.push(...open);
      open = [];
      sequence = (sequence + 1) >>> 0;
    }
  }
  return whole;
}

/**
 * Returns the last version of each block. A version is left out if its own transaction or a later one revoked the
 * block.
 */
function collectWrittenBlocks(entries: readonly Entry[]): ReadonlyMap<number, Buffer> {
  const revoked = new Map<number, number>();
  for (const { sequence, revoked: numbers } of entries) for (const to of numbers) revoked.set(to, sequence);
  const blocks = new Map<number, Buffer>();
  for (const { sequence, blocks: logged } of entries) {
    for (const { to, bytes } of logged) {
      const until = revoked.get(to);
      // Sequence numbers wrap around: a number counts as later than another if it is ahead of the other by less than
      // half of the range.
      if (until === undefined || ((sequence - until) | 0) > 0) blocks.set(to, bytes);
    }
  }
  return blocks;
}

/** Returns the entry at a block of the log, or `undefined` if there is none, because the log ends there. */
function readEntry(journal: Journal, at: number, left: number): Entry | undefined {
  const bytes = blockAt(journal, at);
  if (bytes.readUInt32BE(0) !== MAGIC) return undefined;
  const [kind, sequence] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  const none = { kind, sequence, follow: 0, blocks: [], revoked: [] };
  if (kind === COMMIT) return none;
  if (kind === REVOKE) return { ...none, revoked: readRevokedBlocks(journal, bytes) };
  if (kind !== DESCRIPTOR) return undefined;
  const tags = readTags(journal, bytes);
  if (tags.length + 1 > left) return undefined;
  const blocks = tags.flatMap(({ to, flags }, index) =>
    (flags & DELETED) !== 0
      ? []
      : [{ to, bytes: unescapeBlock(blockAt(journal, advanceBlock(journal, at, index + 1)), flags) }],
  );
  return { ...none, follow: tags.length, blocks };
}

function readTags({ features, block }: Journal, bytes: Buffer): readonly Tag[] {
  const has = (feature: number) => (features & feature) !== 0;
  const isWide = has(WIDE);
  const size = has(CHECKSUMS_3) ? 16 : 8 + (has(CHECKSUMS_2) ? 2 : 0) + (isWide ? 4 : 0);
  const end = has(CHECKSUMS_2 | CHECKSUMS_3) ? block - TAIL_BYTES : block;
  const tags: Tag[] = [];
  for (let at = HEADER_BYTES; at + size <= end; ) {
    const flags = has(CHECKSUMS_3) ? bytes.readUInt32BE(at + 4) : bytes.readUInt16BE(at + 6);
    const high = isWide ? bytes.readUInt32BE(at + 8) : 0;
    tags.push({ to: high * 2 ** 32 + bytes.readUInt32BE(at), flags });
    if ((flags & LAST) !== 0) break;
    at += size + ((flags & SAME_UUID) !== 0 ? 0 : UUID_BYTES);
  }
  return tags;
}

/**
 * Returns a block as it was before the journal escaped it. If a block begins with the magic number of journal blocks,
 * the journal stores zeros instead, and sets the flag `ESCAPED`.
 */
function unescapeBlock(bytes: Buffer, flags: number): Buffer {
  const own = Buffer.from(bytes);
  if ((flags & ESCAPED) !== 0) own.writeUInt32BE(MAGIC, 0);
  return own;
}

/**
 * Returns the numbers of the blocks that a revocation block revokes. A replay must not write older versions of these
 * blocks.
 */
function readRevokedBlocks({ features, block }: Journal, bytes: Buffer): readonly number[] {
  const width = (features & WIDE) === 0 ? 4 : 8;
  const used = Math.min(bytes.readUInt32BE(HEADER_BYTES), block);
  const numbers: number[] = [];
  for (let at = HEADER_BYTES + 4; at + width <= used; at += width) {
    numbers.push(width === 4 ? bytes.readUInt32BE(at) : bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4));
  }
  return numbers;
}

function blockAt({ bytes, block }: Journal, at: number): Buffer {
  return bytes.subarray(at * block, (at + 1) * block);
}

/** Returns the block that is `blocks` blocks after `at`; after the end of the log it continues at the start. */
function advanceBlock({ first, end }: Journal, at: number, blocks: number): number {
  return first + ((at - first + blocks) % (end - first));
}
