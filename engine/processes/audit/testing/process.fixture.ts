// The audit process over a file of the host instead of a partition, on a disk that kills the process at a chosen operation.

import { openCapset } from "../../../lib/wire/capset.ts";
import { startAudit } from "../audit.ts";
import { BLOCK_BYTES } from "../block.ts";
import { type Device, openDevice } from "../device.ts";
import { openPartition } from "../partition-file.ts";
import type { Death } from "./audit-process.ts";

const { CAPOS_BOOT_ID = "" } = process.env;
const words = process.argv.slice(2);
const [path, death] = words.filter((word) => !word.startsWith("--"));
/**
 * Whether the process has begun to serve. Earlier writes and syncs of the disk do not count towards those after which
 * the process kills itself.
 */
let serves = false;

function makeDyingDevice({ at, count, bytes }: Death, device: Device): Device {
  let left = count;
  return {
    ...device,
    write: async (source, position) => {
      left -= at === "write" && serves ? 1 : 0;
      if (left > 0) return await device.write(source, position);
      // The kernel copies a write page by page, so that no write ends within a block.
      await device.write(source.subarray(0, bytes - (bytes % BLOCK_BYTES)), position);
      return await killSelf();
    },
    sync: async () => {
      left -= at === "sync" && serves ? 1 : 0;
      if (left <= 0) await killSelf();
      await device.sync();
    },
  };
}

/**
 * Kills the process after its answers so far have been sent, so that the test also gets an acknowledgement that came
 * too early.
 */
async function killSelf(): Promise<never> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  process.kill(process.pid, "SIGKILL");
  return await new Promise(() => {});
}

const device = path === undefined ? undefined : openDevice(openPartition(path));
const dying = death === undefined || device === undefined ? device : makeDyingDevice(JSON.parse(death), device);
await startAudit(openCapset(), dying, { words, bootId: CAPOS_BOOT_ID });
serves = true;
