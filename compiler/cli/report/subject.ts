import type { Compiled } from "../../compile.ts";
import { readCapcVersion } from "../../host/version.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import type { Subject } from "../../queries/report/index.ts";
import { notEnforcedYet } from "../../rules/index.ts";
import { createProofReport, type ProofReport, type ToReport } from "../proofs/report.ts";
import { processFacts } from "./processes.ts";

/** Collects all facts of a report about a page without errors. `file` is the name of the page's own file. */
export function createSubject(
  page: ToReport & Pick<Compiled, "diagnostics">,
  file: string,
  { changes, audit }: Partial<Pick<Subject, "changes" | "audit">> = {},
): Subject & { readonly proofs: ProofReport } {
  const { policy, origins, model, diagnostics } = page;
  const built = diagnostics.every(({ code }) => code !== notEnforcedYet.code);
  return {
    file,
    madeBy: `capc ${readCapcVersion()}`,
    policy,
    origins,
    model,
    tables: indexPolicyTables(policy),
    // A page for upstream's kernel has no processes of this runtime, so the report lists none.
    processes: built && policy.image.target === "linux" ? processFacts(page) : [],
    proofs: createProofReport(page, { built }),
    inherited: new Map(page.proofs.results.flatMap(({ inherited, words }) => (inherited ? [[inherited, words]] : []))),
    dead: page.proofs.dead,
    changes,
    audit,
  };
}
