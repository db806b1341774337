// Starts the audit process: serves the log on the connections that init gave to the process.

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { bug } from "../../lib/result/bug.ts";
import { refuse } from "../../lib/result/result.ts";
import type { Capset } from "../../lib/wire/capset.ts";
import { SyslogExit } from "../../lib/wire/generated/egress.ts";
import { type AuditKeep, PolicyTables } from "../../lib/wire/generated/policy.ts";
import { decodeMessage } from "../../lib/wire/index.ts";
import type { Surroundings } from "../../lib/wire/program.ts";
import type { Device } from "./device.ts";
import { openStore } from "./opening.ts";
import { type Log, serveAudit } from "./serve.ts";
import { COLLECTOR, sendAsSyslog, sendTo, waitFor } from "./shipping/collector.ts";
import { renderRequestBody } from "./shipping/otlp.ts";
import { Shipper } from "./shipping/shipper.ts";
import { renderMessages } from "./shipping/syslog.ts";
import type { Boot, StoredRecord } from "./store.ts";

const NOTHING = new Uint8Array(0);

/** The arguments of the process, and the identifier of the boot, 32 hexadecimal digits. */
type Told = Pick<Surroundings, "bootId" | "words">;

/** Starts the audit. `device` is the partition of the log; it is absent if the machine has no data disk. */
export async function startAudit(capset: Capset, device: Device | undefined, { bootId, words }: Told): Promise<void> {
  if (!/^[0-9a-f]{32}$/.test(bootId)) bug("CAPOS_BOOT_ID is not 32 hexadecimal digits");
  const bytes = capset.file("tables");
  const policyDigest = createHash("sha256").update(bytes).digest();
  const { systemId, version, tools, audit } = readTables(bytes);
  const boot: Boot = {
    systemId,
    version,
    bootId: Buffer.from(bootId, "hex"),
    policyDigest,
    writer: capset.name,
    time: () => ({ monotonicMs: readUptimeMs(), wallMs: BigInt(Date.now()), wallSource: "rtc" }),
  };
  const shipper = capset.held.has(COLLECTOR)
    ? createShipper(capset, { boot, words, tools: new Set(tools.map(({ name }) => name)), log: () => log })
    : undefined;
  const log = await openLog(boot, device, { shipper, keep: audit.keep });
  if (log.store !== undefined) shipper?.start();
  capset.onGrant((grant) => serveAudit(grant, log));
  capset.onStop(() => closeLog(log, capset.name));
  capset.ready();
}

/** Writes the last record of the boot. If the log of a boot ends with another record, the machine stopped without an orderly shutdown. */
async function closeLog(log: Log, writer: string): Promise<void> {
  const { store } = log;
  if (store === undefined) return;
  await log.shipper?.stop();
  const session = { name: writer, event: "ended", detail: "the machine stops in order", digest: NOTHING };
  const last = store.append(writer, { which: "session", session });
  await store.close();
  await last;
}

/** Returns the log that the audit serves: an opened store, or the reason why no store could be opened. */
export async function openLog(
  boot: Boot,
  device: Device | undefined,
  { shipper, keep = "always" }: { readonly shipper?: Shipper | undefined; readonly keep?: AuditKeep } = {},
): Promise<Log> {
  const { policyDigest } = boot;
  if (device === undefined) return { store: undefined, hasDisk: false, reason: "there is no data disk", policyDigest };
  const onStored = (stored: StoredRecord) => shipper?.add(stored);
  const store = await openStore(device, boot, {
    keep,
    onStored,
    onOlder: shipper && ((older) => shipper.addOlder(older)),
  });
  return store.ok
    ? { store: store.value, policyDigest, shipper }
    : { store: undefined, hasDisk: true, reason: store.reason, policyDigest };
}

interface Shipped {
  readonly boot: Boot;
  readonly words: readonly string[];
  readonly tools: ReadonlySet<string>;
  /** Returns the log; it must not be called before the log is open. */
  readonly log: () => Log;
}

/** Returns the shipper, which sends records to the page's collector through the only endpoint of this process. */
function createShipper(capset: Capset, { boot, words, tools, log }: Shipped): Shipper {
  const connection = capset.connection(COLLECTOR);
  const { values } = parseArgs({
    args: [...words],
    options: { collector: { type: "string" } },
    allowPositionals: true,
  });
  const path = values.collector ?? bug("a collector without a path");
  const isSyslog = capset.held.get(COLLECTOR) === SyslogExit.id;
  const nothing = refuse("there is no log");
  return new Shipper({
    send: isSyslog
      ? (found, origin, signal) => sendAsSyslog(connection, renderMessages(found, origin), signal)
      : (found, origin, signal) => sendTo(connection, path, renderRequestBody(found, origin), signal),
    read: async (stored) => (await log().store?.read(stored)) ?? nothing,
    note: async (shipped) => (await log().store?.append(boot.writer, { which: "shipped", shipped }))?.ok === true,
    wait: waitFor,
    origin: () => {
      const instance = Buffer.from(log().store?.sealed?.auditKey ?? []).toString("hex");
      return { systemId: boot.systemId, version: boot.version, instance, tools };
    },
  });
}

/** Reads the tables. Init checked the bytes against the signed manifest, so unreadable bytes are a defect. */
function readTables(bytes: Uint8Array): PolicyTables {
  const read = decodeMessage(PolicyTables, bytes);
  return read.ok ? read.value : bug(`the policy tables cannot be read: ${read.reason}`);
}

/** Returns the time of CLOCK_MONOTONIC, which on Linux begins at boot. */
function readUptimeMs(): bigint {
  return process.hrtime.bigint() / 1_000_000n;
}
