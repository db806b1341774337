// The new content stands beside the old one until it is on the disk: whoever looks after a crash finds one of the two, whole. What was
// begun and not finished is left as `.llm-osd-…`, which nobody reads.

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { RefusalAnswer, WriteAnswer } from "../answer.ts";
import type { WriteFile } from "../plan.ts";
import { type Folder, type Ground, type Identity, NO_FILE, openFileIn, useFolderOf } from "./place.ts";

/** Replaces what the file holds, which keeps its rights and its owner; or makes it with these rights. */
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
    // The change of a name is on the disk only when its folder is.
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

/** Returns the stats of the file, or `undefined` if there is none. Refuses a file that may not be written, in place as well. */
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
    // Another name of it may be a file that nobody decided about.
    return stats.nlink === 1 ? accept(stats) : refuse("the file has other names");
  } finally {
    await file.close();
  }
}

const RIGHTS = 0o777;

/** `like`: whose rights and owner it gets. */
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
    // The daemon's own mask has no say in it; and nothing above the rights of people is kept.
    await file.chmod(like.mode & RIGHTS);
    await file.sync();
  } finally {
    await file.close();
  }
}
