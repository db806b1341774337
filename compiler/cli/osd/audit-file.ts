// Writes the audit log of llm-osd to a file that is only appended to, one JSON object a line.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { AuditLog } from "../../../engine/outside/osd/index.ts";
import { explainRefusal } from "../../host/files.ts";
import type { World } from "../../host/world.ts";

/**
 * Opens the log. Each record is on the disk before the action that it describes has an effect. If the last record was
 * written only in part, a line end is added before the next record.
 */
export async function openLog(
  path: string,
  world: World,
): Promise<Result<{ audit: AuditLog; close: () => Promise<void> }>> {
  try {
    const flags =
      constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(path, flags, 0o600);
    const stats = await file.stat();
    if (!stats.isFile()) {
      await file.close();
      return { ok: false, reason: `${path} is not a regular file` };
    }
    const { buffer } = await file.read(Buffer.from("\n"), 0, 1, Math.max(0, stats.size - 1));
    let isTorn = buffer.toString("latin1") !== "\n";
    const append = async (record: object) => {
      try {
        await file.appendFile(`${isTorn ? "\n" : ""}${JSON.stringify(record)}\n`);
        await file.sync();
        isTorn = false;
      } catch (error) {
        isTorn = true;
        world.report(`capc llm-osd: ${explainRefusal(path, error)}\n`);
        throw error;
      }
    };
    return { ok: true, value: { audit: { append, now: () => new Date() }, close: () => file.close() } };
  } catch (error) {
    return { ok: false, reason: explainRefusal(path, error) };
  }
}
