// The one decision. The gate runs it, the compiler proves things about it, tests and `capc why` ask it. Pure, total
// and deterministic: whatever a model writes, an answer comes back and nothing is thrown.
//
// The checks stand in the order in which they are made; the first that fails decides.
import type { Outcome } from "../wire/generated/capos.ts";
import { misfitOfRecord } from "./arguments.ts";
import { canonicalArguments } from "./canonical-json.ts";
import type { Conversation } from "./conversation.ts";
import { flowOf, type Releasing } from "./flow.ts";
import { isStricter, modeOf, type PermissionMode } from "./mode.ts";
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
  /** Where the gate is that of a release, the rule is the release's too. */
  readonly rule: number;
  readonly reason: string;
  /** The conversation's counters once the call is charged. */
  readonly spent: readonly bigint[];
  /**
   * Index into the tables' releases: without it the arguments might not flow to the tool. A person has to see them in full,
   * and the words of the release.
   */
  readonly release?: number;
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

  const asked = modeOf(list, args.value.value, conversation.label, conversation.unattended);
  const refusedAt = (reason: string, by?: number) => refused("refusedByPolicy", reason, { mode: asked.mode, rule: by });
  const words = (rule: number) => tables.rules[rule]?.words ?? "";
  if (asked.mode === "forbidden") return refusedAt(`forbidden in this session by "${words(asked.rule)}"`, asked.rule);

  const flow = flowOf(tables, row, conversation, index);
  if (!flow.ok) return refusedAt(flow.reason);
  const gate = gateOf(asked.mode, asked.rule, flow.value);

  const bytes = Buffer.byteLength(args.value.text);
  const charge = { tool, bytes, prompts: gate.mode === "auto" ? 0 : 1 };
  const { spent, exhausted } = chargeCall(tables, row, conversation, charge);
  if (exhausted) return refusedAt(`used up: ${words(exhausted.rule)}`, exhausted.rule);

  if (gate.mode !== "auto" && conversation.unattended && row.task === "") {
    return refusedAt("nobody is there to be asked", gate.rule);
  }
  const releasing = flow.value;
  const other = releasing !== undefined && releasing.release.rule !== gate.rule;
  const released = other ? `, released by "${words(releasing.release.rule)}"` : "";
  return {
    kind: "gated",
    gate: gate.mode,
    tool: index,
    arguments: args.value.text,
    rule: gate.rule,
    reason: `${gate.mode} by "${words(gate.rule)}"${released}`,
    spent,
    ...(releasing === undefined ? {} : { release: releasing.index }),
  };
}

/** The gate of the line and that of the release: both have to be passed, hence the stricter. */
function gateOf(mode: Gated["gate"], rule: number, releasing: Releasing | undefined): Gating {
  const other = releasing?.release;
  // A release behind no gate at all is refused where tables are loaded.
  if (other === undefined || other.gate === "forbidden" || !isStricter(other.gate, mode)) return { mode, rule };
  return { mode: other.gate, rule: other.rule };
}

interface Gating {
  readonly mode: Gated["gate"];
  readonly rule: number;
}

interface By {
  readonly mode?: PermissionMode;
  readonly rule?: number | undefined;
}

function refused(outcome: Refused["outcome"], reason: string, { mode, rule }: By = {}): Refused {
  return { kind: "refused", outcome, reason, ...(mode && { mode }), ...(rule === undefined ? {} : { rule }) };
}
