// Computes the possible answers of the policy to a call: for every place and label, and with or without a person
// present, as far as the records allow. The gate's own function makes each decision.

import {
  admit,
  type Call,
  type Conversation,
  computeLoosestMode,
  type Decision,
  FIRST_DECISION,
  type IndexedTables,
  isMet,
  isSameLabel,
  isStricter,
  type Label,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import { decideAtGate } from "../../../engine/lib/reach/decide-at-gate.ts";
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
 * Returns the decision about the call for each possible combination of row, label and attendance: whether a person is
 * present. Of the possible labels, only the lowest and the highest are tried. `unattended` contains the possible values
 * of attendance.
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

/** A possible state of the conversation in which the call was made. */
interface CandidatePlace {
  readonly row: number;
  readonly label: Label;
  readonly unattended: boolean;
}

function evaluateCandidate(tables: IndexedTables, { row, label, unattended }: CandidatePlace, call: Call): Candidate {
  // This check assumes unused quotas, so it finds only a quota that a single call exceeds. The broker's code counts the
  // use of quotas, as in an image.
  const spent = tables.rows[row]?.quotas.map(() => 0n) ?? [];
  const conversation = { row, label, unattended, spent };
  const decision = decideAtGate(tables, conversation, call);
  if (decision.kind === "refused")
    return { tool: call.tool, conversation, decision, answer: decision.outcome, withheld: false };
  const isParked = decision.gate !== "auto" && unattended && tables.rows[row]?.task !== "";
  const { withheld } = admit(tables, conversation, decision.tool);
  return { tool: call.tool, conversation, decision, answer: isParked ? "parked" : decision.gate, withheld };
}

/**
 * Returns the modes that a call of a tool may get for some arguments. It omits modes that are looser than the loosest
 * outcome of the lines, or looser than a floor without conditions on arguments.
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
 * Explains why candidates get different answers: names the properties of the conversation that change the answer and
 * that the records do not show. Returns `undefined` if all candidates get the same answer.
 */
export function explainDisagreement(candidates: readonly Candidate[]): string | undefined {
  const dimensions = (["row", "label", "unattended"] as const).filter((one) => isRelevant(candidates, one));
  if (dimensions.length === 0) return undefined;
  return `${dimensions.map((one) => UNKNOWN[one]).join(", and ")}, is not on record`;
}

/** Returns whether candidates that differ only in `dimension` get different answers. */
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
