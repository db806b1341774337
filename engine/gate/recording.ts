import { accept, type Checked, refuse } from "../policy/checked.ts";
import { AuditLog, type AuditLogAppendResults } from "../wire/generated/wire.ts";
import type { Reply } from "../wire/index.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";

/**
 * Whether there is a disk to record on. Refused where nothing may happen at all: nobody answers, there is a disk and its log
 * takes no more, or the audit's records would name other tables than those that decide here.
 */
export async function canRecord(audit: Neighbour, policyDigest: Uint8Array): Promise<Checked<boolean>> {
  const status = await audit.call(AuditLog.methods.status, {}, { timeoutMs: NEIGHBOUR_MS });
  if (!status.ok) return refuse(`the audit does not answer: ${status.reason}`);
  const { durable, refusal } = status.value;
  if (Buffer.compare(status.value.policyDigest, policyDigest) !== 0) {
    return refuse("the audit records under other tables than those that decide here");
  }
  if (refusal !== "") return refuse(`nothing can be recorded, so nothing may run: ${refusal}`);
  return accept(durable);
}

/** Puts on record what happened in a session and is no call. */
export function recordEvent(
  { audit, session }: { readonly audit: Neighbour; readonly session: string },
  event: string,
  detail: string,
): Promise<Reply<AuditLogAppendResults>> {
  const entry = { which: "session", session: { name: session, event, detail } } as const;
  return audit.call(AuditLog.methods.append, { entry }, { timeoutMs: NEIGHBOUR_MS });
}
