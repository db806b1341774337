// Reads a 64-bit ELF file's header and segments. The bytes are untrusted. The caller decides which properties the file
// must have.

/** Size of an ELF header in bytes. */
export const ELF_HEADER_BYTES = 64;
export const ELF_SEGMENT_BYTES = 56;
/** Type of an ELF file that is loaded at fixed addresses. */
export const ELF_EXECUTABLE = 2;
/** Type of an ELF file that can be loaded at any address. */
export const ELF_SHARED = 3;
/** Type of a segment that is loaded into memory. */
export const ELF_LOADED = 1;

/** First bytes of an ELF file with 64 bits, little-endian, version 1. */
const BEGINNING = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1];
const X86_64 = 62;

export function isElf(bytes: Uint8Array): boolean {
  return BEGINNING.every((byte, index) => bytes[index] === byte);
}

/** Returns whether an ELF file is for x86-64. */
export function isForX86(bytes: Uint8Array): boolean {
  return bytes[18] === X86_64 && bytes[19] === 0;
}

export interface Segment {
  readonly type: number;
  readonly flags: number;
  readonly offset: bigint;
  readonly address: bigint;
  readonly inFile: bigint;
  readonly inMemory: bigint;
}

/** Reads a segment's header. The caller must have checked that the header is inside the file. */
export function readSegment(view: DataView, at: number): Segment {
  const readWide = (from: number) => view.getBigUint64(at + from, true);
  return {
    type: view.getUint32(at, true),
    flags: view.getUint32(at + 4, true),
    offset: readWide(8),
    address: readWide(16),
    inFile: readWide(32),
    inMemory: readWide(40),
  };
}
