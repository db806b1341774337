// From a partition to a store that takes records: at the start the whole log is verified, a torn tail is wiped, and a damaged
// log is never added to.

import { accept, type Checked, refuse } from "../policy/checked.ts";
import type { AuditEntry } from "../wire/generated/audit.ts";
import { BLOCK_BYTES, MOST_BATCH_BLOCKS } from "./block.ts";
import type { Device } from "./device.ts";
import { BlockLog, codeOf, wipe } from "./log.ts";
import { Recent } from "./recent.ts";
import { type Boot, Store } from "./store.ts";
import { type Verdict, verify } from "./verify.ts";

/** Brings the log in order and writes the boot record. The error is a value: no log, no call. */
export async function openStore(device: Device, boot: Boot): Promise<Checked<Store>> {
  try {
    return await recover(device, boot);
  } catch (error) {
    return refuse(`the audit log cannot be opened: ${codeOf(error)}`);
  }
}

async function recover(device: Device, boot: Boot): Promise<Checked<Store>> {
  const recent = new Recent();
  const verdict = verify(device.chunks(), (found) => recent.add(found));
  const { chain, length, torn, fault, size } = verdict;
  if (fault !== undefined) return refuse(`the audit log is damaged at byte ${fault.offset}: ${fault.reason}`);
  const [places, next] = [Math.floor(size / BLOCK_BYTES), length / BLOCK_BYTES];
  // What was read may be in memory alone, if a process before this one wrote it: it is acknowledged by going on from it.
  if (torn === 0) await device.sync();
  else await wipe(device, next, Math.min(MOST_BATCH_BLOCKS, places - next));
  const store = new Store({ boot, log: new BlockLog(device, places, next), chain, recent });
  const booted = await store.append(boot.writer, bootEntry(boot, verdict));
  return booted.ok ? accept(store) : refuse(`the audit log takes no boot record: ${booted.reason}`);
}

function bootEntry({ systemId, version }: Boot, { torn, chain }: Verdict): AuditEntry {
  return { which: "boot", boot: { systemId, version, recovered: torn, orphans: chain.open } };
}
