// Writes an image that Limine starts, as Limine's own documents describe (USAGE.md, "BIOS/UEFI hybrid ISO creation"). BIOS starts the image
// from an optical drive. UEFI starts the same bytes from an optical drive or from a disk. Unlike those documents, this module writes no
// file system for Apple. It also writes no BIOS code for a disk, which `limine bios-install` would write into the first sectors.

import { compareCodeUnits } from "../../lang/text/index.ts";
import { type Artifact, LIMINE_CATALOGUE, LIMINE_PATHS, LIMINE_VOLUME_NAME } from "../contract/artifact.ts";
import { type IsoOutput, writeFiles } from "./write-files.ts";
import type { IsoWritten } from "./writer.ts";

export interface LimineIsoPlan extends IsoOutput {
  /** All files of the image, including Limine's own, with their paths in the image. */
  readonly files: readonly Artifact[];
}

/**
 * Writes the image. The same plan gives the same bytes with every writer. If this fails, the reason is returned and not
 * thrown.
 */
export function writeLimineIso(plan: LimineIsoPlan): Promise<IsoWritten> {
  // Sort the files by path, because the image stores them in this order.
  const files = plan.files.toSorted((left, right) => compareCodeUnits(left.path, right.path));
  return writeFiles(plan, OPTIONS, files);
}

const OPTIONS: readonly string[] = [
  ...["-V", LIMINE_VOLUME_NAME, "-c", LIMINE_CATALOGUE.slice(1)],
  ...["-b", LIMINE_PATHS.bios.slice(1), "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table"],
  ...["--efi-boot", LIMINE_PATHS.efi.slice(1), "-efi-boot-part", "--efi-boot-image", "--protective-msdos-label"],
];
