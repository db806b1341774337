import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { reportUnreachedBackends } from "./backends.ts";
import type { ProvenPolicy } from "./support/verdict.ts";
import { assertionRefuted } from "./verdicts/assertion-refuted/codes.ts";
import { flowLeak } from "./verdicts/flow-leak/codes.ts";
import { proofUndetermined } from "./verdicts/proof-undetermined/codes.ts";
import { ungatedExit } from "./verdicts/ungated-exit/codes.ts";
import { VERDICT_LAWS } from "./verdicts.ts";

/** Returns all findings about proofs, in no particular order. */
export function judge(proven: ProvenPolicy): Diagnostic[] {
  const found: Diagnostic[] = reportUnreachedBackends(proven);
  for (const law of Object.values(VERDICT_LAWS)) law.judge(proven, (diagnostic) => found.push(diagnostic));
  return found;
}

const FAILED: ReadonlySet<string> = new Set([
  assertionRefuted.code,
  flowLeak.code,
  proofUndetermined.code,
  ungatedExit.code,
]);

/** Returns whether a finding concerns an assertion that is refuted or undetermined. */
export function isFailedProof({ code }: Diagnostic): boolean {
  return FAILED.has(code);
}
