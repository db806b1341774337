import { constants } from "node:fs";
import { resolve } from "node:path";
import type { Refused, Written } from "../answer.ts";
import type { WriteFile } from "../plan.ts";
import { type Ground, openedAt, wordsOf } from "./place.ts";

/** Replaces what the file holds, or makes it with these rights. */
export async function writeFile({ path, content, mode }: WriteFile, ground: Ground): Promise<Written | Refused> {
  const whole = resolve(ground.folder, path);
  const before = await openedAt(whole, ground.own, constants.O_WRONLY);
  const isNew = !before.ok && before.reason === "there is no such file";
  const opened = isNew
    ? await openedAt(whole, ground.own, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode)
    : before;
  if (!opened.ok) return refused(opened.reason);
  const file = opened.value;
  try {
    const { size, nlink } = await file.stat();
    // Another name of it may be a file that nobody decided about.
    if (nlink !== 1) return refused("the file has other names");
    // The daemon's own mask has taken some away.
    if (isNew) await file.chmod(mode);
    await file.truncate();
    await file.writeFile(content);
    await file.sync();
    return {
      ...{ type: "write_file", ok: true, artifacts: [whole] },
      bytes_before: isNew ? null : size,
      bytes_after: Buffer.byteLength(content),
    };
  } catch (error) {
    return refused(wordsOf(error));
  } finally {
    await file.close();
  }
}

function refused(message: string): Refused {
  return { type: "write_file", ok: false, error: { code: "write_failed", message } };
}
