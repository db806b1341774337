// Observes the steps of a change on the disk: each call that changes it, or syncs it.

import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";

const probe = await fs.open(tmpdir());
const OF_FILES: { sync: FileHandle["sync"]; writeFile: FileHandle["writeFile"] } = Object.getPrototypeOf(probe);
await probe.close();

/** Calls `before` ahead of each step, and skips the step if `before` throws. Returns a function that ends these calls. */
export function watchSteps(before: () => void): () => void {
  const watchCall = <A extends unknown[], R>(call: (...args: A) => R) =>
    function (this: unknown, ...args: A): R {
      before();
      return call.apply(this, args);
    };
  const { open, rename, unlink } = fs;
  const { sync, writeFile } = OF_FILES;
  Object.assign(fs, { open: watchCall(open), rename: watchCall(rename), unlink: watchCall(unlink) });
  Object.assign(OF_FILES, { sync: watchCall(sync), writeFile: watchCall(writeFile) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { open, rename, unlink });
    Object.assign(OF_FILES, { sync, writeFile });
    syncBuiltinESMExports();
  };
}
