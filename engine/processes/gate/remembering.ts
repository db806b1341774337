// Consent that holds for more than one call. The scope of a consent is described before it is given, in words made from
// the same conditions that later calls are compared with. The broker stores the consent.

import {
  type Conversation,
  deriveConsentClass,
  FIRST_DECISION,
  formatLabel,
  type GatedDecision,
  type IndexedTables,
  listLines,
  renderCanonicalJson,
  renderCondition,
} from "../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../lib/result/result.ts";
import type { Tool } from "../../lib/wire/generated/policy.ts";
import { Broker, type Consent } from "../../lib/wire/generated/wire.ts";
import { NEIGHBOUR_MS, type Neighbour } from "./ports.ts";
import { getBrokersRow } from "./reserving.ts";
import { excerpt } from "./result.ts";

/** Conversation and turn under which the broker stores a consent. */
interface ConsentPlace {
  readonly conversation: string;
  readonly turn: number;
}

/** Returns the parts of a consent that do not depend on the approved call: its conversation, turn, row and label. */
export function buildConsentPlace(tables: IndexedTables, state: Conversation, place: ConsentPlace): Consent {
  const { confidentiality, integrity, compartments } = state.label;
  const label = { confidentiality, integrity, compartments };
  return { ...place, ...getBrokersRow(tables, state), ...label, tool: "", alike: "", words: "" };
}

/** The state that every consent is bound to, whatever calls it covers. */
interface Binding {
  readonly tables: IndexedTables;
  readonly state: Conversation;
  readonly place: ConsentPlace;
}

/** Returns the consent that an approval of this call may give for later calls, or `undefined` if the approval holds for this call alone. */
export function buildConsent({ tables, state, place }: Binding, tool: Tool, call: GatedDecision): Consent | undefined {
  const truths = deriveConsentClass(tables, state, call);
  if (truths === undefined) return undefined;
  const words = describeConsent(tables, state, tool, truths);
  return {
    ...buildConsentPlace(tables, state, place),
    tool: tool.name,
    alike: renderCanonicalJson([...truths]),
    words,
  };
}

/** Returns the number of a stored consent that covers the same calls as this consent; 0 if there is none. */
export async function recall(broker: Neighbour, consent: Consent): Promise<Result<number>> {
  const reply = await broker.call(Broker.methods.recall, { consent }, { timeoutMs: NEIGHBOUR_MS });
  return reply.ok ? accept(reply.value.number) : refuse(`the broker does not answer: ${reply.reason}`);
}

/** Stores a consent and returns its number; 0 if the broker does not store the consent. In that case the next call asks again. */
export async function remember(broker: Neighbour, consent: Consent): Promise<number> {
  const reply = await broker.call(Broker.methods.remember, { consent }, { timeoutMs: NEIGHBOUR_MS });
  return reply.ok ? reply.value.number : 0;
}

/** Revokes a consent that could not be recorded, because such a consent must not cover later calls. */
export async function takeBackConsent(broker: Neighbour, number: number): Promise<void> {
  await broker.call(Broker.methods.takeBack, { number }, { timeoutMs: NEIGHBOUR_MS });
}

/**
 * Describes a consent: `every notes.write where path under "/drafts", in this conversation while it is at public/reviewed, for an hour at
 * most`.
 */
function describeConsent(
  tables: IndexedTables,
  { row, label }: Conversation,
  tool: Tool,
  truths: readonly string[],
): string {
  const { cells = [], remember: scope } = tables.rows[row] ?? {};
  const list = tables.decisions[(cells[tables.toolIndex.get(tool.name) ?? -1] ?? 0) - FIRST_DECISION];
  const lines = list === undefined ? [] : listLines(list);
  const conditions = lines.flatMap((line, index) => {
    if (line.conditions.length === 0) return [];
    const all = line.conditions.map(renderCondition).join(" and ");
    if (truths[index] === "fails") return [`not (${all})`];
    return [truths[index] === "holds" ? all : `${all}, also by words that others may fill in`];
  });
  const which = conditions.length === 0 ? ", whatever its arguments" : ` where ${conditions.join(" and ")}`;
  const at = formatLabel(tables.lattice, label);
  return excerpt(`every ${tool.name}${which}, in this ${scope} while it is at ${at}, for an hour at most`);
}
