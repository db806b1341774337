import { mkdirSync, rmSync } from "node:fs";
import { writeBundle } from "./bundle.ts";
import { copyFiles, writeDescription } from "./contents.ts";

/** Makes the package in `folder`, which is emptied first. */
export async function makePackage(checkout: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  copyFiles(checkout, folder);
  writeDescription(checkout, folder);
  await writeBundle(checkout, folder);
}
