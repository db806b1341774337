// Opens a partition as a store for records. This module verifies the newest two segments of the log, and older ones if
// their records were not shipped. This module wipes a torn tail, completes an interrupted release, and never appends to
// a damaged log.

import { randomBytes } from "node:crypto";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import type { AuditKeep } from "../../lib/wire/generated/policy.ts";
import { countPlaces, readReleaseBlock } from "./batches.ts";
import { BLOCK_BYTES, MOST_BATCH_BLOCKS } from "./block.ts";
import type { Device } from "./device.ts";
import { WHOLE_LOG } from "./key-block.ts";
import { BlockLog, getErrorCode, wipeTorn } from "./log.ts";
import { RecentRecords } from "./recent.ts";
import { isSame } from "./record.ts";
import { deriveKeyAfter } from "./seals.ts";
import { SEED_BYTES } from "./signing.ts";
import { type Boot, type FindReleasable, FULL, type KeptKey, START_BYTES, Store, type StoredRecord } from "./store.ts";
import { KEY_GONE, type Verdict, verify, verifyRecords } from "./verify.ts";
import { DIGEST_KEY_BYTES } from "./withheld.ts";

/** Options of a start: the page's rule for old records, and the receivers of the records. */
interface Options {
  readonly keep?: AuditKeep;
  /** Receives the records that the start finds, and each record that is written later. */
  readonly onStored?: (stored: StoredRecord) => void;
  /**
   * Receives, in order, the older records that were not shipped, after `onStored` has received the records that every
   * start reads. If this option is absent, the older records are not read.
   */
  readonly onOlder?: ((older: StoredRecord) => void) | undefined;
}

/**
 * Repairs the log and writes the boot record. Fails if the log is damaged, full or of another key, or if the disk
 * fails. The machine then runs no call, because it could not record the call.
 */
export async function openStore(device: Device, boot: Boot, options: Options = {}): Promise<Result<Store>> {
  try {
    return await recover(device, boot, options);
  } catch (error) {
    return refuse(`the audit log cannot be opened: ${getErrorCode(error)}`);
  }
}

async function recover(
  device: Device,
  boot: Boot,
  { keep = "always", onStored = () => {}, onOlder }: Options,
): Promise<Result<Store>> {
  const recent = new RecentRecords();
  const verdict = verify(
    device,
    (found) => {
      recent.add(found);
      onStored(found);
    },
    "recent",
  );
  const { chain, length, torn, fault, size, key } = verdict;
  if (fault !== undefined) return refuse(`the audit log is damaged at byte ${fault.offset}: ${fault.reason}`);
  const older = onOlder === undefined ? undefined : readOlder(device, verdict, onOlder);
  if (older !== undefined) return refuse(`the audit log is damaged at byte ${older.offset}: ${older.reason}`);
  const bounds = key?.bounds ?? WHOLE_LOG;
  const oldest = Number(chain.segments[0]?.place ?? 0n);
  if (oldest < bounds.first)
    return refuse("the audit log is damaged: no record says that its older segments were released");
  const [places, next] = [bounds.wiped + countPlaces(size), length / BLOCK_BYTES];
  const going = chooseSealingKey(verdict);
  if (!going.ok) return refuse(`the audit log cannot be gone on with: ${going.reason}`);
  if (next > places) return refuse(`the audit log takes no boot record: ${FULL}`);
  // The bytes that were read may not be on the disk yet, if an earlier process wrote them. Appending to the log
  // acknowledges these bytes, so sync first.
  if (torn === 0) await device.sync();
  else await wipeTorn(device, next, Math.min(MOST_BATCH_BLOCKS, places - next));
  const log = new BlockLog(device, bounds, next);
  // Check first that the boot record and its seal have space: create a key only for a log that can begin.
  if (!log.hasRoom(START_BYTES)) return refuse(`the audit log takes no boot record: ${FULL}`);
  // A key must be on the disk before it signs a seal. It is not there if it is new, or if a crash came after the
  // last seal and before the next key was stored.
  const isKept = key?.epoch === going.value.epoch && key.digestKey !== undefined;
  const kept = isKept ? accept(undefined) : await log.keepKey(going.value);
  if (!kept.ok) return refuse(`the audit has no key: ${kept.reason}`);
  if (oldest > bounds.first || bounds.wiped < bounds.first) {
    const freed = await log.release(going.value, oldest);
    if (!freed.ok) return refuse(`the audit log cannot release its older segments: ${freed.reason}`);
  }
  const findReleasable = RELEASES[keep](device);
  const store = new Store({ boot, log, chain, recent, key: going.value, onStored, findReleasable });
  const booted = await store.begin(bootEntry(boot, verdict));
  return booted.ok ? accept(store) : refuse(`the audit log takes no boot record: ${booted.reason}`);
}

/**
 * Reads the records that are older than those that a start needs, unless the collector has all of them. Returns a fault, or `undefined` if
 * there is none.
 */
function readOlder(
  device: Device,
  { beyond, chain }: Verdict,
  onOlder: (older: StoredRecord) => void,
): Verdict["fault"] {
  if (beyond === undefined || chain.shipped >= beyond.sequence) return undefined;
  const steps = verifyRecords(device);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value.fault;
    const { sequence } = step.value.record;
    if (sequence > chain.shipped) onOlder(step.value);
    if (sequence === beyond.sequence) return undefined;
  }
}

/** For each rule of the page about old records: how to find the records that may be released. */
const RELEASES: Readonly<Record<AuditKeep, (device: Device) => FindReleasable>> = {
  always: () => () => ({ through: 0n, by: "shipped" }),
  untilShipped:
    () =>
    ({ shipped }) => ({ through: shipped, by: "shipped" }),
  untilExported: (device) => {
    const exported = readReleaseBlock(device);
    return ({ segments }) => {
      const isOurs = segments.some(
        ({ sequence, previous }) => sequence - 1n === exported?.sequence && isSame(previous, exported.hash),
      );
      return { through: isOurs && exported !== undefined ? exported.sequence : 0n, by: "exported" };
    };
  },
};

/**
 * Returns the key of the next seal and the key of digests. Generates both keys at the first start with this disk: no
 * image contains a key. Fails if the log is sealed and its key is missing or different.
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
