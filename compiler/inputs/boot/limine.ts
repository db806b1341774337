// Checks whether the four files of Limine are valid and belong to one release, as far as this is possible without running them.

import { type BootPlan, LIMINE_FILES, type LimineFile } from "../../../targets/contract/upstream-plan.ts";

/** Maximum bytes of each file: several times the largest size of any release so far. */
export const MOST_LIMINE_BYTES: Readonly<Record<LimineFile, number>> = {
  "BOOTX64.EFI": 4 * 1024 * 1024,
  "limine-bios-cd.bin": 512 * 1024,
  "limine-bios.sys": 4 * 1024 * 1024,
  "limine-uefi-cd.bin": 32 * 1024 * 1024,
};

type Files = BootPlan["limine"];

/** Returns why the files would not start a machine, or `undefined` if no fault is found. */
export function findLimineFault(files: Files): string | undefined {
  for (const name of LIMINE_FILES) {
    const fault = FAULTS[name](Buffer.from(files[name].buffer, files[name].byteOffset, files[name].length));
    if (fault !== undefined) return `${name} ${fault}`;
  }
  const said = readVersions(files);
  return findMixtureFault(said) ?? findAgeFault(said[0]?.version ?? "") ?? findBuildFault(files);
}

const SECTOR = 512;
const BLOCK = 2048;

const FAULTS: Readonly<Record<LimineFile, (bytes: Buffer) => string | undefined>> = {
  "BOOTX64.EFI": (bytes) => (isProgram(bytes) ? undefined : "is not a UEFI program for x86-64"),
  // `limine-bios-cd.bin` begins with a jump over the table that the writer of the image fills in. The size of this program is a multiple of
  // a disc's block size.
  "limine-bios-cd.bin": (bytes) =>
    bytes.length > 0 && bytes.length % BLOCK === 0 && bytes[0] === 0xeb
      ? undefined
      : "is not a program that BIOS starts",
  "limine-bios.sys": (bytes) => (bytes.length > 0 ? undefined : "is empty"),
  "limine-uefi-cd.bin": (bytes) => {
    const isVolume = bytes.length >= SECTOR && bytes.length % SECTOR === 0 && bytes.readUInt16LE(510) === 0xaa55;
    return isVolume ? undefined : "is not a file system";
  },
};

const PE_POINTER = 0x3c;
const X86_64 = 0x8664;

function isProgram(bytes: Buffer): boolean {
  if (bytes.length < PE_POINTER + 4 || bytes.toString("latin1", 0, 2) !== "MZ") return false;
  const at = bytes.readUInt32LE(PE_POINTER);
  if (at + 6 > bytes.length) return false;
  return bytes.toString("latin1", at, at + 4) === "PE\0\0" && bytes.readUInt16LE(at + 4) === X86_64;
}

const VERSION = /Limine (\d{1,8}\.\d{1,8}\.\d{1,8})/;

interface Said {
  readonly name: LimineFile;
  readonly version: string;
}

/** Returns the versions that the files state. `limine-bios-cd.bin` is compressed, so its version is not read. */
function readVersions(files: Files): readonly Said[] {
  return LIMINE_FILES.flatMap((name) => {
    const version = VERSION.exec(Buffer.from(files[name]).toString("latin1"))?.[1];
    return version === undefined ? [] : [{ name, version }];
  });
}

/** Returns the version that the files state; empty if none does. */
export function getLimineVersion(files: Files): string {
  return readVersions(files)[0]?.version ?? "";
}

function findMixtureFault(said: readonly Said[]): string | undefined {
  const [first] = said;
  const other = said.find(({ version }) => version !== first?.version);
  if (first === undefined || other === undefined) return undefined;
  return `${first.name} is of Limine ${first.version}, and ${other.name} of ${other.version}`;
}

/** The first release that reads limine.conf. Earlier releases read a settings file with another name and format. */
const LEAST_RELEASE = 8;

function findAgeFault(version: string): string | undefined {
  if (version === "" || Number.parseInt(version, 10) >= LEAST_RELEASE) return undefined;
  return `it is Limine ${version}, which reads no limine.conf; that began with ${LEAST_RELEASE}`;
}

/**
 * Returns a fault if the two parts of the loader for BIOS come from different builds. The first part is compressed, and
 * contains the build number that the second part must have. If the second part has another number, the first part stops
 * with "build ID mismatch". A release without a build number passes.
 */
function findBuildFault(files: Files): string | undefined {
  const build = buildIn(unpackGzip(files["limine-bios-cd.bin"]));
  if (build === undefined || Buffer.from(files["limine-bios.sys"]).includes(build)) return undefined;
  return "limine-bios-cd.bin and limine-bios.sys are of different builds";
}

const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);
/** Maximum size of the unpacked program: it runs in the first mebibyte of memory. */
const MOST_UNPACKED_BYTES = 1024 * 1024;

function unpackGzip(bytes: Uint8Array): Buffer {
  const at = Buffer.from(bytes).indexOf(GZIP);
  if (at === -1) return Buffer.alloc(0);
  try {
    // The compressed program may be followed by padding of its last block. The module zlib is loaded here, because most
    // pages start no kernel with Limine, and each check loads this file.
    const { constants, gunzipSync } = process.getBuiltinModule("node:zlib");
    const finishFlush = constants.Z_SYNC_FLUSH;
    return gunzipSync(bytes.subarray(at), { maxOutputLength: MOST_UNPACKED_BYTES, finishFlush });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Header of the note that GNU ld writes; the build number of twenty bytes follows it. */
const NOTE = Buffer.from("040000001400000003000000474e5500", "hex");
const NUMBER_BYTES = 20;

function buildIn(bytes: Buffer): Buffer | undefined {
  const at = bytes.indexOf(NOTE);
  const end = at + NOTE.length + NUMBER_BYTES;
  return at === -1 || end > bytes.length ? undefined : bytes.subarray(at, end);
}
