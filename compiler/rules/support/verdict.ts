import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Origins, Policy } from "../../phases/policy/index.ts";
import type { Proofs } from "../../phases/prove/index.ts";

/** A page without errors, and its proofs. */
export interface ProvenPolicy {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly model: Model;
  readonly proofs: Proofs;
}

/**
 * A rule about the results of the prover. Each rule has a code and a folder. A verdict rule reports failed proofs or
 * other findings of the prover.
 */
export interface VerdictLaw {
  readonly reports: readonly { readonly code: string }[];
  readonly judge: (proven: ProvenPolicy, report: (diagnostic: Diagnostic) => void) => void;
}

/** Declares a verdict rule with the right types. */
export function defineVerdict(law: VerdictLaw): VerdictLaw {
  return law;
}
