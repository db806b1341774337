// Whether Limine would load a kernel, by the headers of its file: an ELF program for x86-64 with segments in the higher half.
// What the kernel does then nobody here can say.

/** Limine holds the file and what it loads of it in memory at once, below 4 GiB. */
export const MOST_KERNEL_BYTES = 64 * 1024 * 1024;

const HEADER_BYTES = 64;
const SEGMENT_BYTES = 56;
/** ELF, 64 bits, little-endian, version 1. */
const BEGINNING = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1];
const X86_64 = 62;
const EXECUTABLE = 2;
/** Can be put anywhere. */
const SHARED = 3;
const LOADED = 1;
/** Where Limine's protocol puts kernels that are not to be moved. */
const HIGHER_HALF = 0xffff_ffff_8000_0000n;
const BEHIND_ALL = 1n << 64n;

/** Why it would not be loaded; nothing where it would. */
export function faultOfKernel(bytes: Uint8Array): string | undefined {
  if (bytes.length < HEADER_BYTES || BEGINNING.some((byte, at) => bytes[at] !== byte))
    return "it is no ELF file of 64 bits";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const type = view.getUint16(16, true);
  if (view.getUint16(18, true) !== X86_64) return "it is not for x86-64";
  if (type !== EXECUTABLE && type !== SHARED) return "it is no program, but what one is linked of";
  const [table, size, count] = [view.getBigUint64(32, true), view.getUint16(54, true), view.getUint16(56, true)];
  if (size < SEGMENT_BYTES || table + BigInt(size * count) > BigInt(bytes.length))
    return "its segments lie outside of it";
  const starts = Array.from({ length: count }, (_, index) => Number(table) + index * size);
  const loaded = starts
    .map((at) => segmentAt(view, at))
    .filter((segment) => segment.type === LOADED && segment.memory > 0n);
  if (loaded.length === 0) return "nothing of it would be loaded";
  for (const segment of loaded) {
    const fault = faultOfSegment(segment, BigInt(bytes.length), type === SHARED);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

interface Segment {
  readonly type: number;
  readonly offset: bigint;
  readonly address: bigint;
  readonly file: bigint;
  readonly memory: bigint;
}

function segmentAt(view: DataView, at: number): Segment {
  return {
    type: view.getUint32(at, true),
    offset: view.getBigUint64(at + 8, true),
    address: view.getBigUint64(at + 16, true),
    file: view.getBigUint64(at + 32, true),
    memory: view.getBigUint64(at + 40, true),
  };
}

function faultOfSegment({ offset, address, file, memory }: Segment, size: bigint, moves: boolean): string | undefined {
  if (offset + file > size) return "it is cut short: a segment reaches behind its end";
  if (file > memory) return "a segment of it has less room in memory than in the file";
  // What can be put anywhere is put there, too.
  const start = moves ? HIGHER_HALF : address;
  if (start + memory > BEHIND_ALL) return "a segment of it would reach behind the last address";
  if (moves || address >= HIGHER_HALF) return undefined;
  return `a segment of it would lie at 0x${address.toString(16)}, below 0x${HIGHER_HALF.toString(16)}`;
}
