// The one decision. The gate runs it, the compiler proves things about it, tests and `capc why` ask it. Pure, total
// and deterministic: whatever a model writes, an answer comes back and nothing is thrown.
//
// The checks stand in the order in which they are made; the first that fails decides.
import type { Outcome } from "../wire/generated/capos.ts";
import type { Tool } from "../wire/generated/policy.ts";
import { misfitOfRecord } from "./arguments.ts";
import { fitsAtSight } from "./at-sight.ts";
import { canonicalArguments } from "./canonical-json.ts";
import { type Cell, cellOf } from "./cell.ts";
import type { Conversation } from "./conversation.ts";
import { flowFrom, type Releasing } from "./flow.ts";
import { Bare, type JsonRecord } from "./json-reader.ts";
import { isStricter, modeOf, type PermissionMode, type Ruled } from "./mode.ts";
import { chargeCall, UNCOUNTED } from "./quota.ts";
import { reasonOf, reasonOfRelease, wordsOf } from "./reason.ts";
import type { IndexedTables } from "./tables.ts";

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
  const index = tables.toolIndex.get(call.tool);
  if (index === undefined) return NOT_OFFERED;
  const tool = tables.tools[index];
  const cell = cellOf(tables, conversation.row, index);
  if (tool === undefined || cell === undefined) return NOT_OFFERED;

  const text = call.arguments;
  if (cell.outline !== undefined && fitsAtSight(cell.outline, text)) {
    return judge(tables, conversation, { cell, index, tool, text, record: UNASKED });
  }
  const args = canonicalArguments(text);
  if (!args.ok) return refused("invalidArguments", args.reason);
  const misfit = misfitOfRecord(tool.params, args.value.value);
  if (misfit !== undefined) return refused("invalidArguments", misfit);
  return judge(tables, conversation, { cell, index, tool, text: args.value.text, record: args.value.value });
}

/** A call of a tool that is there, with arguments that fit it. */
interface Fitting {
  readonly cell: Cell;
  readonly index: number;
  readonly tool: Tool;
  /** Canonical. */
  readonly text: string;
  readonly record: JsonRecord;
}

/** Where no line asks what the arguments say. */
const UNASKED: JsonRecord = Object.freeze(new Bare());

function judge(tables: IndexedTables, conversation: Conversation, fitting: Fitting): Decision {
  const { cell, index, tool, text, record } = fitting;
  const { row, list, settled } = cell;
  const asked = settled ?? modeOf(list, record, conversation.label, conversation.unattended);
  const { mode } = asked;
  if (!mayRun(asked)) {
    return refusedIn(mode, `forbidden in this session by ${wordsOf(tables, asked.rule)}`, asked.rule);
  }
  const flow = flowFrom(tables, row, conversation, index, cell);
  if (!flow.ok) return refusedIn(mode, flow.reason);
  const releasing = flow.value;
  const gating = releasing === undefined ? asked : gateOf(asked, releasing);
  const { mode: gate, rule } = gating;

  const prompts = gate === "auto" ? 0 : 1;
  const { spent, exhausted } =
    row.quotas.length === 0 ? UNCOUNTED : chargeCall(tables, row, conversation, { tool, arguments: text, prompts });
  if (exhausted) return refusedIn(mode, `used up: ${tables.rules[exhausted.rule]?.words}`, exhausted.rule);

  if (gate !== "auto" && conversation.unattended && row.task === "") {
    return refusedIn(mode, "nobody is there to be asked", rule);
  }
  const reason =
    releasing === undefined
      ? (settled?.reason ?? reasonOf(tables, gating))
      : reasonOfRelease(tables, gating, releasing);
  const passing: Gated = { kind: "gated", gate, tool: index, arguments: text, rule, reason, spent };
  return releasing === undefined ? passing : { ...passing, release: releasing.index };
}

interface Gating extends Ruled {
  readonly mode: Gated["gate"];
}

function mayRun(asked: Ruled): asked is Gating {
  return asked.mode !== "forbidden";
}

/** The gate of the line and that of the release: both have to be passed, hence the stricter. */
function gateOf(asked: Gating, { release: { gate, rule } }: Releasing): Gating {
  // A release behind no gate at all is refused where tables are loaded.
  return gate !== "forbidden" && isStricter(gate, asked.mode) ? { mode: gate, rule } : asked;
}

const NOT_OFFERED: Refused = refused("unknownTool", "no such tool is offered in this session");

function refused(outcome: Refused["outcome"], reason: string): Refused {
  return { kind: "refused", outcome, reason };
}

/** By the policy. `rule`: the line of the page that decided. */
function refusedIn(mode: PermissionMode, reason: string, rule?: number): Refused {
  return { kind: "refused", outcome: "refusedByPolicy", reason, mode, ...(rule === undefined ? {} : { rule }) };
}
