// Writes the new content to another file, syncs it, and renames it: after a crash the file has the old or the new content, complete. A
// crash may leave an unfinished file `.llm-osd-…`, which has no effect.

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { RefusalAnswer, WriteAnswer } from "../answer.ts";
import type { WriteFile } from "../plan.ts";
import { type Folder, type Ground, type Identity, NO_FILE, openFileIn, useFolderOf } from "./place.ts";

/** Replaces the content of a file and keeps its permissions and owner, or creates the file with the given permissions. */
export async function writeFile(
  { path, content, mode }: WriteFile,
  ground: Ground,
): Promise<WriteAnswer | RefusalAnswer> {
  const whole = resolve(ground.folder, path);
  const done = await useFolderOf(whole, async (folder): Promise<Result<Stats | undefined>> => {
    const before = await readWritableStats(folder, basename(whole), ground.own);
    if (!before.ok) return before;
    const unfinished = join(folder.held, `.llm-osd-${randomBytes(8).toString("hex")}`);
    try {
      await write(unfinished, content, before.value ?? { mode });
      await rename(unfinished, join(folder.held, basename(whole)));
    } catch (error) {
      await unlink(unfinished).catch(() => {});
      throw error;
    }
    // A rename is durable only after a sync of the folder.
    await folder.handle.sync();
    return before;
  });
  if (!done.ok) return { type: "write_file", ok: false, error: { code: "write_failed", message: done.reason } };
  return {
    ...{ type: "write_file", ok: true, artifacts: [whole] },
    bytes_before: done.value?.size ?? null,
    bytes_after: Buffer.byteLength(content),
  };
}

/**
 * Returns the stats of the file, or `undefined` if it does not exist. Refuses a file that cannot be opened for writing, and a
 * file with several hard links.
 */
async function readWritableStats(
  { held }: Folder,
  name: string,
  own: readonly Identity[],
): Promise<Result<Stats | undefined>> {
  const opened = await openFileIn(held, name, own, constants.O_WRONLY);
  if (!opened.ok) return opened.reason === NO_FILE ? accept(undefined) : opened;
  const file = opened.value;
  try {
    const stats = await file.stat();
    // A file with several hard links is refused, because the decision covered only one of its names.
    return stats.nlink === 1 ? accept(stats) : refuse("the file has other names");
  } finally {
    await file.close();
  }
}

const RIGHTS = 0o777;

/** Creates a file with the permissions and owner in `like`. */
async function write(path: string, content: string, like: Pick<Stats, "mode"> & Partial<Stats>): Promise<void> {
  const file = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  );
  try {
    await file.writeFile(content);
    const { uid, gid } = await file.stat();
    const owner = { uid: like.uid ?? uid, gid: like.gid ?? gid };
    // A file that cannot keep its owner is not written.
    if (owner.uid !== uid || owner.gid !== gid) await file.chown(owner.uid, owner.gid);
    // The umask of the daemon has no effect, and special bits such as set-user-id are dropped.
    await file.chmod(like.mode & RIGHTS);
    await file.sync();
  } finally {
    await file.close();
  }
}
