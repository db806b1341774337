// Writes an image with xorriso from the paths of the files, their order, and one common time. The caller's options make the image bootable.

import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Artifact } from "../contract/artifact.ts";
import { DEFAULT_WRITER, type IsoWritten, runXorriso, type Writer } from "./writer.ts";

export interface IsoOutput {
  /** Path of the image. The file appears there complete or not at all. */
  readonly out: string;
  /** Seconds since 1970: the time of all entries in the image. */
  readonly sourceDateEpoch: number;
  /** Writer of the image; the default is "wasm". */
  readonly writer?: Writer;
  /** Receives the percentage of the image that is written. */
  readonly progress?: (hundredths: number) => void;
}

/** Writes the image. `options` are options of `xorriso -as mkisofs`. The files are stored in the given order. */
export async function writeFiles(
  output: IsoOutput,
  options: readonly string[],
  files: readonly Artifact[],
): Promise<IsoWritten> {
  mkdirSync(dirname(output.out), { recursive: true });
  // The temporary folder is beside the image. So the last step is a rename, and a failed build leaves the old image unchanged.
  const scratch = mkdtempSync(join(dirname(output.out), ".iso-"));
  try {
    const image = join(scratch, "image");
    const { sourceDateEpoch, writer = DEFAULT_WRITER, progress } = output;
    const form = ["-as", "mkisofs", "-quiet", "-r", "-J", "-joliet-long", ...options, "-graft-points"];
    const words = [...form, ...renderFileDates(sourceDateEpoch), "-o", image, ...renderGrafts(files, scratch)];
    const written = await runXorriso({ writer, words, sourceDateEpoch, progress });
    if (written.ok) renameSync(image, output.out);
    return written;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** xorriso reads a time of 0 as "no time", and would then keep the times of the files on this machine. */
const renderFileDates = (epoch: number): string[] => ["--set_all_file_dates", `=${Math.max(1, epoch)}`];

/**
 * Returns arguments of xorriso. Each file gets a sort weight, so that the files are stored in the given order. Then
 * each file gets an argument `path=source`.
 */
function renderGrafts(files: readonly Artifact[], scratch: string): string[] {
  const places = files.map(({ path, bytes }, index) => ({
    path,
    source: "file" in bytes ? bytes.file : writeSource(join(scratch, `${index}`), bytes),
  }));
  const weights = places.flatMap(({ path }, index) => ["--sort-weight", `${places.length - index}`, path]);
  return [...weights, ...places.map(({ path, source }) => `${path}=${escapePath(source)}`)];
}

function writeSource(path: string, bytes: Uint8Array): string {
  writeFileSync(path, bytes);
  return path;
}

/** Escapes `=` and `\`, which have a special meaning in xorriso's arguments `path=source`. */
const escapePath = (path: string): string => path.replace(/[\\=]/g, (mark) => `\\${mark}`);
