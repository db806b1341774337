// Writes the finished image in the other requested formats, with the same disk content each time.

import { constants, copyFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { extractProgram } from "../../../engine/image/uefi/esp.ts";
import { accept, type Result, refuse } from "../../../engine/lib/result/result.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Artifact } from "../../../targets/contract/artifact.ts";
import { createOciLayout } from "../../../targets/formats/oci-layout.ts";
import { writeQcow2 } from "../../../targets/formats/qcow2.ts";
import type { Start } from "../../../targets/iso/places.ts";
import { LAYOUT_FOLDER } from "./names.ts";

/** Words of `--format`, in the order in which the formats are made. */
export const FORMATS = ["iso", "raw", "qcow2", "efi", "oci-layout"] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Returns the ISO and the formats of `--format a,b`, or only the ISO if the option is missing. Fails if a word does not
 * name a format.
 */
export function readFormats(words: string | undefined): Result<ReadonlySet<Format>> {
  const wanted = new Set<Format>(["iso"]);
  for (const word of words?.split(",") ?? []) {
    const format = FORMATS.find((known) => known === word.trim());
    if (format === undefined) return refuse(`'${word}' is no format; there are ${FORMATS.join(", ")}`);
    wanted.add(format);
  }
  return accept(wanted);
}

interface Finished {
  /** Path of the ISO on this machine. */
  readonly iso: string;
  /** Boot files of the image; `undefined` if Limine starts it. */
  readonly start: Start | undefined;
  readonly systemId: string;
  readonly version: string;
  readonly sourceDateEpoch: number;
  readonly scratch: string;
}

/** Converts the ISO into each requested format. Fails if a format needs a part that the image lacks. */
export async function convertToFormats(
  formats: ReadonlySet<Format>,
  image: Finished,
): Promise<Result<readonly Artifact[]>> {
  const made: Artifact[] = [];
  for (const format of FORMATS.filter((each) => formats.has(each))) {
    const artifacts = await convertToFormat(format, image);
    if (!artifacts.ok) return artifacts;
    made.push(...artifacts.value);
  }
  return accept(made);
}

async function convertToFormat(format: Format, image: Finished): Promise<Result<readonly Artifact[]>> {
  const { iso, start, scratch } = image;
  switch (format) {
    case "iso":
      return accept([]);
    case "raw": {
      const out = join(scratch, "image.raw");
      copyFileSync(iso, out, constants.COPYFILE_FICLONE);
      return accept([{ path: "system.raw", bytes: { file: out } }]);
    }
    case "qcow2": {
      const out = join(scratch, "image.qcow2");
      writeQcow2({ file: iso, size: statSync(iso).size }, out);
      return accept([{ path: "system.qcow2", bytes: { file: out } }]);
    }
    case "efi": {
      if (start === undefined)
        return refuse("there is no program for UEFI alone: Limine's reads its settings from the image");
      if (start.uefi === undefined) return refuse("there is no program for UEFI: the page's `firmware` is bios alone");
      const program = extractProgram(Buffer.from(start.uefi.fileSystem)) ?? bug("a file system without its program");
      return accept([{ path: "system.efi", bytes: program }]);
    }
    case "oci-layout":
      return accept(
        await createOciLayout({ ...image, disk: { file: iso, name: "system.img" }, folder: LAYOUT_FOLDER }),
      );
  }
}
