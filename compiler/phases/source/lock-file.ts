import { posix } from "node:path";
import type { Host } from "./host.ts";

/** cap.lock beside the root page: the imports that a person has reviewed. compiler/phases/reflect checks its content. */
export interface LockFile {
  /** Absolute path. */
  readonly path: string;
  /** Text of the file; absent if the file does not exist. */
  readonly text?: string;
  /** Reason why an existing file cannot be used. */
  readonly unreadable?: string;
}

const LOCK_NAME = "cap.lock";
/** Maximum size of cap.lock in bytes. */
export const MAX_LOCK_BYTES = 16 * 1024 * 1024;

export async function readLockFile(host: Host, folder: string): Promise<LockFile> {
  const path = posix.join(folder, LOCK_NAME);
  const real = await host.realPath(path);
  if (real === undefined) return { path };
  // If the lock were a link, somebody else could decide what it pins.
  if (real !== path) return { path, unreadable: "it is a link" };
  const read = await host.readFile(real, MAX_LOCK_BYTES);
  return read.ok ? { path, text: new TextDecoder().decode(read.value) } : { path, unreadable: read.reason };
}
