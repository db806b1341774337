// The audit process: what it was handed at its start to the log that it serves.

import { createHash } from "node:crypto";
import { bug } from "../wire/bug.ts";
import type { Capset } from "../wire/capset.ts";
import { PolicyTables } from "../wire/generated/policy.ts";
import { decodeMessage } from "../wire/index.ts";
import type { Device } from "./device.ts";
import { openStore } from "./opening.ts";
import { type Log, serveAudit } from "./serve.ts";
import type { Boot } from "./store.ts";

/** `device`: the partition of the log; nothing where there is no data disk. `bootId`: 32 hexadecimal digits. */
export async function startAudit(capset: Capset, device: Device | undefined, bootId = ""): Promise<void> {
  if (!/^[0-9a-f]{32}$/.test(bootId)) bug("CAPOS_BOOT_ID is not 32 hexadecimal digits");
  const tables = capset.file("tables");
  const policyDigest = createHash("sha256").update(tables).digest();
  const boot: Boot = {
    ...systemOf(tables),
    bootId: Buffer.from(bootId, "hex"),
    policyDigest,
    writer: capset.name,
    time: () => ({ monotonicMs: sinceBoot(), wallMs: BigInt(Date.now()), wallSource: "rtc" }),
  };
  const log = await openLog(boot, device);
  capset.onGrant((grant) => serveAudit(grant, log));
  capset.onStop(() => closeLog(log, capset.name));
  capset.ready();
}

/** The last record says that nothing came after it in this boot; a log that ends otherwise ended with its machine. */
export async function closeLog({ store }: Log, writer: string): Promise<void> {
  if (store === undefined) return;
  const session = { name: writer, event: "ended", detail: "the machine stops in order" };
  const last = store.append(writer, { which: "session", session });
  await store.close();
  await last;
}

/** What the audit answers from: a store, or why there is none. */
export async function openLog(boot: Boot, device: Device | undefined): Promise<Log> {
  const { policyDigest } = boot;
  if (device === undefined) return { store: undefined, hasDisk: false, reason: "there is no data disk", policyDigest };
  const store = await openStore(device, boot);
  return store.ok
    ? { store: store.value, policyDigest }
    : { store: undefined, hasDisk: true, reason: store.reason, policyDigest };
}

/** Init checked the bytes against the signed manifest; that they cannot be read is a defect. */
function systemOf(tables: Uint8Array): { readonly systemId: string; readonly version: string } {
  const read = decodeMessage(PolicyTables, tables);
  if (!read.ok) return bug(`the policy tables cannot be read: ${read.reason}`);
  return { systemId: read.value.systemId, version: read.value.version };
}

/** CLOCK_MONOTONIC, which on Linux begins at boot. */
function sinceBoot(): bigint {
  return process.hrtime.bigint() / 1_000_000n;
}
