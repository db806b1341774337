// Finds the initrd of an image: for BIOS it is a file beside the kernel, for UEFI a section of the UEFI program.

import { extractProgram } from "../../../engine/image/uefi/esp.ts";
import { extractInitrd } from "../../../engine/image/uefi/uki.ts";
import { IMAGE_PATHS } from "../../../targets/contract/artifact.ts";
import { readEfiFileSystem } from "./boot-modes.ts";
import { type OpenedImage, readImageFile } from "./opened.ts";

interface FoundInitrd {
  readonly bytes: Uint8Array | undefined;
  /**
   * Faults of the initrds. A build writes the same initrd for BIOS and into the UEFI program. If the two initrds
   * differ, facts about one of them need not be true for the other.
   */
  readonly faults: readonly string[];
}

/** Maximum size of an initrd in bytes; the project's own initrd has 2 MB. */
const MOST_INITRD_BYTES = 64 * 1024 * 1024;

export function findInitrd(image: OpenedImage): FoundInitrd {
  const bios = readImageFile(image, IMAGE_PATHS.initrd, MOST_INITRD_BYTES);
  const fileSystem = readEfiFileSystem(image);
  if (fileSystem === undefined) return { bytes: bios, faults: [] };
  const program = extractProgram(fileSystem);
  const uefi = program && extractInitrd(program);
  if (uefi === undefined) return { bytes: bios, faults: [`${IMAGE_PATHS.efi} holds no program with an initrd`] };
  const isSame = bios === undefined || uefi.equals(bios);
  return { bytes: bios ?? uefi, faults: isSame ? [] : [`the initrds for BIOS and in ${IMAGE_PATHS.efi} differ`] };
}
