// Collects the result of a replay: the decisions that would change, the undecided calls, and the numbers of prompts.

import type { Finding } from "./finding.ts";
import { Prompts } from "./prompts.ts";

/**
 * Maximum number of decisions to store; further decisions are only counted. A page that changes more decisions is
 * probably the wrong page.
 */
export const MOST_KEPT = 100_000;
/** Maximum number of characters of arguments to store. */
const MOST_WORDS = 4096;

export interface ReplayResult {
  /** Number of examined decisions; `inOrder` is the number of those whose records are in an unbroken chain. */
  readonly decisions: number;
  readonly inOrder: number;
  readonly same: number;
  readonly otherwise: readonly Finding[];
  readonly undecided: readonly Finding[];
  /** Counts of all decisions, including decisions that are not stored. */
  readonly counts: Readonly<Record<"widened" | "moved" | "narrowed" | "undecided" | "mayWiden", number>>;
  /** Number of refusals by the machine itself, by reason. Another policy would not change them. */
  readonly beyond: ReadonlyMap<string, number>;
  readonly prompts: Prompts;
}

export class ReplayResultBuilder implements ReplayResult {
  decisions = 0;
  inOrder = 0;
  same = 0;
  readonly otherwise: Finding[] = [];
  readonly undecided: Finding[] = [];
  readonly counts = { widened: 0, moved: 0, narrowed: 0, undecided: 0, mayWiden: 0 };
  readonly beyond = new Map<string, number>();
  readonly prompts = new Prompts();

  readonly add = (finding: Finding): void => {
    const { at, was, now, direction, mayWiden } = finding;
    this.decisions += 1;
    if (at.isInOrder) this.inOrder += 1;
    this.prompts.add(finding);
    if (mayWiden) this.counts.mayWiden += 1;
    if (was.kind === "beyond") this.#addBeyond(was.reason);
    else if (now?.kind === "open") {
      this.counts.undecided += 1;
      keep(this.undecided, finding);
    } else if (direction === undefined) this.same += 1;
    else {
      this.counts[direction] += 1;
      keep(this.otherwise, finding);
    }
  };

  /**
   * Counts a refusal by the machine. If there are many different reasons, for example with numbers or names, further
   * reasons are counted together.
   */
  #addBeyond(reason: string): void {
    const key = this.beyond.has(reason) || this.beyond.size < MOST_REASONS ? reason : OTHER;
    this.beyond.set(key, (this.beyond.get(key) ?? 0) + 1);
  }
}

const MOST_REASONS = 16;
const OTHER = "other reasons";

function keep(findings: Finding[], finding: Finding): void {
  if (findings.length >= MOST_KEPT) return;
  const words = finding.arguments;
  findings.push(words.length <= MOST_WORDS ? finding : { ...finding, arguments: `${words.slice(0, MOST_WORDS)}…` });
}
