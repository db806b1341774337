import { updateLock } from "../reflect/index.ts";
import { diskHost } from "../source/index.ts";
import { placeText } from "./output.ts";

/** What is pinned differently now, a line each. */
export type PinResult =
  | { readonly ok: true; readonly changes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Writes cap.lock for the page at an absolute path. What cannot be pinned stays as it was; the check that follows says why. */
export async function pinImports(path: string): Promise<PinResult> {
  const { path: lock, text, changes } = await updateLock(diskHost(), path);
  if (text === undefined) return { ok: true, changes: [] };
  const written = placeText(lock, text);
  return written.ok ? { ok: true, changes } : written;
}
