// Serves AuditLog over one connection. The writer of a record is the holder that init named; a holder's own claims do not count.

import type { IncomingGrant } from "../../lib/wire/capset.ts";
import type { AuditEntry, AuditRecord } from "../../lib/wire/generated/audit.ts";
import { AuditLog } from "../../lib/wire/generated/wire.ts";
import { type Failure, implement, makeFailure, type Serving, serveInterface } from "../../lib/wire/index.ts";
import { NO_HASH } from "./record.ts";
import type { Shipper } from "./shipping/shipper.ts";
import type { Receipt, Store } from "./store.ts";

/** The log that the interface AuditLog serves: a store, or the reason why there is none. */
export type Log =
  | {
      readonly store: Store;
      readonly policyDigest: Uint8Array;
      /** Present if the page names a collector. */
      readonly shipper?: Shipper | undefined;
    }
  | {
      readonly store: undefined;
      /**
       * Whether there is a disk whose log cannot be used. If there is, no call may run, not even a call that only
       * reads.
       */
      readonly hasDisk: boolean;
      readonly reason: string;
      readonly policyDigest: Uint8Array;
    };

const NOTHING = new Uint8Array(0);
/** Kinds of records that only the audit itself writes. */
const OWN_RECORDS: readonly string[] = ["boot", "seal", "shipped", "checkpoint", "released"];

export function serveAudit({ stream, holder }: Pick<IncomingGrant, "stream" | "holder">, log: Log): Serving {
  const { store, policyDigest } = log;
  const serving = serveInterface(stream, [
    implement(AuditLog, {
      append: async ({ entry }) => append(log, holder, entry),
      status: async () => {
        const newest: Receipt = store?.newest ?? { sequence: 0n, hash: NO_HASH };
        const refusal = describeRefusal(log);
        const { auditKey: key = NOTHING, sequence: sealed = 0n } = store?.sealed ?? {};
        return {
          durable: store !== undefined && refusal === "",
          ...newest,
          policyDigest,
          refusal,
          key,
          sealed,
          shipping: describeShipping(log),
          taken: store?.taken ?? 0,
        };
      },
      tail: async ({ count }) => tail(log, holder, count),
    }),
  ]);
  void recordCutOff(serving, holder, store);
  return serving;
}

function describeShipping(log: Log): string {
  return log.store === undefined ? "" : (log.shipper?.words ?? "");
}

function describeRefusal(log: Log): string {
  if (log.store !== undefined) return log.store.refusal ?? "";
  return log.hasDisk ? log.reason : "";
}

async function append(
  log: Log,
  holder: string,
  entry: AuditEntry,
): Promise<(Receipt & { readonly policyDigest: Uint8Array }) | Failure> {
  const { store, policyDigest } = log;
  if (store === undefined) return makeFailure("failed", log.reason);
  if (OWN_RECORDS.includes(entry.which))
    return makeFailure("malformed", `a ${entry.which} record is written by the audit itself`);
  const receipt = await store.append(holder, entry);
  if (!receipt.ok) return makeFailure("failed", receipt.reason);
  const { sequence, hash } = receipt.value;
  return { sequence, hash, policyDigest };
}

async function tail(log: Log, holder: string, count: number) {
  if (log.store === undefined) return makeFailure("failed", log.reason);
  const records = await log.store.readTail(holder, count);
  const given: { readonly records: readonly AuditRecord[] } | Failure = records.ok
    ? { records: records.value }
    : makeFailure("failed", records.reason);
  return given;
}

/** Records that a peer broke the rules of its connection and was disconnected. */
async function recordCutOff(serving: Serving, holder: string, store: Store | undefined): Promise<void> {
  const { fault, reason } = await serving.closed;
  if (!fault) return;
  await store?.append(holder, {
    which: "session",
    session: { name: holder, event: "cut off", detail: reason, digest: NOTHING },
  });
}
