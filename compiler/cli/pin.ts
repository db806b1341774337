import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { placeText } from "../host/output.ts";
import { updateLock } from "../phases/reflect/index.ts";
import { createDiskHost } from "../phases/source/index.ts";

/** What is pinned differently now, a line each. */
type PinResult =
  | { readonly ok: true; readonly changes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Writes cap.lock for the page at an absolute path. What cannot be pinned stays as it was; the check that follows says why. */
export async function pinImports(path: string): Promise<PinResult> {
  const { path: lock, text, changes } = await updateLock(createDiskHost(), path, listPagesBeside(path));
  if (text === undefined) return { ok: true, changes: [] };
  const written = placeText(lock, text);
  return written.ok ? { ok: true, changes } : written;
}

/** Returns the other pages of the folder: their imports are pinned in the same lock. */
function listPagesBeside(path: string): readonly string[] {
  const page = realpathSync(path);
  const folder = dirname(page);
  const names = readdirSync(folder).filter((name) => name.endsWith(".cap") && name !== basename(page));
  return names.sort().map((name) => join(folder, name));
}
