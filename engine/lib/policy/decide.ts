// The one function that decides calls. The gate runs it, the compiler proves properties of it, and tests and `capc why` call it. The
// decision is pure, total and deterministic: for any text of a model the function returns a decision and never throws.
//
// The checks are written in the order in which they run; the first that fails decides.
import type { Outcome } from "../wire/generated/capos.ts";
import { checkRecord } from "./arguments.ts";
import { canonicalizeArguments } from "./canonical-json.ts";
import { type Cell, findCell } from "./cell.ts";
import type { Conversation } from "./conversation.ts";
import { checkFlowFrom, type Releasing } from "./flow.ts";
import { BareRecord, type JsonRecord } from "./json-reader.ts";
import { computeMode, type GateMode, isStricter, type PermissionMode } from "./mode.ts";
import { isFittingAtSight } from "./plain-arguments.ts";
import { chargeCall, UNCOUNTED } from "./quota.ts";
import { citeRule, explainTasklessness, renderReason, renderReleaseReason } from "./reason.ts";
import type { IndexedTables } from "./tables.ts";

/** A proposed call, as the model wrote it. */
export interface Call {
  readonly tool: string;
  /** JSON text that was not parsed yet. */
  readonly arguments: string;
  /**
   * Reason why the arguments were refused before they were parsed; if the tool is not offered, the call is still
   * refused as a call of an unknown tool.
   */
  readonly fault?: string | undefined;
}

export interface RefusedDecision {
  readonly kind: "refused";
  readonly outcome: Extract<Outcome, "unknownTool" | "invalidArguments" | "refusedByPolicy">;
  /** Reason in one sentence, for the model as well as for the person. */
  readonly reason: string;
  /** Mode of the call; absent if the call was refused before its mode was determined. */
  readonly mode?: PermissionMode;
  /** Index into the tables' rules, if a line of the page decided. */
  readonly rule?: number;
}

export interface GatedDecision {
  readonly kind: "gated";
  /** Gate to pass before the call runs. */
  readonly gate: Exclude<PermissionMode, "forbidden">;
  /** Index into the tables' tools. */
  readonly tool: number;
  /** The arguments in canonical form: exactly these characters are shown, audited and sent. */
  readonly arguments: string;
  /** Index of the rule that decides; if a release sets the gate, it is the rule of the release. */
  readonly rule: number;
  readonly reason: string;
  /** The conversation's counters of quotas after this call is charged to them. */
  readonly spent: readonly bigint[];
  /**
   * Index into the tables' releases, if the flow to the tool needs one. A person must see the complete arguments, and the reason of
   * the release.
   */
  readonly release?: number;
}

export type Decision = RefusedDecision | GatedDecision;

export function decide(tables: IndexedTables, conversation: Conversation, call: Call): Decision {
  const row = tables.rows[conversation.row];
  if (row?.requiresTask === true) return makePolicyRefusal("forbidden", explainTasklessness(tables, row), row.taskRule);
  const index = tables.toolIndex.get(call.tool);
  const cell = index === undefined ? undefined : findCell(tables, conversation.row, index);
  if (index === undefined || cell === undefined) {
    return makeRefusal("unknownTool", "no such tool is offered in this session");
  }
  if (call.fault !== undefined) return makeRefusal("invalidArguments", call.fault);

  const { outline } = cell;
  if (outline !== undefined && isFittingAtSight(outline, call.arguments)) {
    return judge(tables, conversation, { cell, index, text: call.arguments, record: UNASKED });
  }
  const args = canonicalizeArguments(call.arguments);
  if (!args.ok) return makeRefusal("invalidArguments", args.reason);
  const misfit = checkRecord(cell.tool.params, args.value.value);
  if (misfit !== undefined) return makeRefusal("invalidArguments", misfit);
  return judge(tables, conversation, { cell, index, text: args.value.text, record: args.value.value });
}

/** Empty record in place of a call's arguments, which are not parsed if no rule has a condition on them. */
const UNASKED: JsonRecord = Object.freeze(new BareRecord());

/** A call of an existing tool with arguments that fit it. */
interface Proposed {
  readonly cell: Cell;
  /** Index into the tables' tools. */
  readonly index: number;
  /** The arguments as canonical text. */
  readonly text: string;
  /** The arguments as values; empty if no rule has conditions on them. */
  readonly record: JsonRecord;
}

/**
 * Returns the decision of the tables about a call. A decision with a gate has the counters of quotas after this call.
 */
function judge(tables: IndexedTables, conversation: Conversation, { cell, index, text, record }: Proposed): Decision {
  const { row, settled } = cell;
  const asked = settled ?? computeMode(cell.list, record, conversation);
  const { mode, rule } = asked;
  if (asked.mode === "forbidden") {
    return makePolicyRefusal(mode, `forbidden in this session by ${citeRule(tables, asked)}`, rule);
  }
  const flow = checkFlowFrom(tables, conversation, index, cell);
  if (!flow.ok) return makePolicyRefusal(mode, flow.reason);
  const releasing = flow.value;
  const gating = releasing === undefined ? asked : chooseStricterGate(asked, releasing);
  const gate = gating.mode;

  const prompts = gate === "auto" ? 0 : 1;
  const { spent, exhausted } =
    row.quotas.length === 0
      ? UNCOUNTED
      : chargeCall(tables, row, conversation, { tool: cell.tool, arguments: text, prompts });
  if (exhausted) return makePolicyRefusal(mode, `used up: ${tables.rules[exhausted.rule]?.words}`, exhausted.rule);

  if (gate !== "auto" && conversation.unattended && row.task === "") {
    return makePolicyRefusal(mode, "nobody is there to be asked", gating.rule);
  }
  const reason =
    releasing === undefined
      ? (settled?.reason ?? renderReason(tables, gating))
      : renderReleaseReason(tables, gating, releasing);
  const passing: GatedDecision = {
    kind: "gated",
    gate,
    tool: index,
    arguments: text,
    rule: gating.rule,
    reason,
    spent,
  };
  return releasing === undefined ? passing : { ...passing, release: releasing.index };
}

/** Returns the stricter of two gates: that of the rule and that of the release. The call must satisfy both. */
function chooseStricterGate(asked: GateMode, { release: { gate, rule } }: Releasing): GateMode {
  // Tables with a release behind `forbidden` are refused when they are loaded. The comparison of `gate` with
  // `forbidden` only tells the TypeScript compiler this.
  return gate !== "forbidden" && isStricter(gate, asked.mode) ? { mode: gate, rule } : asked;
}

function makeRefusal(outcome: RefusedDecision["outcome"], reason: string): RefusedDecision {
  return { kind: "refused", outcome, reason };
}

/** Returns a refusal by the policy. `rule` is the line of the page that decided. */
function makePolicyRefusal(mode: PermissionMode, reason: string, rule?: number): RefusedDecision {
  return { kind: "refused", outcome: "refusedByPolicy", reason, mode, ...(rule === undefined ? {} : { rule }) };
}
