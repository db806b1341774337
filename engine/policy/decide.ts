// The one decision. The gate runs it, the compiler proves things about it, tests and `capc why` ask it. Pure, total
// and deterministic: whatever a model writes, an answer comes back and nothing is thrown.
//
// The checks stand in the order in which they are made; the first that fails decides.
import type { Outcome } from "../wire/generated/capos.ts";
import type { Row, Tool } from "../wire/generated/policy.ts";
import { misfitOfRecord } from "./arguments.ts";
import { canonicalArguments } from "./canonical-json.ts";
import type { Conversation } from "./conversation.ts";
import { mayFlow } from "./label.ts";
import { modeOf, type PermissionMode } from "./mode.ts";
import { chargeCall } from "./quota.ts";
import { FIRST_DECISION, type IndexedTables } from "./tables.ts";

/** A proposal, as a model worded it. */
export interface Call {
  readonly tool: string;
  /** JSON text, not yet looked at. */
  readonly arguments: string;
}

export interface Refused {
  readonly kind: "refused";
  readonly outcome: Extract<Outcome, "unknownTool" | "invalidArguments" | "refusedByPolicy">;
  /** One sentence, for the model as well as for the person. */
  readonly reason: string;
  /** Absent where the call was refused before its mode was asked for. */
  readonly mode?: PermissionMode;
  /** Index into the tables' rules, where a line of the page decided. */
  readonly rule?: number;
}

export interface Gated {
  readonly kind: "gated";
  /** What has to be passed before the call runs. */
  readonly gate: Exclude<PermissionMode, "forbidden">;
  /** Index into the tables' tools. */
  readonly tool: number;
  /** Canonical: these characters and no others are shown, audited and sent. */
  readonly arguments: string;
  readonly rule: number;
  readonly reason: string;
  /** The conversation's counters once the call is charged. */
  readonly spent: readonly bigint[];
}

export type Decision = Refused | Gated;

export function decide(tables: IndexedTables, conversation: Conversation, call: Call): Decision {
  const row = tables.rows[conversation.row];
  const index = tables.toolIndex.get(call.tool) ?? -1;
  const tool = tables.tools[index];
  const list = tables.decisions[(row?.cells[index] ?? 0) - FIRST_DECISION];
  if (row === undefined || tool === undefined || list === undefined) {
    return refused("unknownTool", "no such tool is offered in this session");
  }

  const args = canonicalArguments(call.arguments);
  if (!args.ok) return refused("invalidArguments", args.reason);
  const misfit = misfitOfRecord(tool.params, args.value.value);
  if (misfit !== undefined) return refused("invalidArguments", misfit);

  const { mode, rule } = modeOf(list, args.value.value, conversation.label, conversation.unattended);
  const words = tables.rules[rule]?.words ?? "";
  const refusedAt = (reason: string, by?: number) => refused("refusedByPolicy", reason, { mode, rule: by });
  if (mode === "forbidden") return refusedAt(`forbidden in this session by "${words}"`, rule);

  const leak = leakOf(tool, row, conversation);
  if (leak !== undefined) return refusedAt(leak);

  const bytes = Buffer.byteLength(args.value.text);
  const charge = { tool, bytes, prompts: mode === "auto" ? 0 : 1 };
  const { spent, exhausted } = chargeCall(tables, row, conversation, charge);
  if (exhausted) return refusedAt(`used up: ${tables.rules[exhausted.rule]?.words}`, exhausted.rule);

  if (mode !== "auto" && conversation.unattended && row.task === "") {
    return refusedAt("nobody is there to be asked", rule);
  }
  return {
    kind: "gated",
    gate: mode,
    tool: index,
    arguments: args.value.text,
    rule,
    reason: `${mode} by "${words}"`,
    spent,
  };
}

/** Why the arguments may not reach the provider, or the result would be above the session. */
function leakOf(tool: Tool, row: Row, conversation: Conversation): string | undefined {
  const exempt = tool.readOnly && !tool.networked;
  if (!exempt && !mayFlow(conversation.label, tool.sink))
    return "this conversation has seen what may not flow to this tool";
  const unseen = !tool.readOnly && !mayFlow(tool.result.high, row.clearance);
  return unseen ? "its result may be above what this session is cleared for" : undefined;
}

interface By {
  readonly mode?: PermissionMode;
  readonly rule?: number | undefined;
}

function refused(outcome: Refused["outcome"], reason: string, { mode, rule }: By = {}): Refused {
  return { kind: "refused", outcome, reason, ...(mode && { mode }), ...(rule === undefined ? {} : { rule }) };
}
