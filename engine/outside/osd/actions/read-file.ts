import { constants } from "node:fs";
import { resolve } from "node:path";
import type { ReadAnswer, RefusalAnswer } from "../answer.ts";
import type { ReadFile } from "../plan.ts";
import { describeSystemError, type Ground, openFileAt } from "./place.ts";

/**
 * Reads at most the requested number of bytes. The function tries to read one more byte, which shows whether the file
 * is longer.
 */
export async function readFile(
  { path, max_bytes: most }: ReadFile,
  ground: Ground,
): Promise<ReadAnswer | RefusalAnswer> {
  const opened = await openFileAt(resolve(ground.folder, path), ground.own, constants.O_RDONLY);
  if (!opened.ok) return refuseRead(opened.reason);
  const file = opened.value;
  try {
    const bytes = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) break;
    }
    const content_base64 = bytes.subarray(0, Math.min(length, most)).toString("base64");
    return { type: "read_file", ok: true, content_base64, truncated: length > most };
  } catch (error) {
    return refuseRead(describeSystemError(error));
  } finally {
    await file.close();
  }
}

function refuseRead(message: string): RefusalAnswer {
  return { type: "read_file", ok: false, error: { code: "read_failed", message } };
}
