import type { Backend, PolicyTables, Redaction, Row } from "../wire/generated/policy.ts";
import type { Conversation } from "./conversation.ts";
import { mayFlow } from "./label.ts";
import type { PermissionMode } from "./mode.ts";
import { explainTasklessness } from "./reason.ts";
import type { IndexedTables } from "./tables.ts";

/** Whether the whole prompt of a conversation may flow to a backend. */
export interface BackendStatus {
  /** Index into the tables' backends. */
  readonly backend: number;
  /** The mode that the backend's line on the page asks for. */
  readonly mode: PermissionMode;
  /** `gated`: usable after a person has passed the mode's gate. */
  readonly use: "now" | "gated" | "never";
  readonly reason: string;
}

/** Returns whether a backend is usable only while a person's approval for it is valid. */
export function isOpened({ mode }: Pick<BackendStatus, "mode">): boolean {
  return mode === "consent" || mode === "stepUp";
}

/**
 * Returns, in the page's order, whether each backend is usable now, after a gate, or never (ruling 9). `leases` are the
 * backends that a person has approved for this conversation, as long as the approval is valid.
 */
export function evaluateBackends(
  tables: IndexedTables,
  conversation: Conversation,
  leases: ReadonlySet<number>,
): readonly BackendStatus[] {
  const row = tables.rows[conversation.row];
  return (row?.backends ?? []).map(({ backend, mode }): BackendStatus => {
    const makeStanding = (use: BackendStatus["use"], reason: string): BackendStatus => ({ backend, mode, use, reason });
    if (row?.requiresTask === true) return makeStanding("never", explainTasklessness(tables, row));
    const clearance = tables.backends[backend]?.clearance;
    if (mode === "forbidden" || clearance === undefined) return makeStanding("never", "forbidden in this session");
    if (!mayFlow(conversation.label, clearance)) {
      return makeStanding("never", "this conversation has seen what may not flow to this backend");
    }
    if (mode === "auto" || leases.has(backend))
      return makeStanding("now", mode === "auto" ? "auto" : `${mode}, and open`);
    if (conversation.unattended) return makeStanding("never", "nobody is there to be asked");
    return makeStanding("gated", `${mode} first`);
  });
}

/** Returns the first backend that may answer, or `undefined` if none may. A gated backend may answer only after its gate was passed. */
export function chooseBackend(
  tables: IndexedTables,
  conversation: Conversation,
  leases: ReadonlySet<number>,
): BackendStatus | undefined {
  return evaluateBackends(tables, conversation, leases).find(({ use }) => use === "now");
}

/**
 * Returns the redactions that mask a conversation for this backend, because their labels may not flow to the backend.
 */
export function listRedactions(
  { redactions }: Pick<PolicyTables, "redactions">,
  { clearance }: Pick<Backend, "clearance">,
): readonly Redaction[] {
  return redactions.filter(({ label }) => !mayFlow(label, clearance));
}

/**
 * Returns the embedder of the session's first backend that answers without asking a person. Returns an empty name if
 * there is no such backend, or if it has no embedder.
 */
export function findEmbedder(
  { backends }: Pick<PolicyTables, "backends">,
  row: Pick<Row, "backends"> | undefined,
): string {
  const first = row?.backends.find(({ mode }) => mode === "auto");
  return (first && backends[first.backend]?.embedder) ?? "";
}
