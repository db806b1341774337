// Checks from a kernel's ELF headers whether Limine would load it: it must be a program for x86-64 with segments in the
// higher half. Whether the kernel then works is not checked.

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
} from "../../phases/source/elf.ts";

/** Maximum bytes of a kernel. Limine holds the file and the loaded segments in memory at the same time, below 4 GiB. */
export const MOST_KERNEL_BYTES = 64 * 1024 * 1024;

/** Lowest address at which Limine's protocol loads kernels that cannot be relocated. */
const HIGHER_HALF = 0xffff_ffff_8000_0000n;
const BEHIND_ALL = 1n << 64n;

/** Returns why Limine would not load the kernel, or `undefined` if it would. */
export function findKernelFault(bytes: Uint8Array): string | undefined {
  if (bytes.length < ELF_HEADER_BYTES || !isElf(bytes)) return "it is not a 64-bit ELF file";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = view.getUint16(16, true);
  if (!isForX86(bytes)) return "it is not for x86-64";
  if (type !== ELF_EXECUTABLE && type !== ELF_SHARED) return "it is an object file, not a program";
  const [table, size, count] = [view.getBigUint64(32, true), view.getUint16(54, true), view.getUint16(56, true)];
  if (size < ELF_SEGMENT_BYTES || table + BigInt(size * count) > BigInt(bytes.length))
    return "its segments are outside of the file";
  const starts = Array.from({ length: count }, (_, index) => Number(table) + index * size);
  const loaded = starts
    .map((at) => readSegment(view, at))
    .filter((segment) => segment.type === ELF_LOADED && segment.inMemory > 0n);
  if (loaded.length === 0) return "it has no segment to load";
  for (const segment of loaded) {
    const fault = findSegmentFault(segment, BigInt(bytes.length), type === ELF_SHARED ? "movable" : "fixed");
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findSegmentFault(
  { offset, address, inFile, inMemory }: Segment,
  size: bigint,
  placement: "movable" | "fixed",
): string | undefined {
  if (offset + inFile > size) return "it is truncated: a segment extends beyond its end";
  if (inFile > inMemory) return "a segment is smaller in memory than in the file";
  // For a relocatable kernel, this check assumes the lowest address of the higher half.
  const start = placement === "movable" ? HIGHER_HALF : address;
  if (start + inMemory > BEHIND_ALL) return "a segment would extend beyond the last address";
  if (placement === "movable" || address >= HIGHER_HALF) return undefined;
  return `a segment would be at 0x${address.toString(16)}, below 0x${HIGHER_HALF.toString(16)}`;
}
