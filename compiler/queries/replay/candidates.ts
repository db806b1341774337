// Enumerates the policy's possible answers to a call. The records may leave open the session or task, the label, and
// the presence of a person. The gate's own function makes each decision.

import {
  admit,
  type Call,
  type Conversation,
  computeLoosestMode,
  type Decision,
  decide,
  FIRST_DECISION,
  type IndexedTables,
  isMet,
  isSameLabel,
  isStricter,
  type Label,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import type { Answer } from "./answers.ts";
import type { ConversationBounds } from "./conversation-bounds.ts";

export interface Candidate {
  readonly tool: string;
  readonly conversation: Conversation;
  readonly decision: Decision;
  readonly answer: Answer;
  /** Whether the result would be withheld from the model. */
  readonly withheld: boolean;
}

/**
 * Returns a candidate for every possible combination of session or task, label, and presence of a person. `unattended`
 * lists the possible values of the property that no person is present.
 */
export function enumerateCandidates(
  tables: IndexedTables,
  { rows, least, most }: ConversationBounds,
  unattended: readonly boolean[],
  call: Call,
): readonly Candidate[] {
  const labels = isSameLabel(least, most) ? [least] : [least, most];
  return rows.flatMap((row) =>
    labels.flatMap((label) =>
      unattended.map((one) => evaluateCandidate(tables, { row, label, unattended: one }, call)),
    ),
  );
}

/** A place in which the call may have happened. */
interface CandidatePlace {
  readonly row: number;
  readonly label: Label;
  readonly unattended: boolean;
}

function evaluateCandidate(tables: IndexedTables, { row, label, unattended }: CandidatePlace, call: Call): Candidate {
  // Here, quotas are checked as if nothing had been used. The broker's code counts the uses, as for a real gate.
  const spent = tables.rows[row]?.quotas.map(() => 0n) ?? [];
  const conversation = { row, label, unattended, spent };
  const decision = decide(tables, conversation, call);
  if (decision.kind === "refused")
    return { tool: call.tool, conversation, decision, answer: decision.outcome, withheld: false };
  const isParked = decision.gate !== "auto" && unattended && tables.rows[row]?.task !== "";
  const { withheld } = admit(tables, conversation, decision.tool);
  return { tool: call.tool, conversation, decision, answer: isParked ? "parked" : decision.gate, withheld };
}

/**
 * Returns the modes that a call of a tool may get, whatever its arguments. Each group of lines and each floor that
 * always applies has a loosest mode. Modes that are looser than one of these are excluded.
 */
export function listPossibleModes(
  tables: IndexedTables,
  { row, label, unattended }: Conversation,
  tool: string,
): readonly PermissionMode[] {
  const cell = tables.rows[row]?.cells[tables.toolIndex.get(tool) ?? -1] ?? 0;
  const { clauses = [], floors = [] } = tables.decisions[cell - FIRST_DECISION] ?? {};
  if (clauses.length === 0) return [];
  const outcomes = clauses.flatMap(({ conditions, met, otherwise }) =>
    conditions.length === 0 ? [met] : [met, otherwise],
  );
  const met = floors.filter((floor) => isMet(floor, { label, unattended }));
  const always = met.filter(({ conditions: asked }) => asked.length === 0);
  const least = [computeLoosestMode(clauses), ...always.map(({ mode }) => mode)];
  return [...outcomes, ...met.map(({ mode }) => mode)].filter(
    (mode) => !least.some((bound) => isStricter(bound, mode)),
  );
}

const UNKNOWN = {
  row: "in which task or phase it was",
  label: "what the conversation had seen",
  unattended: "whether anybody was there",
} as const;

/**
 * Returns the reason why candidates have different answers: it names the properties that matter and were not recorded.
 * Returns `undefined` if all candidates agree.
 */
export function explainDisagreement(candidates: readonly Candidate[]): string | undefined {
  const dimensions = (["row", "label", "unattended"] as const).filter((one) => isRelevant(candidates, one));
  if (dimensions.length === 0) return undefined;
  return `${dimensions.map((one) => UNKNOWN[one]).join(", and ")}, is not on record`;
}

/** Returns whether candidates that differ only in this property have different answers. */
function isRelevant(candidates: readonly Candidate[], dimension: keyof typeof UNKNOWN): boolean {
  const seen = new Map<string, string>();
  return candidates.some(({ conversation, answer, withheld }) => {
    const { row, label, unattended } = conversation;
    const { confidentiality, integrity, compartments } = label;
    const at = { row, label: `${confidentiality} ${integrity} ${compartments}`, unattended, [dimension]: "" };
    const key = JSON.stringify(at);
    const said = `${answer} ${withheld}`;
    const other = seen.get(key) ?? said;
    seen.set(key, other);
    return other !== said;
  });
}
