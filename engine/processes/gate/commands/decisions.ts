import { decide, decisionMatrix, FIRST_DECISION, type IndexedTables, labelText } from "../../../lib/policy/index.ts";
import { AuditLog, Broker } from "../../../lib/wire/generated/wire.ts";
import type { GateParts } from "../call-run.ts";
import type { Gate } from "../gate.ts";
import type { Remembered } from "../memory.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { spentQuota } from "../reserving.ts";
import { excerpt } from "../result.ts";
import { placeWords, ruleWords } from "../words.ts";
import { rulesOf } from "./covering.ts";
import { leastChange } from "./least-change.ts";
import type { CommandParts, Lines } from "./parts.ts";
import { raisedLines } from "./raised.ts";

/** An answer is one frame; what is larger is read from the tables' own text. */
const MAX_MATRIX_LINES = 2000;

/** About the last call, about one by its id, or about one that nobody has made: a tool, and arguments as JSON. */
export function why(parts: CommandParts, asked: string): Lines {
  const { gate } = parts;
  const [id = ""] = asked.split(/\s+/);
  if (gate.parts.tables.toolIndex.has(id)) return whyWould(parts, id, asked.slice(id.length).trim());
  const call = gate.memory.newest(id);
  if (call === undefined) return [id === "" ? "nothing has been decided yet" : `no call ${excerpt(id)} is remembered`];
  const { tables } = gate.parts;
  const added = call.error === call.reason || call.error === "" ? "" : `, because: ${call.error}`;
  return [
    `${call.name} ${call.arguments}`,
    `decided: ${call.decided}, because: ${call.reason}`,
    `rule: ${ruleWords(tables, call.rule)}`,
    `outcome: ${call.outcome}${added}`,
    ...leastChangeOf(tables, call),
    ...(call.asked === undefined ? [] : raisedLines(tables, gate.memory, call.asked)),
    `this conversation is at ${labelText(tables.lattice, gate.conversation.label)}`,
  ];
}

/** Of a call as it was decided then; nothing where the policy did not come to decide it. */
function leastChangeOf(tables: IndexedTables, { asked, error }: Remembered): Lines {
  if (asked === undefined) return [];
  return leastChange(tables, { ...asked, spent: spentQuota(tables, asked.conversation, error) });
}

/** Nobody is asked and nothing runs: it is the decision alone, of this conversation as it is now. */
function whyWould({ gate }: CommandParts, name: string, args: string): Lines {
  const { tables } = gate.parts;
  const { conversation } = gate;
  const call = { tool: name, arguments: args === "" ? "{}" : args };
  const decision = decide(tables, conversation, call);
  const decided = decision.kind === "gated" ? decision.gate : decision.outcome;
  return [
    `${name} would be decided: ${decided}, because: ${decision.reason}`,
    `rule: ${ruleWords(tables, decision.rule)}`,
    ...(decision.rule === undefined ? [] : alsoDecided(gate, decision.rule, name)),
    ...leastChange(tables, { conversation, call, decision }),
    ...raisedLines(tables, gate.memory, { conversation, call, decision }),
    `this conversation is at ${labelText(tables.lattice, conversation.label)}`,
  ];
}

/** What else a change of that line would change. */
function alsoDecided({ parts: { tables }, conversation }: Gate, rule: number, name: string): Lines {
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

export async function policy({ gate }: CommandParts, what: string): Promise<Lines> {
  const { tables, session, policyDigest } = gate.parts;
  if (what === "decisions") return matrixLines(decisionMatrix(tables));
  if (what !== "") return [`/policy knows "decisions", not "${excerpt(what)}"`];
  return [
    `system ${tables.systemId} ${tables.version}, session ${session}${inTask(gate)}`,
    `tables sha256 ${hex(policyDigest)}`,
    ...(await auditsDigest(gate.parts)),
    ...rulesOf(tables, gate.conversation.row).map((rule) => ruleWords(tables, rule)),
  ];
}

function inTask({ row, parts, conversation }: Gate): string {
  return row.task === "" ? "" : `, ${placeWords(parts.tables, conversation)}`;
}

/** Nothing where the audit records under the same tables. */
async function auditsDigest({ audit, policyDigest }: GateParts): Promise<Lines> {
  const status = await audit.call(AuditLog.methods.status, {}, { timeoutMs: NEIGHBOUR_MS });
  if (!status.ok) return [`under which tables the audit records is not known: ${status.reason}`];
  const theirs = hex(status.value.policyDigest);
  return theirs === hex(policyDigest) ? [] : [`the audit records under other tables, sha256 ${theirs}; no call runs`];
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function matrixLines(lines: Lines): Lines {
  if (lines.length <= MAX_MATRIX_LINES) return lines;
  return [...lines.slice(0, MAX_MATRIX_LINES), `${lines.length - MAX_MATRIX_LINES} more lines are not shown`];
}

export async function budget({ gate }: CommandParts): Promise<Lines> {
  const { broker } = gate.parts;
  const reply = await broker.call(
    Broker.methods.remaining,
    { ...gate.place, ...gate.row },
    { timeoutMs: NEIGHBOUR_MS },
  );
  if (!reply.ok) return [`the broker does not answer: ${reply.reason}`];
  return reply.value.lines.length === 0 ? ["the page sets no quota for this session"] : reply.value.lines;
}
