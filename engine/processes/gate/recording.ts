import { hash } from "node:crypto";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { AuditEntry } from "../../lib/wire/generated/audit.ts";
import { AuditLog, type AuditLogAppendResults } from "../../lib/wire/generated/wire.ts";
import type { Reply } from "../../lib/wire/index.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";

const OTHER_TABLES = "the audit records under other tables than those that decide here";

/**
 * Returns whether there is a disk to record on. Fails if no call may run at all. This is so if the audit does not
 * answer, or if its log accepts no more records. It is also so if the audit's records would name other tables than the
 * gate's.
 */
export async function canRecord(audit: Neighbour, policyDigest: Uint8Array): Promise<Result<boolean>> {
  const status = await audit.call(AuditLog.methods.status, {}, { timeoutMs: NEIGHBOUR_MS });
  if (!status.ok) return refuse(`the audit does not answer: ${status.reason}`);
  const { durable, refusal } = status.value;
  if (Buffer.compare(status.value.policyDigest, policyDigest) !== 0) return refuse(OTHER_TABLES);
  if (refusal !== "") return refuse(`nothing can be recorded, so nothing may run: ${refusal}`);
  return accept(durable);
}

const TAKEN = accept(true);

/**
 * Records the calls of one session with the audit. A call without a question relies on the audit's last status, until the audit refuses a
 * record.
 */
export class Recording {
  readonly #audit: Neighbour;
  readonly #policyDigest: Uint8Array;
  #isTaken = false;
  #watched: Neighbour["closed"];

  constructor({ audit, policyDigest }: { readonly audit: Neighbour; readonly policyDigest: Uint8Array }) {
    this.#audit = audit;
    this.#policyDigest = policyDigest;
  }

  /** Invalidates the audit's last status when its connection closes, because a restarted audit has another connection. */
  #watch(): void {
    const { closed } = this.#audit;
    if (closed === this.#watched) return;
    this.#watched = closed;
    void closed?.then(() => {
      this.#isTaken = false;
    });
  }

  /**
   * The audit's last status, or `undefined` if the audit must be asked again. The last status suffices for calls
   * without a question, because the record of each call shows whether the audit still records.
   */
  get known(): Result<boolean> | undefined {
    return this.#isTaken ? TAKEN : undefined;
  }

  /** See `canRecord`. */
  async canRecord(): Promise<Result<boolean>> {
    this.#watch();
    const recording = await canRecord(this.#audit, this.#policyDigest);
    this.#isTaken = recording.ok && recording.value;
    return recording;
  }

  /**
   * Records an entry, and returns its sequence number after the entry is on the disk. Fails if the entry is not on the
   * disk, or if the audit recorded it under other policy tables than the gate's.
   */
  async append(entry: AuditEntry): Promise<Result<bigint>> {
    const reply = await this.#audit.call(AuditLog.methods.append, { entry }, { timeoutMs: NEIGHBOUR_MS });
    const isOurs = reply.ok && Buffer.compare(reply.value.policyDigest, this.#policyDigest) === 0;
    if (reply.ok && isOurs) return accept(reply.value.sequence);
    this.#isTaken = false;
    return refuse(reply.ok ? OTHER_TABLES : reply.reason);
  }
}

/** Detail of the record of an event. `withheld`: text that the page keeps out of the log, which has only its digest. */
export interface EventDetail {
  readonly detail: string;
  readonly withheld: string;
}

/** Records an event of a session that is not a call. */
export function recordEvent(
  { audit, session }: { readonly audit: Neighbour; readonly session: string },
  event: string,
  detail: string | EventDetail,
): Promise<Reply<AuditLogAppendResults>> {
  const entry = { which: "session", session: describeEvent(session, event, detail) } as const;
  return audit.call(AuditLog.methods.append, { entry }, { timeoutMs: NEIGHBOUR_MS });
}

const NOTHING = new Uint8Array();

/** Returns the audit entry that records an event. */
export function describeEvent(name: string, event: string, told: string | EventDetail) {
  if (typeof told === "string") return { name, event, detail: told, digest: NOTHING };
  const { detail, withheld } = told;
  return { name, event, detail, digest: withheld === "" ? NOTHING : hash("sha256", withheld, "buffer") };
}
