// Describes changes that would loosen a decision. `capc why`, which has the page, and `/why`, which has only the page's tables, use the
// same words.
import type { Label, Lattice, Release, Row } from "../wire/generated/policy.ts";
import type { RowChange } from "./difference.ts";
import { formatLabel, formatSecrecy } from "./label.ts";
import type { PermissionMode } from "./mode.ts";

export const NOTHING_ASKS = "nothing asks: there is no looser answer";

/** Answer of `capc why` and `/why` about a call that the grant of its service does not cover. */
export const GRANT_LIMITS =
  "the grant of its service limits this call: no line of `permit` loosens it, but a wider `scope` of the grant";

/**
 * Advice after a proposed change of two lines, a release and a limit, that also makes other decisions stricter. A
 * person can put both lines into a task, so that they change only this task.
 */
const TASK_LIMITS = "if both lines stand in a task, they change only this task";

/** The effects of a change of the page on other calls, one line each. */
interface Effects {
  /** Lines about decisions that become looser. */
  readonly opens: readonly string[];
  /** Lines about decisions that become stricter. */
  readonly narrows: readonly string[];
  /** Whether the change is in a task already. */
  readonly isInTask: boolean;
}

/** Returns the lines of the answer of `capc why` and `/why`. Each edit and each effect becomes one line. */
export function changeWords(answer: string, edits: readonly string[], { opens, narrows, isInTask }: Effects): string[] {
  return [
    `least change, after which the answer is ${answer}:`,
    ...edits.map((edit) => `  ${edit}`),
    ...(opens.length === 0 ? ["it opens nothing else"] : ["what else that opens:"]),
    ...opens.map((line) => `  ${line}`),
    ...(narrows.length === 0 ? [] : ["what that narrows:"]),
    ...narrows.map((line) => `  ${line}`),
    ...(narrows.length === 0 || isInTask ? [] : [TASK_LIMITS]),
  ];
}

export function renderChange({ place, what, before, after }: RowChange): string {
  return `${place} ${what}: ${before} → ${after}`;
}

/** A proposed release of a tool's arguments in a session, from one label to another, behind a gate. */
interface ProposedRelease {
  readonly tool: string;
  readonly session: string;
  readonly from: Label;
  readonly to: Label;
  readonly gate: Release["gate"];
}

/** Returns the gate for a proposed release: step-up, or consent if the session has no principal. */
export function chooseReleaseGate({ principals }: Pick<Row, "principals">): Release["gate"] {
  return principals.length === 0 ? "consent" : "stepUp";
}

/**
 * Returns a line for the page, such as `consent files.write where path under "/b" else forbidden`. It gives the mode to
 * calls of the tool for which `check` holds, and forbids all its other calls.
 */
export function limitLine(tool: string, mode: PermissionMode, check: string): string {
  return `${mode} ${tool} where ${check} else forbidden`;
}

/** Returns the line of a page for a proposed release; a person has to replace the words after `because`. */
export function releaseLine(lattice: Lattice, act: Release["act"], release: ProposedRelease): string {
  const { tool, session, from, to, gate } = release;
  const target = { declassify: formatSecrecy, endorse: formatLabel }[act](lattice, to);
  return `${act} ${tool} from ${formatSecrecy(lattice, from)} to ${target} by ${gate} for ${session} because "say why"`;
}
