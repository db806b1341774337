// AuditLog over one connection. The writer of a record is the holder of the connection, as init named it; what a holder says
// of itself is not asked for.

import type { IncomingGrant } from "../wire/capset.ts";
import type { AuditEntry, AuditRecord } from "../wire/generated/audit.ts";
import { AuditLog } from "../wire/generated/wire.ts";
import { type Failure, failure, implement, type Serving, serveInterface } from "../wire/index.ts";
import { NO_HASH } from "./record.ts";
import type { Receipt, Store } from "./store.ts";

/** What AuditLog answers from: a store, or the reason why there is none. */
export interface Log {
  readonly store: Store | undefined;
  /** Why nothing is recorded; meaningless beside a store. */
  readonly reason: string;
  readonly policyDigest: Uint8Array;
}

export function serveAudit({ stream, holder }: Pick<IncomingGrant, "stream" | "holder">, log: Log): Serving {
  const { store, policyDigest } = log;
  const serving = serveInterface(stream, [
    implement(AuditLog, {
      append: async ({ entry }) => append(log, holder, entry),
      status: async () => {
        const newest: Receipt = store?.newest ?? { sequence: 0n, hash: NO_HASH };
        return { durable: store?.isDurable === true, ...newest, policyDigest };
      },
      tail: async ({ count }) => tail(log, holder, count),
    }),
  ]);
  void recordCutOff(serving, holder, store);
  return serving;
}

async function append({ store, reason }: Log, holder: string, entry: AuditEntry): Promise<Receipt | Failure> {
  if (store === undefined) return failure("failed", reason);
  if (entry.which === "boot") return failure("malformed", "the boot record is written by the audit itself");
  const receipt = await store.append(holder, entry);
  return receipt.ok ? receipt.value : failure("failed", receipt.reason);
}

async function tail({ store, reason }: Log, holder: string, count: number) {
  if (store === undefined) return failure("failed", reason);
  const records = await store.tail(holder, count);
  const given: { readonly records: readonly AuditRecord[] } | Failure = records.ok
    ? { records: records.value }
    : failure("failed", records.reason);
  return given;
}

/** A peer that breaks the rules of its connection is cut off by the wire, and that is on record. */
async function recordCutOff(serving: Serving, holder: string, store: Store | undefined): Promise<void> {
  const { fault, reason } = await serving.closed;
  if (!fault) return;
  await store?.append(holder, { which: "session", session: { name: holder, event: "cut off", detail: reason } });
}
