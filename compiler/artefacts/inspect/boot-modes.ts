// Reads from the bytes of an image, as a machine would, which firmware can boot the image and which release its kernel
// has.

import { extractProgram } from "../../../engine/image/uefi/esp.ts";
import { extractSection } from "../../../engine/image/uefi/pe.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { type OpenedImage, readImageFile } from "./opened.ts";

export interface BootModes {
  readonly bios: boolean;
  readonly uefi: boolean;
  /** Kernel release that the header of the kernel states, or `undefined` if it states none. */
  readonly kernel: string | undefined;
}

/** Maximum size of a UEFI program in bytes; the largest one of this project has 17 MB. */
const MOST_EFI_BYTES = 256 * 1024 * 1024;

/** Returns the firmware that can boot the image, with the kernel's release; `undefined` if no firmware can. */
export function findStarts(image: OpenedImage): BootModes | undefined {
  const [bios, uefi] = [IMAGE_PATHS.kernel, IMAGE_PATHS.efi].map((path) =>
    image.files.find((each) => each.path === path),
  );
  if (bios === undefined && uefi === undefined) return undefined;
  const kernel = bios === undefined ? readKernelInProgram(image) : image.readAt(bios.offset, MOST_HEADER_BYTES);
  return { bios: bios !== undefined, uefi: uefi !== undefined, kernel: kernel && releaseOf(Buffer.from(kernel)) };
}

/** Returns the boot modes of a standalone UEFI program. */
export function deriveProgramStarts(program: Buffer): BootModes {
  const kernel = extractSection(program, ".linux");
  return { bios: false, uefi: true, kernel: kernel && releaseOf(kernel) };
}

/** Returns the file system in which UEFI looks for a program, or `undefined` if there is none. */
export function readEfiFileSystem(image: OpenedImage): Buffer | undefined {
  const bytes = readImageFile(image, IMAGE_PATHS.efi, MOST_EFI_BYTES);
  return bytes && Buffer.from(bytes);
}

/** Returns the program that UEFI starts, or `undefined` if there is none. */
export function readUefiProgram(image: OpenedImage): Buffer | undefined {
  const fileSystem = readEfiFileSystem(image);
  return fileSystem && extractProgram(fileSystem);
}

function readKernelInProgram(image: OpenedImage): Buffer | undefined {
  const program = readUefiProgram(image);
  return program && extractSection(program, ".linux");
}

/**
 * Offset in the Linux boot header of the pointer to the version string. The first `MOST_HEADER_BYTES` of the kernel
 * contain the pointer and the string.
 */
const VERSION_POINTER = 0x20e;
const SETUP = 0x200;
const MOST_HEADER_BYTES = SETUP + 0x1_0000 + 128;

function releaseOf(kernel: Buffer): string | undefined {
  if (kernel.length < SETUP + 16 || kernel.toString("latin1", 0x202, 0x206) !== "HdrS") return undefined;
  const at = kernel.readUInt16LE(VERSION_POINTER) + SETUP;
  return /^[\w.+-]{1,64}/.exec(kernel.toString("latin1", at, at + 64))?.[0];
}
