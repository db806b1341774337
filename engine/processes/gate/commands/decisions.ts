import { FIRST_DECISION, formatLabel, type IndexedTables, renderDecisionMatrix } from "../../../lib/policy/index.ts";
import { viewFirstSources } from "../../../lib/provenance/index.ts";
import { decideAtGate } from "../../../lib/reach/decide-at-gate.ts";
import { AuditLog, Broker } from "../../../lib/wire/generated/wire.ts";
import type { Gate } from "../gate.ts";
import type { Remembered } from "../memory.ts";
import type { GateParts } from "../parts.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { findExhaustedQuota } from "../reserving.ts";
import { excerpt } from "../result.ts";
import { describeRow, describeRule } from "../sentences.ts";
import { explainSources } from "../source-words.ts";
import { collectRules } from "./covering.ts";
import { describeDecider } from "./decider.ts";
import { describeLeastChange } from "./least-change.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { describeRaises } from "./raised.ts";

/**
 * Maximum number of lines that `/policy decisions` shows; they must fit into one frame. A longer list of decisions can
 * be read only in the rendered tables.
 */
const MAX_MATRIX_LINES = 2000;

/** Explains the last call, a call by its ID, or a hypothetical call: a tool with arguments as JSON. */
export function explainDecision(parts: CommandParts, asked: string): Lines {
  const { gate } = parts;
  const [id = ""] = asked.split(/\s+/);
  if (gate.parts.tables.toolIndex.has(id)) return explainHypothetical(parts, id, asked.slice(id.length).trim());
  const call = gate.memory.findNewest(id);
  if (call === undefined) return [id === "" ? "nothing has been decided yet" : `no call ${excerpt(id)} is remembered`];
  const { tables } = gate.parts;
  const added = call.error === call.reason || call.error === "" ? "" : `, because: ${call.error}`;
  return [
    `${call.name} ${call.arguments}`,
    `decided: ${call.decided}, because: ${call.reason}`,
    `rule: ${call.asked === undefined ? describeRule(tables, call.rule) : describeDecider(tables, call.asked)}`,
    ...(call.asked === undefined ? [] : explainSources(tables, call.asked)),
    `outcome: ${call.outcome}${added}`,
    ...describeRememberedChange(tables, call),
    ...(call.asked === undefined ? [] : describeRaises(tables, gate.memory, call.asked)),
    `this conversation is at ${formatLabel(tables.lattice, gate.conversation.label)}`,
  ];
}

/**
 * Returns the least change that would loosen the decision on a call, for the state in which the call was decided.
 * Returns no lines if the policy did not decide the call.
 */
function describeRememberedChange(tables: IndexedTables, { asked, error }: Remembered): Lines {
  if (asked === undefined) return [];
  return describeLeastChange(tables, { ...asked, spent: findExhaustedQuota(tables, asked.conversation, error) });
}

/** Explains only the decision for the conversation in its current state: nobody is asked and nothing runs. */
function explainHypothetical({ gate }: CommandParts, name: string, args: string): Lines {
  const { tables } = gate.parts;
  const { conversation } = gate;
  const call = { tool: name, arguments: args === "" ? "{}" : args };
  const decision = decideAtGate(tables, conversation, call);
  const decided = decision.kind === "gated" ? decision.gate : decision.outcome;
  return [
    `${name} would be decided: ${decided}, because: ${decision.reason}`,
    `rule: ${describeDecider(tables, { conversation, call, decision })}`,
    ...explainSources(tables, { conversation, call, decision }),
    ...(decision.rule === undefined ? [] : describeAlsoDecided(gate, decision.rule, name)),
    ...describeLeastChange(tables, { conversation, call, decision }),
    ...describeRaises(tables, gate.memory, { conversation, call, decision }),
    `this conversation is at ${formatLabel(tables.lattice, conversation.label)}`,
  ];
}

/** Returns which other tools a change of this rule would affect. */
function describeAlsoDecided({ parts: { tables }, conversation }: Gate, rule: number, name: string): Lines {
  const cells = tables.rows[conversation.row]?.cells ?? [];
  const others = tables.tools.filter((tool, index) => {
    const list = tables.decisions[(cells[index] ?? 0) - FIRST_DECISION];
    return tool.name !== name && list?.clauses.some((clause) => clause.rule === rule) === true;
  });
  const names = others.map((tool) => tool.name);
  return [
    excerpt(names.length === 0 ? "no other tool hangs on that line" : `on that line hang also: ${names.join(", ")}`),
  ];
}

export async function showPolicy({ gate }: CommandParts, what: string): Promise<Lines> {
  const { tables, session, policyDigest } = gate.parts;
  if (what === "decisions") return truncateMatrix(renderDecisionMatrix(tables, viewFirstSources(tables)));
  if (what !== "") return [`/policy knows "decisions", not "${excerpt(what)}"`];
  return [
    `system ${tables.systemId} ${tables.version}, session ${session}${describeTask(gate)}`,
    `tables sha256 ${encodeHex(policyDigest)}`,
    ...(await compareAuditDigest(gate.parts)),
    ...collectRules(tables, gate.conversation.row).map((rule) => describeRule(tables, rule)),
  ];
}

function describeTask({ row, parts, conversation }: Gate): string {
  return row.task === "" ? "" : `, ${describeRow(parts.tables, conversation)}`;
}

/**
 * Returns a warning if the audit's records name other tables than the gate's, or if it is unknown which they name.
 * Otherwise returns no lines.
 */
async function compareAuditDigest({ audit, policyDigest }: GateParts): Promise<Lines> {
  const status = await audit.call(AuditLog.methods.status, {}, { timeoutMs: NEIGHBOUR_MS });
  if (!status.ok) return [`under which tables the audit records is not known: ${status.reason}`];
  const theirs = encodeHex(status.value.policyDigest);
  return theirs === encodeHex(policyDigest)
    ? []
    : [`the audit records under other tables, sha256 ${theirs}; no call runs`];
}

function encodeHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function truncateMatrix(lines: Lines): Lines {
  if (lines.length <= MAX_MATRIX_LINES) return lines;
  return [...lines.slice(0, MAX_MATRIX_LINES), `${lines.length - MAX_MATRIX_LINES} more lines are not shown`];
}

export async function showBudget({ gate }: CommandParts): Promise<Lines> {
  const { broker } = gate.parts;
  const reply = await broker.call(
    Broker.methods.remaining,
    { ...gate.place, ...gate.row },
    { timeoutMs: NEIGHBOUR_MS },
  );
  if (!reply.ok) return [`the broker does not answer: ${reply.reason}`];
  return reply.value.lines.length === 0 ? ["the page sets no quota for this session"] : reply.value.lines;
}
