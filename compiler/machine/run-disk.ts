// Makes the data disk of a run if there is none, and reads the disk when the machine is off. The disk may be encrypted.

import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { accept, type Result, refuse } from "../../engine/lib/result/result.ts";
import { copyUnlocked } from "../artefacts/disk/luks.ts";
import { encryptDisk } from "../artefacts/disk/luks-create.ts";
import { explainRefusal, isRefusal } from "../host/files.ts";
import { makeBlankDisk, makeDataDisk, NAME } from "./data-disk.ts";
import type { ImageFile } from "./image-file.ts";
import type { ProgramResult } from "./programs.ts";

interface DiskPlan {
  readonly image: Pick<ImageFile, "makesDisk" | "encryptsDisk">;
  /** Folder of the files that the disk initially contains. */
  readonly files: string | undefined;
  readonly passphrase: string | undefined;
}

interface RunPlan extends DiskPlan {
  readonly disk: string | undefined;
  readonly script: { readonly script: { readonly hasNoDisk: boolean } } | undefined;
}

/**
 * Returns the path of the data disk, which is made if it does not exist. A script that needs a disk gets a new one in `folder` if the plan
 * names none. Returns `undefined` if the run has no disk.
 */
export function prepareDisk(plan: RunPlan, folder: string): Result<string | undefined> {
  const isNeeded = plan.script !== undefined && !plan.script.script.hasNoDisk;
  const disk = plan.disk ?? (isNeeded ? join(folder, "data.img") : undefined);
  if (disk === undefined || existsSync(disk)) return accept(disk);
  const made = makeDisk(disk, plan);
  return made.ok ? accept(disk) : refuse(`the data disk cannot be made: ${made.reason}`);
}

/**
 * Makes the disk that the image needs. The disk is blank if there are no initial files and the system makes its own
 * data disk from a blank disk. Fails if the disk must be encrypted and there is no passphrase, or if it cannot be
 * written.
 */
export function makeDisk(path: string, { image, files, passphrase }: DiskPlan): ProgramResult {
  if (image.makesDisk && files === undefined) return makeBlankDisk(path);
  if (!image.encryptsDisk) return makeDataDisk(path, files);
  if (passphrase === undefined) return { ok: false, reason: "it is to be encrypted; give --passphrase-file FILE" };
  return makeLockedDisk(path, files, passphrase);
}

function makeLockedDisk(path: string, files: string | undefined, passphrase: string): ProgramResult {
  try {
    const scratch = mkdtempSync(join(dirname(path), ".disk-"));
    try {
      const [plain, locked] = [join(scratch, "plain.img"), join(scratch, "locked.img")];
      const made = makeDataDisk(plain, files);
      if (!made.ok) return made;
      encryptDisk(plain, Buffer.from(passphrase), NAME, locked);
      renameSync(locked, path);
      return made;
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ok: false, reason: explainRefusal(error.path ?? path, error) };
  }
}

/**
 * Returns the path of the unencrypted disk: the disk itself, or, if there is a passphrase, a decrypted copy in
 * `folder`. Fails if the passphrase or the disk does not allow decryption.
 */
export function unlockDisk(path: string, passphrase: string | undefined, folder: string): Result<string> {
  if (passphrase === undefined) return { ok: true, value: path };
  const copy = join(folder, "unlocked.img");
  const unlocked = copyUnlocked(path, Buffer.from(passphrase), copy);
  return unlocked.ok ? { ok: true, value: copy } : unlocked;
}
