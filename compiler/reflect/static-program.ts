// A static program, as far as it can be told from its headers that the image's kernel starts it and that it holds to what the
// jail allows: an ELF file of its own, without a loader, without memory that is written and run. Bytes come from anywhere.

const HEADER_BYTES = 64;
const ENTRY_BYTES = 56;
/** Linkers write about a dozen; the kernel reads up to 64 KiB of them. */
const MOST_ENTRIES = 64;
/** What a process of this kind may have at all (targets/manifest/roles.ts). */
const MOST_MEMORY = 64n * 1024n * 1024n;
/** The kernel of the image maps nothing below for who is not root (vm.mmap_min_addr). */
const LOWEST = 65_536n;

const EXECUTABLE = 2;
const POSITION_INDEPENDENT = 3;
const X86_64 = 62;
const LOAD = 1;
const INTERPRETER = 3;
const STACK = 0x6474e551;
const RUN = 1;
const WRITE = 2;

interface Entry {
  readonly type: number;
  readonly flags: number;
  readonly offset: bigint;
  readonly address: bigint;
  readonly inFile: bigint;
  readonly inMemory: bigint;
}

/** Why the image cannot run it; nothing where it can. */
export function faultOfStatic(bytes: Uint8Array): string | undefined {
  if (bytes.length < HEADER_BYTES || !startsAsElf(bytes)) return "it is no program for x86-64 Linux";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint16(16, true);
  if (type !== EXECUTABLE && type !== POSITION_INDEPENDENT) return "it is no program but a part of one";
  const entries = entriesOf(view);
  if (entries === undefined) return "its headers lead out of the file";
  const start = view.getBigUint64(24, true);
  return faultOfEntries(entries, start, type === EXECUTABLE ? LOWEST : 0n, BigInt(bytes.length));
}

/** Class, byte order and version of the file, and the machine that it is for. */
function startsAsElf(bytes: Uint8Array): boolean {
  const wanted = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1];
  return wanted.every((byte, index) => bytes[index] === byte) && bytes[18] === X86_64 && bytes[19] === 0;
}

/** Nothing where they do not lie in the file. */
function entriesOf(view: DataView): readonly Entry[] | undefined {
  const offset = view.getBigUint64(32, true);
  const size = view.getUint16(54, true);
  const many = view.getUint16(56, true);
  if (size !== ENTRY_BYTES || many === 0 || many > MOST_ENTRIES) return undefined;
  if (offset + BigInt(many * ENTRY_BYTES) > BigInt(view.byteLength)) return undefined;
  return Array.from({ length: many }, (_, index) => entryAt(view, Number(offset) + index * ENTRY_BYTES));
}

function entryAt(view: DataView, at: number): Entry {
  const wide = (from: number) => view.getBigUint64(at + from, true);
  return {
    type: view.getUint32(at, true),
    flags: view.getUint32(at + 4, true),
    offset: wide(8),
    address: wide(16),
    inFile: wide(32),
    inMemory: wide(40),
  };
}

function faultOfEntries(entries: readonly Entry[], start: bigint, lowest: bigint, size: bigint): string | undefined {
  if (entries.some(({ type }) => type === INTERPRETER))
    return "it is linked dynamically, and the image has no libraries for it";
  const loaded = entries.filter(({ type }) => type === LOAD);
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
  const holdsStart = ({ flags, address, inFile }: Entry) =>
    (flags & RUN) !== 0 && start >= address && start < address + inFile;
  return loaded.some(holdsStart) ? undefined : "it has nothing to be run at its start";
}
