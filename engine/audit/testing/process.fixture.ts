// The audit process, over a directory of the host that the test names, and on a disk at which it dies.

import type { FileHandle } from "node:fs/promises";
import { openCapset } from "../../wire/capset.ts";
import { startAudit } from "../audit.ts";
import type { Growing } from "../log-file.ts";
import type { Death } from "./audit-process.ts";

const { CAPOS_BOOT_ID } = process.env;
const [, , directory, death] = process.argv;

function dyingAt({ at, count, bytes }: Death): (file: FileHandle) => Growing {
  let left = count;
  return (file) => ({
    write: async (source, from, length, position) => {
      left -= at === "write" ? 1 : 0;
      if (left > 0) return await file.write(source, from, length, position);
      await file.write(source, from, Math.min(bytes, length), position);
      return await die();
    },
    datasync: async () => {
      left -= at === "sync" ? 1 : 0;
      if (left <= 0) await die();
      await file.datasync();
    },
    truncate: (length) => file.truncate(length),
  });
}

/** What was told before gets out first: a process that tells too early must not be saved by dying too early. */
async function die(): Promise<never> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  process.kill(process.pid, "SIGKILL");
  return await new Promise(() => {});
}

const growing = death === undefined ? undefined : dyingAt(JSON.parse(death));
await startAudit(openCapset(), directory, CAPOS_BOOT_ID, growing);
