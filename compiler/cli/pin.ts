import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Result } from "../../engine/lib/result/result.ts";
import { placeText } from "../host/output.ts";
import { updateLock } from "../phases/reflect/index.ts";
import { createDiskHost } from "../phases/source/index.ts";

/** Writes cap.lock for the page at an absolute path. Imports that cannot be pinned stay unchanged; the following check says why. */
export async function pinImports(path: string): Promise<Result<readonly string[]>> {
  const { path: lock, text, changes } = await updateLock(createDiskHost(), path, listPagesBeside(path));
  if (text === undefined) return { ok: true, value: [] };
  const written = placeText(lock, text);
  return written.ok ? { ok: true, value: changes } : written;
}

/** Returns the other pages of the folder: their imports are pinned in the same lock. */
export function listPagesBeside(path: string): readonly string[] {
  const page = realpathSync(path);
  const folder = dirname(page);
  const names = readdirSync(folder).filter((name) => name.endsWith(".cap") && name !== basename(page));
  return names.sort().map((name) => join(folder, name));
}
