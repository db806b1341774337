// From a path to a store that takes records: at the start the whole log is verified, a torn tail is cut, and a damaged log is
// never added to.

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { accept, type Checked, refuse } from "../policy/checked.ts";
import type { AuditEntry } from "../wire/generated/audit.ts";
import { chunksOf } from "./file-chunks.ts";
import { codeOf, type Growing, LogFile } from "./log-file.ts";
import { Recent } from "./recent.ts";
import { Reserve } from "./reserve.ts";
import { type Boot, Store } from "./store.ts";
import { type Verdict, verify } from "./verify.ts";

const RESERVE_NAME = "audit.reserve";

/** Opens or makes the log, brings it in order, and writes the boot record. The error is a value: no log, no call. */
export async function openStore(
  path: string,
  boot: Boot,
  growing: (file: FileHandle) => Growing = (file) => file,
): Promise<Checked<Store>> {
  try {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const handle = await open(path, flags, 0o600);
    const store = await recover(path, handle, boot, growing);
    if (!store.ok) await handle.close();
    return store;
  } catch (error) {
    return refuse(`the audit log cannot be opened: ${codeOf(error)}`);
  }
}

async function recover(
  path: string,
  handle: FileHandle,
  boot: Boot,
  growing: (file: FileHandle) => Growing,
): Promise<Checked<Store>> {
  if (!(await handle.stat()).isFile()) return refuse("the audit log is no ordinary file");
  const recent = new Recent();
  const verdict = verify(chunksOf(handle.fd), (found) => recent.add(found));
  const { chain, length, torn, fault } = verdict;
  if (fault !== undefined) return refuse(`the audit log is damaged at byte ${fault.offset}: ${fault.reason}`);
  if (torn > 0) await handle.truncate(length);
  await handle.sync();
  await syncDirectory(dirname(path));
  const made = await Reserve.make(join(dirname(path), RESERVE_NAME), growing);
  if (!made.ok) return refuse(`the audit's reserve cannot be made: ${made.reason}`);
  const { reserve, isHeld } = made.value;
  const store = new Store({ boot, handle, file: new LogFile(growing(handle), length), chain, recent, reserve });
  if (!isHeld) await store.giveUpReserve();
  const booted = await store.append(boot.writer, bootEntry(boot, verdict));
  if (booted.ok) return accept(store);
  await reserve.close();
  return refuse(`the audit log takes no boot record: ${booted.reason}`);
}

function bootEntry({ systemId, version }: Boot, { torn, chain }: Verdict): AuditEntry {
  return { which: "boot", boot: { systemId, version, recovered: torn, orphans: chain.open } };
}

/** A new file is on the disk only when its directory is. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
