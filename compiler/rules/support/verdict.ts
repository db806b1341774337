import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import type { Model } from "../../phases/bind/index.ts";
import type { Origins, Policy } from "../../phases/policy/index.ts";
import type { Proofs } from "../../phases/prove/index.ts";

/** A page without an error of its own, and what was proved of it. */
export interface ProvenPolicy {
  readonly policy: Policy;
  readonly origins: Origins;
  readonly model: Model;
  readonly proofs: Proofs;
}

/** A verdict: one code, one folder. It reports proofs that fail, or what they met on the way. */
export interface VerdictLaw {
  readonly reports: readonly { readonly code: string }[];
  readonly judge: (proven: ProvenPolicy, report: (diagnostic: Diagnostic) => void) => void;
}

/** Says that it is one; its types are checked here. */
export function defineVerdict(law: VerdictLaw): VerdictLaw {
  return law;
}
