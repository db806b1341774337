// The audit process: what it was handed at its start to the log that it serves.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { bug } from "../wire/bug.ts";
import type { Capset } from "../wire/capset.ts";
import { PolicyTables } from "../wire/generated/policy.ts";
import { decodeMessage } from "../wire/index.ts";
import type { Growing } from "./log-file.ts";
import { openStore } from "./opening.ts";
import { type Log, serveAudit } from "./serve.ts";
import type { Boot } from "./store.ts";

const LOG_NAME = "audit.log";

/**
 * `directory`: where the log lies; nothing where there is no data disk. `bootId`: 32 hexadecimal digits. `growing`: what the
 * log is written through.
 */
export async function startAudit(
  capset: Capset,
  directory: string | undefined,
  bootId = "",
  growing?: (file: FileHandle) => Growing,
): Promise<void> {
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
  const log = await openLog(boot, directory, growing);
  capset.onGrant((grant) => serveAudit(grant, log));
  capset.onStop(() => closeLog(log, capset.name));
  capset.ready();
}

/** The last record says that nothing came after it in this boot; a log that ends otherwise ended with its machine. */
export async function closeLog({ store }: Log, writer: string): Promise<void> {
  if (store === undefined) return;
  const session = { name: writer, event: "ended", detail: "the machine stops in order" };
  await store.append(writer, { which: "session", session });
  await store.close();
}

/** What the audit answers from: a store, or why there is none. */
export async function openLog(
  boot: Boot,
  directory: string | undefined,
  growing?: (file: FileHandle) => Growing,
): Promise<Log> {
  const { policyDigest } = boot;
  if (directory === undefined)
    return { store: undefined, hasDisk: false, reason: "there is no data disk", policyDigest };
  const store = await openStore(join(directory, LOG_NAME), boot, growing);
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

/** The granted directory where a disk is mounted there: the root file system, which is never written, has none. */
export function directoryOnDisk(path: string): string | undefined {
  const here = statSync(path, { throwIfNoEntry: false });
  return here?.isDirectory() === true && here.dev !== statSync("/").dev ? path : undefined;
}
