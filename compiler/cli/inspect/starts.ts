// What can start an image, and which machines its kernel is for: read from its own bytes, as a machine would find it.

import { programIn } from "../../../engine/uefi/esp.ts";
import { sectionOf } from "../../../engine/uefi/pe.ts";
import { IMAGE_PATHS } from "../../../targets/contract.ts";
import { type IsoFile, listIso, type ReadAt } from "./iso-reader.ts";

export interface Starts {
  readonly bios: boolean;
  readonly uefi: boolean;
  /** As the kernel names its version; nothing where it names none. */
  readonly kernel: string | undefined;
}

/** Ours have 17 MB. */
const MOST_EFI_BYTES = 256 * 1024 * 1024;

/** Nothing where it is no image. */
export function startsOf(readAt: ReadAt, size: number): Starts | undefined {
  const listing = listIso(readAt, size);
  if (!listing.ok) return undefined;
  const file = (path: string): IsoFile | undefined => listing.files.find((each) => each.path === path);
  const [bios, uefi] = [file(IMAGE_PATHS.kernel), file(IMAGE_PATHS.efi)];
  if (bios === undefined && uefi === undefined) return undefined;
  const kernel = bios === undefined ? kernelInProgram(readAt, uefi) : readAt(bios.offset, MOST_HEADER_BYTES);
  return { bios: bios !== undefined, uefi: uefi !== undefined, kernel: kernel && releaseOf(Buffer.from(kernel)) };
}

/** Of a program for UEFI that stands alone. */
export function startsOfProgram(program: Buffer): Starts {
  const kernel = sectionOf(program, ".linux");
  return { bios: false, uefi: true, kernel: kernel && releaseOf(kernel) };
}

/** The program that UEFI starts; nothing where there is none. */
export function uefiProgram(readAt: ReadAt, file: IsoFile | undefined): Buffer | undefined {
  if (file === undefined || file.size > MOST_EFI_BYTES) return undefined;
  return programIn(Buffer.from(readAt(file.offset, file.size)));
}

function kernelInProgram(readAt: ReadAt, file: IsoFile | undefined): Buffer | undefined {
  const program = uefiProgram(readAt, file);
  return program && sectionOf(program, ".linux");
}

/** Where Linux's header for loaders says, by an offset, that its version stands; enough of the kernel for both. */
const VERSION_POINTER = 0x20e;
const SETUP = 0x200;
const MOST_HEADER_BYTES = SETUP + 0x1_0000 + 128;

function releaseOf(kernel: Buffer): string | undefined {
  if (kernel.length < SETUP + 16 || kernel.toString("latin1", 0x202, 0x206) !== "HdrS") return undefined;
  const at = kernel.readUInt16LE(VERSION_POINTER) + SETUP;
  return /^[\w.+-]{1,64}/.exec(kernel.toString("latin1", at, at + 64))?.[0];
}
