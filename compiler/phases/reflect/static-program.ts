// Checks the headers of a static program: whether the image's kernel can start it, and whether it complies with the
// jail. The program must be a complete ELF file, without a loader and without memory that is both writable and
// executable. The bytes are untrusted.

import {
  ELF_EXECUTABLE,
  ELF_HEADER_BYTES,
  ELF_LOADED,
  ELF_SEGMENT_BYTES,
  ELF_SHARED,
  isElf,
  isForX86,
  readSegment,
  type Segment,
} from "../source/elf.ts";

/**
 * Maximum number of program headers. Linkers write about twelve program headers; the kernel accepts up to 64 KiB of
 * program headers.
 */
const MOST_ENTRIES = 64;
/** Memory limit in bytes of a process that runs a static program (targets/manifest/roles.ts). */
const MOST_MEMORY = 64n * 1024n * 1024n;
/** Only root may map memory below this address in the image's kernel (vm.mmap_min_addr). */
const LOWEST = 65_536n;

const INTERPRETER = 3;
const STACK = 0x6474e551;
const RUN = 1;
const WRITE = 2;

/** Returns the reason for which the image cannot run the program, or `undefined` if it can. */
export function findStaticFault(bytes: Uint8Array): string | undefined {
  if (bytes.length < ELF_HEADER_BYTES || !isElf(bytes) || !isForX86(bytes)) return "it is no program for x86-64 Linux";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint16(16, true);
  if (type !== ELF_EXECUTABLE && type !== ELF_SHARED) return "it is no program but a part of one";
  const entries = readEntries(view);
  if (entries === undefined) return "its headers lead out of the file";
  const start = view.getBigUint64(24, true);
  return findEntryFault(entries, start, type === ELF_EXECUTABLE ? LOWEST : 0n, BigInt(bytes.length));
}

/** Returns the segments, or `undefined` if the program headers are not completely inside the file. */
function readEntries(view: DataView): readonly Segment[] | undefined {
  const offset = view.getBigUint64(32, true);
  const size = view.getUint16(54, true);
  const many = view.getUint16(56, true);
  if (size !== ELF_SEGMENT_BYTES || many === 0 || many > MOST_ENTRIES) return undefined;
  if (offset + BigInt(many * ELF_SEGMENT_BYTES) > BigInt(view.byteLength)) return undefined;
  return Array.from({ length: many }, (_, index) => readSegment(view, Number(offset) + index * ELF_SEGMENT_BYTES));
}

function findEntryFault(entries: readonly Segment[], start: bigint, lowest: bigint, size: bigint): string | undefined {
  if (entries.some(({ type }) => type === INTERPRETER))
    return "it is linked dynamically, and the image has no libraries for it";
  const loaded = entries.filter(({ type }) => type === ELF_LOADED);
  if (loaded.some(({ offset, inFile, inMemory }) => offset + inFile > size || inFile > inMemory)) {
    return "its headers lead out of the file";
  }
  if (loaded.some(({ flags }) => (flags & RUN) !== 0 && (flags & WRITE) !== 0))
    return "it has memory that is written and run";
  const stack = entries.find(({ type }) => type === STACK);
  if (stack === undefined || (stack.flags & RUN) !== 0) return "it does not say that its stack is never run";
  if (loaded.some(({ address }) => address < lowest)) return "it lies lower than programs may";
  if (loaded.reduce((sum, { inMemory }) => sum + inMemory, 0n) > MOST_MEMORY)
    return "it takes more than 64 MiB of memory";
  const hasStart = ({ flags, address, inFile }: Segment) =>
    (flags & RUN) !== 0 && start >= address && start < address + inFile;
  return loaded.some(hasStart) ? undefined : "it has nothing to be run at its start";
}
