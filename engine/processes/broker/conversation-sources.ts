// Stores, for gates, the sources of the words in conversations. The broker does not interpret the bytes, and returns
// them only to the gate of the same session. With a data disk, each conversation has a file to which records are
// appended.
//
// A record is its length, the complement of the length, its SHA-256 and its bytes. The last record may be incomplete if the machine
// stopped during the write. An incomplete record was not acknowledged, and the next one overwrites it. Any other fault is
// damage and is reported: a gate that lacks some sources would treat a stranger's text as text without a source.

import { createHash } from "node:crypto";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import { countBlockBytes, type Disk } from "./disk/disk.ts";

const MIB = 1024 * 1024;
/** Maximum bytes of one addition, and of one read: each must fit into one frame. */
export const MAX_CHUNK_BYTES: number = 768 * 1024;
/** Maximum bytes of the sources of one conversation, with the length and the digest that precede each record. */
export const MAX_SOURCES_BYTES: number = 2 * MIB;
/** Maximum bytes of the sources of all conversations of a session. */
export const MAX_SESSION_BYTES: number = 32 * MIB;
/**
 * Maximum bytes of the sources of a session without a disk: the limit is low. These bytes use memory of a
 * process that is never restarted.
 */
export const MAX_MEMORY_BYTES: number = 4 * MIB;
/**
 * Maximum bytes of an addition that is accepted even if there is no space. With such an addition a gate marks that
 * later words are missing.
 */
export const MARK_BYTES = 16;
const MARKS_ROOM = 1024;
/**
 * Number of bytes that state the length of a record: the length itself, and its complement. Without the complement, a
 * changed length would look like a record that was not completely written.
 */
const LENGTH_BYTES = 8;
const HEAD_BYTES: number = LENGTH_BYTES + 32;
/** Maximum number of files whose size is remembered, so that they need not be read again. */
const MAX_KNOWN = 1024;

type Files = Pick<Disk, "read" | "append" | "remove" | "measure">;

/** Two sizes of one conversation's sources: of the stored bytes, and of the complete records in the file. */
interface Kept {
  /** Number of bytes that the gate stored. */
  readonly size: bigint;
  /** Offset in the file at which the last complete record ends. */
  readonly end: number;
}

const NOTHING: Kept = { size: 0n, end: 0 };

interface Read {
  /** Chunk of at most `MAX_CHUNK_BYTES` bytes. */
  readonly chunk: Uint8Array;
  readonly size: bigint;
}

export class ConversationSources {
  readonly #session: string;
  readonly #files: Files;
  readonly #mostBytes: number;
  readonly #known = new Map<string, Kept>();
  /** Bytes of all files of the session; `undefined` until they are measured. */
  #taken: number | undefined;

  /**
   * Creates the sources of a session. Without a disk, the sources last until the machine stops, and have less space.
   */
  constructor(session: string, disk?: Disk) {
    this.#session = session;
    this.#files = disk ?? createRunFiles();
    this.#mostBytes = disk === undefined ? MAX_MEMORY_BYTES : MAX_SESSION_BYTES;
  }

  /**
   * Appends `chunk` to the stored bytes, of which there must be exactly `after`; returns the new number of stored
   * bytes. Fails if there are more or fewer, or if there is not enough space.
   */
  keep(conversation: string, after: bigint, chunk: Uint8Array): Result<bigint> {
    if (chunk.length === 0 || chunk.length > MAX_CHUNK_BYTES)
      return refuse(`an addition to the sources has 1 to ${MAX_CHUNK_BYTES} bytes`);
    try {
      const kept = this.#find(conversation);
      if (!kept.ok) return kept;
      const { size, end } = kept.value;
      if (size !== after) return refuse(`${size} bytes of the sources are kept, and not ${after}`);
      const record = buildRecord(chunk);
      const isMark = chunk.length <= MARK_BYTES && end > 0;
      const refusal = isMark ? refuseMark(end + record.length) : this.#refuseTooMuch(end, end + record.length);
      if (refusal !== undefined) return refuse(refusal);
      // If the append fails, the content of the file is unknown.
      this.#forgetKnown(conversation);
      this.#files.append(this.#computeFileName(conversation), end, record);
      const grown = { size: size + BigInt(chunk.length), end: end + record.length };
      if (this.#known.size >= MAX_KNOWN) this.#known.clear();
      this.#known.set(conversation, grown);
      return accept(grown.size);
    } catch (error) {
      return refuse(
        `the sources cannot be kept on the data disk: ${error instanceof Error ? error.message : "it failed"}`,
      );
    }
  }

  /**
   * Returns the stored bytes from an offset on, and the total size. Fails if the stored bytes are damaged, or end
   * before that offset.
   */
  read(conversation: string, from: bigint): Result<Read> {
    try {
      const read = this.#readRecords(conversation);
      if (!read.ok) return read;
      const { bodies } = read.value;
      const all = Buffer.concat(bodies);
      if (from > BigInt(all.length)) return refuse(`${all.length} bytes of the sources are kept, and not ${from}`);
      const begin = Number(from);
      return accept({ chunk: all.subarray(begin, begin + MAX_CHUNK_BYTES), size: BigInt(all.length) });
    } catch (error) {
      return refuse(`the sources cannot be read: ${error instanceof Error ? error.message : "it failed"}`);
    }
  }

  /**
   * Deletes a conversation's sources and frees their room. Returns why the sources may still exist, or `undefined` if
   * they are deleted.
   */
  forget(conversation: string): string | undefined {
    this.#forgetKnown(conversation);
    try {
      const name = this.#computeFileName(conversation);
      if (this.#files.measure(name) > 0) this.#files.remove(name);
      return undefined;
    } catch (error) {
      return `the sources cannot be taken from the data disk: ${error instanceof Error ? error.message : "it failed"}`;
    }
  }

  #forgetKnown(conversation: string): void {
    this.#known.delete(conversation);
    this.#taken = undefined;
  }

  #refuseTooMuch(before: number, after: number): string | undefined {
    if (after > MAX_SOURCES_BYTES - MARKS_ROOM) return FULL;
    this.#taken ??= this.#files.measure(this.#prefix);
    const more = countBlockBytes(after) - countBlockBytes(before);
    if (this.#taken + more <= this.#mostBytes) return undefined;
    return `the sources of all conversations of the session have ${this.#mostBytes} bytes at most; /forget makes room`;
  }

  #find(conversation: string): Result<Kept> {
    const known = this.#known.get(conversation);
    if (known !== undefined) return accept(known);
    const read = this.#readRecords(conversation);
    return read.ok ? accept(read.value) : read;
  }

  #readRecords(conversation: string): Result<Kept & { readonly bodies: readonly Uint8Array[] }> {
    const bytes = this.#files.read(this.#computeFileName(conversation));
    return bytes === undefined ? accept({ ...NOTHING, bodies: [] }) : readRecords(bytes);
  }

  get #prefix(): string {
    return `sources-${createHash("sha256").update(this.#session).digest("hex").slice(0, 16)}-`;
  }

  /** Returns a file name made from digests, because names of sessions and conversations may not be valid file names. */
  #computeFileName(conversation: string): string {
    return `${this.#prefix}${createHash("sha256").update(conversation).digest("hex").slice(0, 40)}`;
  }
}

const FULL = `the sources of a conversation have ${MAX_SOURCES_BYTES} bytes at most`;

function refuseMark(after: number): string | undefined {
  return after > MAX_SOURCES_BYTES ? FULL : undefined;
}

function buildRecord(body: Uint8Array): Uint8Array {
  const head = Buffer.alloc(LENGTH_BYTES);
  head.writeUInt32LE(body.length);
  head.writeInt32LE(~body.length, 4);
  return Buffer.concat([head, createHash("sha256").update(body).digest(), body]);
}

/**
 * Returns the bodies of the records in a file. Fails if a complete record was changed. The file may contain any bytes,
 * also invalid ones.
 */
export function readRecords(bytes: Uint8Array): Result<Kept & { readonly bodies: readonly Uint8Array[] }> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const bodies: Uint8Array[] = [];
  let size = 0;
  let at = 0;
  while (at + HEAD_BYTES <= file.length) {
    const length = file.readUInt32LE(at);
    if (length === 0 || length > MAX_CHUNK_BYTES || ~length !== file.readInt32LE(at + 4)) return refuse(DAMAGED);
    const end = at + HEAD_BYTES + length;
    if (end > file.length) break;
    const body = file.subarray(at + HEAD_BYTES, end);
    const digest = createHash("sha256").update(body).digest();
    if (digest.compare(file, at + LENGTH_BYTES, at + HEAD_BYTES) !== 0) return refuse(DAMAGED);
    bodies.push(body);
    size += length;
    at = end;
  }
  return accept({ bodies, size: BigInt(size), end: at });
}

const DAMAGED = "the sources that were kept are damaged";

/** Returns files that exist only in memory, and so only until the machine stops. */
function createRunFiles(): Files {
  const files = new Map<string, Uint8Array>();
  return {
    read: (name) => files.get(name),
    append: (name, from, bytes) => {
      const before = files.get(name)?.subarray(0, from) ?? new Uint8Array();
      files.set(name, Buffer.concat([before, bytes]));
    },
    remove: (name) => void files.delete(name),
    measure: (prefix) => {
      const found = [...files].filter(([name]) => name.startsWith(prefix));
      return found.reduce((sum, [, { length }]) => sum + countBlockBytes(length), 0);
    },
  };
}
