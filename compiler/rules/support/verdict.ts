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

/** A verdict has one code and one folder. It reports failed proofs, or findings that the proof search made. */
export interface VerdictLaw {
  readonly reports: readonly { readonly code: string }[];
  readonly judge: (proven: ProvenPolicy, report: (diagnostic: Diagnostic) => void) => void;
}

/** Declares a verdict, whose types are checked here. */
export function defineVerdict(law: VerdictLaw): VerdictLaw {
  return law;
}
