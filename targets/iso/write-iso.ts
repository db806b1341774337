// Writes the bootable image with xorriso: an ISO 9660 file system with a Joliet tree (the one that init reads),
// started by BIOS through isolinux and by UEFI from the file system that it is given, from an optical drive or, as the same
// bytes, from a disk. It knows nothing of what it carries.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { IMAGE_PATHS, VOLUME_NAME } from "../contract.ts";
import { type Contents, placesOf, type Start } from "./places.ts";
import { DEFAULT_WRITER, type IsoWritten, runXorriso, type Writer } from "./writer.ts";

export interface IsoPlan extends Contents {
  /** Where the image is to stand. It appears there whole or not at all. */
  readonly out: string;
  /** Seconds since 1970: the one time in the image. */
  readonly sourceDateEpoch: number;
  /** "wasm" where nothing is said. */
  readonly writer?: Writer;
  /** Is told how many hundredths of the image are written. */
  readonly progress?: (hundredths: number) => void;
}

/** The same plan gives the same bytes, whoever writes them. A failure is not thrown. */
export async function writeIso(plan: IsoPlan): Promise<IsoWritten> {
  mkdirSync(dirname(plan.out), { recursive: true });
  // Beside the image, so that the last step is a rename and a failed build leaves the old image as it was.
  const scratch = mkdtempSync(join(dirname(plan.out), ".iso-"));
  try {
    const image = join(scratch, "image");
    const { sourceDateEpoch, writer = DEFAULT_WRITER, progress } = plan;
    const words = [...options(plan.start), ...fileDates(sourceDateEpoch), "-o", image, ...grafts(plan, scratch)];
    const written = await runXorriso({ writer, words, sourceDateEpoch, progress });
    if (written.ok) renameSync(image, plan.out);
    return written;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function options({ bios, uefi }: Start): string[] {
  return [
    ...["-as", "mkisofs", "-quiet", "-V", VOLUME_NAME, "-r", "-J", "-joliet-long"],
    ...(bios === undefined ? [] : biosOptions(bios.loader.hybrid)),
    ...(uefi === undefined ? [] : uefiOptions(bios !== undefined)),
    "-graft-points",
  ];
}

function biosOptions(hybrid: string): string[] {
  const loader = ["-b", "isolinux/isolinux.bin", "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table"];
  return ["-c", "isolinux/boot.cat", ...loader, "-isohybrid-mbr", hybrid];
}

/** The file system is found in the boot catalogue of an optical drive, and as a partition of a disk. */
function uefiOptions(isBeside: boolean): string[] {
  const start = ["-e", IMAGE_PATHS.efi.slice(1), "-no-emul-boot"];
  return isBeside
    ? ["-eltorito-alt-boot", ...start, "-isohybrid-gpt-basdat"]
    : ["-c", "boot/boot.cat", ...start, "-efi-boot-part", "--efi-boot-image"];
}

/** xorriso takes a time of 0 for none at all, and would keep those that the files have on this machine. */
const fileDates = (epoch: number): string[] => ["--set_all_file_dates", `=${Math.max(1, epoch)}`];

/** `place=source`; weights say that the files lie in the image in the order of the places. */
function grafts(plan: IsoPlan, scratch: string): string[] {
  const places = placesOf(plan).map(({ path, bytes }, index) => ({
    path,
    source: "file" in bytes ? bytes.file : written(join(scratch, `${index}`), bytes),
  }));
  const weights = places.flatMap(({ path }, index) => ["--sort-weight", `${places.length - index}`, path]);
  return [...weights, ...places.map(({ path, source }) => `${path}=${escaped(source)}`)];
}

function written(path: string, bytes: Uint8Array): string {
  writeFileSync(path, bytes);
  return path;
}

/** In a graft point `=` and `\` mean something. */
const escaped = (path: string): string => path.replace(/[\\=]/g, (mark) => `\\${mark}`);
