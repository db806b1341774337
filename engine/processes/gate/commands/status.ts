// Shows the status of this session: the conversation, its records on the disk and at the collector, and its stored
// data.
import { formatLabel } from "../../../lib/policy/index.ts";
import { ConversationStore } from "../../../lib/wire/generated/conversations.ts";
import type { AuditKeep } from "../../../lib/wire/generated/policy.ts";
import { AuditLog } from "../../../lib/wire/generated/wire.ts";
import { NEIGHBOUR_MS } from "../ports.ts";
import { excerpt } from "../result.ts";
import { describeRow } from "../sentences.ts";
import { describeLock } from "./login.ts";
import type { CommandParts, Lines } from "./parts.ts";

/** Percentage of used log space from which on `/status` warns. */
const MUCH = 80;

export async function showStatus(parts: CommandParts): Promise<Lines> {
  const { gate } = parts;
  const { tables } = gate.parts;
  const { conversation, turn } = gate.place;
  const label = formatLabel(tables.lattice, gate.conversation.label);
  return [
    `conversation ${conversation}, turn ${turn}, at ${label}, in ${describeRow(tables, gate.conversation)}`,
    ...(gate.seat.hasLogin ? [`${gate.seat.principal} is logged in; ${describeLock(gate)}`] : []),
    ...(await describeRecorded(parts)),
    ...(await describeKept(parts)),
  ];
}

/** Returns how much the audit has on the disk, and how much an outside collector still lacks. */
async function describeRecorded({ gate }: CommandParts): Promise<Lines> {
  const { audit, tables } = gate.parts;
  const told = await audit.call(AuditLog.methods.status, {}, { timeoutMs: NEIGHBOUR_MS });
  if (!told.ok) return [`the audit does not answer: ${told.reason}`];
  const { durable, sequence, refusal, shipping, taken } = told.value;
  const stop = refusal === "" ? "" : `, and no call runs: ${excerpt(refusal)}`;
  const recorded = durable
    ? `recorded up to ${sequence}; ${describeLogUsage(taken, tables.audit.keep)}`
    : `nothing is recorded durably${stop}`;
  return [recorded, ...(shipping === "" ? [] : [excerpt(shipping)])];
}

/** Returns how much of the log is used, with a warning if it is nearly full. */
function describeLogUsage(taken: number, keep: AuditKeep): string {
  return `${taken} % of the log is used up${taken < MUCH ? "" : `, and once it is full no call runs ${WAYS_ON[keep]}`}`;
}

/** For each rule of the page about old records: how a full log can accept calls again. */
const WAYS_ON: Readonly<Record<AuditKeep, string>> = {
  always: "any more (a new data disk begins another)",
  untilShipped: "until the collector has its oldest records",
  untilExported: "until a person has exported it, run `capc audit release`, and started the machine again",
};

async function describeKept({ archive }: CommandParts): Promise<Lines> {
  if (archive === undefined) return [];
  const told = await archive.ask(ConversationStore.methods.status, {});
  if (!told.ok) return [told.reason];
  const { durable, reason, conversations } = told.value;
  const where = durable ? "on the data disk" : `in memory, until the machine stops: ${excerpt(reason)}`;
  return [`${conversations} ${conversations === 1 ? "conversation is" : "conversations are"} kept ${where}`];
}
