// Reads the sections of UEFI programs in the format PE32+, and appends sections after the last one. The bytes must depend on the
// parts alone, whereas objcopy's output also depends on its version.

import type { Refusal, Result } from "../../lib/result/result.ts";

/** A named range of a program: its address in memory, and its offset in the file. */
interface Section {
  readonly name: string;
  readonly address: number;
  /** Size in memory; in the file, the section may be padded. */
  readonly size: number;
  readonly offset: number;
}

interface NewSection {
  /** Name of at most eight ASCII bytes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const PE_POINTER = 0x3c;
const COFF_SIZE = 24;
/**
 * Offset and number of the symbols, which only debuggers read. The symbols are after the last section, and are removed.
 */
const SYMBOLS = 12;
const PE32_PLUS = 0x20b;
const SECTION_SIZE = 40;
/** Offsets of fields in the optional header. */
const SIZE_OF_DATA = 8;
const SECTION_ALIGNMENT = 32;
const FILE_ALIGNMENT = 36;
const SIZE_OF_IMAGE = 56;
const SIZE_OF_HEADERS = 60;
const CHECKSUM = 64;
/** The fifth data directory: offset and size of the signatures in the file. */
const CERTIFICATES = 144;
const LEAST_OPTIONAL_HEADER = 152;
/** Flags of a new section: it contains initialised data, and is readable. */
const CHARACTERISTICS = 0x4000_0040;
const PAGE = 4096;
/** Maximum number of sections. The project's programs have a dozen; a header with more does not belong to a program. */
const MOST_SECTIONS = 96;

interface Headers {
  readonly ok: true;
  readonly coff: number;
  readonly optional: number;
  readonly table: number;
  /** Offset at which the content of sections ends in the file. */
  readonly end: number;
  readonly sections: readonly Section[];
}

/** Returns the sections of a program, in the order of its table; fails if the bytes are not a program. */
export function readSections(program: Buffer): Result<readonly Section[]> {
  const headers = readHeaders(program);
  return headers.ok ? { ok: true, value: headers.sections } : headers;
}

/** Returns the bytes of a section without padding, or `undefined` if there is none of that name. */
export function extractSection(program: Buffer, name: string): Buffer | undefined {
  const headers = readHeaders(program);
  const found = headers.ok ? headers.sections.find((section) => section.name === name) : undefined;
  return found && program.subarray(found.offset, found.offset + found.size);
}

/** Returns whether the program has a signature, whatever the key. */
export function isSigned(program: Buffer): boolean {
  const headers = readHeaders(program);
  return headers.ok && program.readUInt32LE(headers.optional + CERTIFICATES) !== 0;
}

/**
 * Returns a signed program without its signatures, and the table of signatures. The checksum is zero, because signing sets it and no
 * loader reads it. Returns `undefined` if the program is not signed, or if other data follows its sections.
 */
export function removeSignatures(
  program: Buffer,
): { readonly program: Buffer; readonly signatures: Buffer } | undefined {
  const headers = readHeaders(program);
  if (!headers.ok) return undefined;
  const directory = headers.optional + CERTIFICATES;
  const [offset, size] = [program.readUInt32LE(directory), program.readUInt32LE(directory + 4)];
  if (offset < headers.end || offset + size !== program.length || size === 0) return undefined;
  const before = Buffer.from(program.subarray(0, offset));
  before.fill(0, directory, directory + 8);
  before.writeUInt32LE(0, headers.optional + CHECKSUM);
  return { program: before, signatures: program.subarray(offset) };
}

/** Appends each new section on its own page after all others; existing sections do not move. */
export function appendSections(program: Buffer, added: readonly NewSection[]): Result<Buffer> {
  const headers = readHeaders(program);
  if (!headers.ok) return headers;
  const { optional, table, sections } = headers;
  const readOptionalField = (at: number): number => program.readUInt32LE(optional + at);
  const end = table + (sections.length + added.length) * SECTION_SIZE;
  if (end > readOptionalField(SIZE_OF_HEADERS))
    return { ok: false, reason: "its headers have no room for more sections" };
  if (readOptionalField(CERTIFICATES) !== 0)
    return { ok: false, reason: "it is signed: what is added would break that" };
  const alignment = readOptionalField(FILE_ALIGNMENT);
  const head = padToAlignment(program.subarray(0, headers.end), alignment);
  const parts: Buffer[] = [head];
  let offset = head.length;
  let address = alignUp(readOptionalField(SIZE_OF_IMAGE), PAGE);
  for (const [index, section] of added.entries()) {
    const raw = padToAlignment(section.bytes, alignment);
    writeSection(head, table + (sections.length + index) * SECTION_SIZE, section, { address, offset, raw: raw.length });
    parts.push(raw);
    offset += raw.length;
    address = alignUp(address + section.bytes.length, PAGE);
  }
  head.writeUInt16LE(sections.length + added.length, headers.coff + 6);
  head.fill(0, headers.coff + SYMBOLS, headers.coff + SYMBOLS + 8);
  head.writeUInt32LE(readOptionalField(SIZE_OF_DATA) + offset - head.length, optional + SIZE_OF_DATA);
  head.writeUInt32LE(alignUp(address, readOptionalField(SECTION_ALIGNMENT)), optional + SIZE_OF_IMAGE);
  // Firmware does not check this checksum, and 0 means that there is none.
  head.writeUInt32LE(0, optional + CHECKSUM);
  return { ok: true, value: Buffer.concat(parts) };
}

interface Lies {
  readonly address: number;
  readonly offset: number;
  /** Size of the section in the file. */
  readonly raw: number;
}

function writeSection(head: Buffer, at: number, { name, bytes }: NewSection, { address, offset, raw }: Lies): void {
  head.write(name.padEnd(8, "\0"), at, 8, "latin1");
  head.writeUInt32LE(bytes.length, at + 8);
  head.writeUInt32LE(address, at + 12);
  head.writeUInt32LE(raw, at + 16);
  head.writeUInt32LE(offset, at + 20);
  head.writeUInt32LE(CHARACTERISTICS, at + 36);
}

function readHeaders(program: Buffer): Headers | Refusal {
  const none = { ok: false, reason: "it is no program of UEFI firmware" } as const;
  if (program.length < PE_POINTER + 4 || program.toString("latin1", 0, 2) !== "MZ") return none;
  const coff = program.readUInt32LE(PE_POINTER);
  const optional = coff + COFF_SIZE;
  if (optional + LEAST_OPTIONAL_HEADER > program.length || program.readUInt32LE(coff) !== 0x4550) return none;
  const table = optional + program.readUInt16LE(coff + 20);
  const count = program.readUInt16LE(coff + 6);
  if (program.readUInt16LE(optional) !== PE32_PLUS || count > MOST_SECTIONS) return none;
  if (table + count * SECTION_SIZE > program.length || !isPowerOfTwo(program.readUInt32LE(optional + FILE_ALIGNMENT)))
    return none;
  const sections = Array.from({ length: count }, (_, index) =>
    readSectionHeader(program, table + index * SECTION_SIZE),
  );
  const end = Math.max(program.readUInt32LE(optional + SIZE_OF_HEADERS), ...sections.map((one) => one.end));
  if (end > program.length) return { ok: false, reason: "a section ends behind the program" };
  return { ok: true, coff, optional, table, end, sections: sections.map((one) => one.section) };
}

function readSectionHeader(program: Buffer, at: number): { readonly section: Section; readonly end: number } {
  const inFile = program.readUInt32LE(at + 16);
  const offset = program.readUInt32LE(at + 20);
  const name = program.toString("latin1", at, at + 8).replace(/\0.*$/, "");
  const size = Math.min(program.readUInt32LE(at + 8), inFile);
  return {
    section: { name, address: program.readUInt32LE(at + 12), size, offset },
    end: inFile === 0 ? 0 : offset + inFile,
  };
}

const isPowerOfTwo = (value: number): boolean => value >= 16 && value <= 65_536 && (value & (value - 1)) === 0;

const alignUp = (value: number, alignment: number): number => Math.ceil(value / alignment) * alignment;

function padToAlignment(bytes: Uint8Array, alignment: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(alignUp(bytes.length, alignment) - bytes.length)]);
}
