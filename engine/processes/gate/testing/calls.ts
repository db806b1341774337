// Makes one call on a page with one tool, as a person or as the loop, and reads the audit's entries about the call.
import { always, tool } from "../../../lib/policy/testing/sample.ts";
import type { AuditEntry, CallRecord } from "../../../lib/wire/generated/audit.ts";
import type { PermissionMode, ToolCall, ToolResult } from "../../../lib/wire/generated/capos.ts";
import type { PolicyTables } from "../../../lib/wire/generated/policy.ts";
import { Stage, type Surroundings } from "./stage.ts";

export const never = new AbortController().signal;
export const CALL: ToolCall = { id: "1", name: "notes.write", arguments: '{"path":"a"}' };

function page(mode: PermissionMode, changes: Partial<PolicyTables> = {}): Partial<PolicyTables> {
  return { decisions: [{ clauses: [always(mode)], floors: [] }], ...changes };
}

/** Tables of a page whose only tool reads data, and does not change any. */
export const reading = { tools: [tool("notes.write", { readOnly: true })] };

/** Returns a gate whose page has one rule, with this mode. */
export function staged(mode: PermissionMode, surroundings: Surroundings = {}): Stage {
  return new Stage({ ...surroundings, tables: page(mode, surroundings.tables) });
}

/** Runs a person's own call. */
export function direct(stage: Stage, call = CALL): Promise<ToolResult> {
  return stage.gate.personCalls.call(call, never);
}

/** Runs a call that the loop proposes from the newest tool table. */
export async function propose(stage: Stage, call = CALL): Promise<ToolResult> {
  const { turn, snapshot } = await stage.described();
  return stage.gate.loopCalls.invoke({ conversation: "main", turn, snapshot, call }, never);
}

/** Returns the call in an audit entry. Throws if the entry has no call, which is a defect of the test. */
export function callIn(entry: AuditEntry | undefined): CallRecord {
  if (entry?.which === "intent") return entry.intent;
  if (entry?.which === "outcome") return entry.outcome;
  throw new Error(`no call was recorded but ${entry?.which}`);
}
