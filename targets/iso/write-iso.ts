// Writes the bootable image with xorriso: an ISO 9660 file system with a Joliet tree (which init reads). BIOS starts the image through
// isolinux, and UEFI starts it from the given file system. The same bytes work on an optical drive and on a disk. This module does not
// interpret the content of the files.

import { IMAGE_PATHS, VOLUME_NAME } from "../contract/artifact.ts";
import { type Contents, listPlaces, type Start } from "./places.ts";
import { type IsoOutput, writeFiles } from "./write-files.ts";
import type { IsoWritten } from "./writer.ts";

export interface IsoPlan extends Contents, IsoOutput {}

/**
 * Writes the image. The same plan gives the same bytes with every writer. If this fails, the reason is returned and not
 * thrown.
 */
export function writeIso(plan: IsoPlan): Promise<IsoWritten> {
  return writeFiles(plan, renderOptions(plan.start), listPlaces(plan));
}

function renderOptions({ bios, uefi }: Start): string[] {
  return [
    ...["-V", VOLUME_NAME],
    ...(bios === undefined ? [] : renderBiosOptions(bios.loader.hybrid)),
    ...(uefi === undefined ? [] : renderUefiOptions(bios !== undefined ? "besideBios" : "alone")),
  ];
}

function renderBiosOptions(hybrid: string): string[] {
  const loader = ["-b", "isolinux/isolinux.bin", "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table"];
  return ["-c", "isolinux/boot.cat", ...loader, "-isohybrid-mbr", hybrid];
}

/**
 * Returns xorriso's options for the UEFI file system. It becomes an entry of the boot catalogue, for optical drives,
 * and a partition, for disks.
 */
function renderUefiOptions(place: "besideBios" | "alone"): string[] {
  const start = ["-e", IMAGE_PATHS.efi.slice(1), "-no-emul-boot"];
  return place === "besideBios"
    ? ["-eltorito-alt-boot", ...start, "-isohybrid-gpt-basdat"]
    : ["-c", "boot/boot.cat", ...start, "-efi-boot-part", "--efi-boot-image"];
}
