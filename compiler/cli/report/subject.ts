import type { Compiled } from "../../compile.ts";
import { versionOfCapc } from "../../host/version.ts";
import { indexedTables } from "../../phases/policy/index.ts";
import type { Changes, Subject } from "../../queries/report/index.ts";
import { notEnforcedYet } from "../../rules/index.ts";
import { type ProofReport, proofReport, type ToReport } from "../proofs/report.ts";
import { processFacts } from "./processes.ts";

/** All that a report tells of a page without errors. `file`: the page's own name. */
export function subjectOf(
  page: ToReport & Pick<Compiled, "diagnostics">,
  file: string,
  changes: Changes | undefined,
): Subject & { readonly proofs: ProofReport } {
  const { policy, origins, model, diagnostics } = page;
  const built = diagnostics.every(({ code }) => code !== notEnforcedYet.code);
  return {
    file,
    madeBy: `capc ${versionOfCapc()}`,
    policy,
    origins,
    model,
    tables: indexedTables(policy),
    // Upstream's processes are no processes of this runtime.
    processes: built && policy.image.target === "linux" ? processFacts(page) : [],
    proofs: proofReport(page, { built }),
    inherited: new Map(page.proofs.results.flatMap(({ inherited, words }) => (inherited ? [[inherited, words]] : []))),
    dead: page.proofs.dead,
    changes,
  };
}
