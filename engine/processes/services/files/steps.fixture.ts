// Observes the steps of a change on the disk: each call that changes it, or syncs it.

import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";

const probe = await fs.open(tmpdir());
const OF_FILES: { sync: FileHandle["sync"]; writeFile: FileHandle["writeFile"] } = Object.getPrototypeOf(probe);
await probe.close();

/**
 * Before each step, calls `before` with the name of the function that makes the step. If `before` throws, the step does not happen.
 * Returns a function that ends the observation.
 */
export function watchSteps(before: (step: string) => void): () => void {
  const watchCall = <A extends unknown[], R>(call: (...args: A) => R) =>
    function (this: unknown, ...args: A): R {
      before(call.name);
      return call.apply(this, args);
    };
  const { mkdir, open, rename, rmdir, unlink } = fs;
  const { sync, writeFile } = OF_FILES;
  Object.assign(fs, {
    mkdir: watchCall(mkdir),
    open: watchCall(open),
    rename: watchCall(rename),
    rmdir: watchCall(rmdir),
    unlink: watchCall(unlink),
  });
  Object.assign(OF_FILES, { sync: watchCall(sync), writeFile: watchCall(writeFile) });
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, { mkdir, open, rename, rmdir, unlink });
    Object.assign(OF_FILES, { sync, writeFile });
    syncBuiltinESMExports();
  };
}
