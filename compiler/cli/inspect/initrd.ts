// The initrd of an image, wherever it lies: a file beside BIOS's kernel, a section of the program for UEFI, or both.

import { programIn } from "../../../engine/uefi/esp.ts";
import { initrdIn } from "../../../engine/uefi/uki.ts";
import { IMAGE_PATHS } from "../../../targets/contract.ts";

export interface FoundInitrd {
  readonly bytes: Uint8Array | undefined;
  /** A build puts the same one into both: where they differ, what is said of one does not hold of the other. */
  readonly faults: readonly string[];
}

/** Ours has 2 MB; the file system for UEFI 17. */
const MOST_INITRD_BYTES = 64 * 1024 * 1024;
const MOST_EFI_BYTES = 256 * 1024 * 1024;

/** `read` gives a file of the image, or nothing where there is none or it is larger. */
export function initrdOf(read: (path: string, most: number) => Uint8Array | undefined): FoundInitrd {
  const bios = read(IMAGE_PATHS.initrd, MOST_INITRD_BYTES);
  const fileSystem = read(IMAGE_PATHS.efi, MOST_EFI_BYTES);
  if (fileSystem === undefined) return { bytes: bios, faults: [] };
  const program = programIn(Buffer.from(fileSystem));
  const uefi = program && initrdIn(program);
  if (uefi === undefined) return { bytes: bios, faults: [`${IMAGE_PATHS.efi} holds no program with an initrd`] };
  const isSame = bios === undefined || uefi.equals(bios);
  return { bytes: bios ?? uefi, faults: isSame ? [] : [`the initrds for BIOS and in ${IMAGE_PATHS.efi} differ`] };
}
