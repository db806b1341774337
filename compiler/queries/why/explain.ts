import {
  type Decision,
  formatLabel,
  type IndexedTables,
  type Label,
  listRedactions,
  type PermissionMode,
} from "../../../engine/lib/policy/index.ts";
import type { Result } from "../../../engine/lib/result/result.ts";
import type { Span } from "../../../lang/text/index.ts";
import { indexPolicyTables, type Origins, type Policy } from "../../phases/policy/index.ts";
import { type CheckResult, trace } from "./checks.ts";
import { createConversation, describeReadResult, type Question, type ReadResult } from "./question.ts";

export interface Explanation {
  readonly question: Question;
  /** Mode of the gate, or outcome of a refusal. */
  readonly answer: string;
  /** Strictness of the answer. Every refusal is as strict as `forbidden`. */
  readonly strictness: PermissionMode;
  /** Reason in one sentence, as the gate states it. */
  readonly reason: string;
  /** Arguments as JSON text; in canonical form if the call may run. */
  readonly arguments: string;
  /** Label of all data that the conversation has read. */
  readonly label: Label;
  /** `label` as text, as the page writes it. */
  readonly labelText: string;
  /** The result that was read before the call, if the question names one. */
  readonly readResult: (ReadResult & { readonly words: string }) | undefined;
  /** All checks, in the order in which they are made. */
  readonly checks: readonly CheckResult[];
  /** Whether the call is refused because the grant of the tool's service does not cover it. */
  readonly isOutsideGrant: boolean;
  /** Line of the page that decided; `undefined` if no line decided. */
  readonly rule: { readonly id: string; readonly words: string; readonly span: Span } | undefined;
  /** Redactions of the call and its result, for each backend of the session to which redactions apply. */
  readonly masked: readonly MaskedFor[];
}

/** A backend, and the redactions that apply to it. */
interface MaskedFor {
  readonly backend: string;
  readonly redactions: readonly string[];
}

/** Explains why a call is allowed, gated or refused. Fails if the question names something that does not exist. */
export function explainDecision(policy: Policy, origins: Origins, question: Question): Result<Explanation> {
  return explainIn(indexPolicyTables(policy), origins, question);
}

/** Explains a decision of tables that are already indexed. */
export function explainIn(tables: IndexedTables, origins: Origins, question: Question): Result<Explanation> {
  const asked = createConversation(tables, question);
  if (!asked.ok) return asked;
  const { decision, checks, isOutsideGrant, arguments: args } = trace(tables, asked.value, question);
  const readResult = describeReadResult(tables, question);
  const rule = decision.rule === undefined ? undefined : tables.rules[decision.rule];
  const span = decision.rule === undefined ? undefined : origins.rules[decision.rule];
  const explanation: Explanation = {
    question,
    answer: answerOf(decision),
    strictness: decision.kind === "gated" ? decision.gate : "forbidden",
    reason: decision.reason,
    arguments: args,
    label: asked.value.label,
    labelText: formatLabel(tables.lattice, asked.value.label),
    readResult: readResult && { ...readResult, words: renderReadResult(tables, readResult) },
    checks,
    isOutsideGrant,
    rule: rule && span && { id: rule.id, words: rule.words, span },
    masked: listMasked(tables, asked.value.row, question.tool),
  };
  return { ok: true, value: explanation };
}

function renderReadResult({ lattice }: IndexedTables, { tool, before, after, withheld }: ReadResult): string {
  const [from, to] = [before, after].map((label) => formatLabel(lattice, label));
  const raise = from === to ? `left the conversation at ${to}` : `raised the conversation from ${from} to ${to}`;
  return `the result of ${tool} ${raise}${withheld ? ", and is withheld: it is above the clearance of the session" : ""}`;
}

/**
 * Returns, for each backend, the redactions that apply to a call. A redaction with patterns affects every text. A
 * redaction with only fields affects the tools that it names.
 */
function listMasked(tables: IndexedTables, row: number, tool: string): readonly MaskedFor[] {
  return (tables.rows[row]?.backends ?? []).flatMap(({ backend: index, mode }): readonly MaskedFor[] => {
    const backend = tables.backends[index];
    if (backend === undefined || mode === "forbidden") return [];
    const redactions = listRedactions(tables, backend)
      .filter(
        (one) => one.patterns.length > 0 || [...one.results, ...one.arguments].some((field) => field.tool === tool),
      )
      .map(({ name }) => name);
    return redactions.length === 0 ? [] : [{ backend: backend.name, redactions }];
  });
}

function answerOf(decision: Decision): string {
  return decision.kind === "gated" ? decision.gate : decision.outcome;
}
