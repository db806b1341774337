// Opens a partition as a store for records. This module verifies the whole log at the start, wipes a torn tail, and
// never appends to a damaged log.

import { randomBytes } from "node:crypto";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { BLOCK_BYTES, MOST_BATCH_BLOCKS } from "./block.ts";
import type { Device } from "./device.ts";
import { BlockLog, getErrorCode, wipe } from "./log.ts";
import { RecentRecords } from "./recent.ts";
import { deriveKeyAfter } from "./seals.ts";
import { SEED_BYTES } from "./signing.ts";
import { type Boot, FULL, type KeptKey, START_BYTES, Store, type StoredRecord } from "./store.ts";
import { KEY_GONE, type Verdict, verify } from "./verify.ts";
import { DIGEST_KEY_BYTES } from "./withheld.ts";

/**
 * Repairs the log and writes the boot record. `onStored` is called for each record that was found, and for each that is
 * written. Fails with a reason, so that no call runs without a log.
 */
export async function openStore(
  device: Device,
  boot: Boot,
  onStored: (stored: StoredRecord) => void = () => {},
): Promise<Result<Store>> {
  try {
    return await recover(device, boot, onStored);
  } catch (error) {
    return refuse(`the audit log cannot be opened: ${getErrorCode(error)}`);
  }
}

async function recover(device: Device, boot: Boot, onStored: (stored: StoredRecord) => void): Promise<Result<Store>> {
  const recent = new RecentRecords();
  const verdict = verify(device.chunks(), (found) => {
    recent.add(found);
    onStored(found);
  });
  const { chain, length, torn, fault, size, key } = verdict;
  if (fault !== undefined) return refuse(`the audit log is damaged at byte ${fault.offset}: ${fault.reason}`);
  const [places, next] = [Math.max(0, Math.floor(size / BLOCK_BYTES) - 1), length / BLOCK_BYTES];
  const going = chooseSealingKey(verdict);
  if (!going.ok) return refuse(`the audit log cannot be gone on with: ${going.reason}`);
  if (next > places) return refuse(`the audit log takes no boot record: ${FULL}`);
  // The bytes that were read may not be on the disk yet, if an earlier process wrote them. Appending to the log
  // acknowledges these bytes, so sync first.
  if (torn === 0) await device.sync();
  else await wipe(device, next, Math.min(MOST_BATCH_BLOCKS, places - next));
  const log = new BlockLog(device, places, next);
  // Check first that the boot record and its seal have space: create a key only for a log that can begin.
  if (!log.hasRoom(START_BYTES)) return refuse(`the audit log takes no boot record: ${FULL}`);
  // A new key, or one that a crash left unadvanced, must be on the disk before it signs a seal.
  const isKept = key?.epoch === going.value.epoch && key.digestKey !== undefined;
  const kept = isKept ? accept(undefined) : await log.keepKey(going.value);
  if (!kept.ok) return refuse(`the audit has no key: ${kept.reason}`);
  const store = new Store({ boot, log, chain, recent, key: going.value, onStored });
  const booted = await store.begin(bootEntry(boot, verdict));
  return booted.ok ? accept(store) : refuse(`the audit log takes no boot record: ${booted.reason}`);
}

/**
 * Returns the keys of the next seal and of digests. Both keys are generated at the first start with this disk: no image
 * contains a key. Fails if the log is sealed and its key is missing or different.
 */
function chooseSealingKey({ chain, key }: Verdict): Result<KeptKey> {
  const digestKey = key?.digestKey ?? randomBytes(DIGEST_KEY_BYTES);
  if (key !== undefined) {
    const next = deriveKeyAfter(chain.sealed, key);
    return next.ok ? accept({ ...next.value, digestKey }) : next;
  }
  if (chain.sealed !== undefined) return refuse(KEY_GONE);
  return accept({ epoch: 0, seed: randomBytes(SEED_BYTES), digestKey });
}

function bootEntry({ systemId, version }: Boot, { torn, chain }: Verdict): AuditEntry {
  return { which: "boot", boot: { systemId, version, recovered: torn, orphans: chain.open } };
}
