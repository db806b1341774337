import type { Diagnostic } from "../../lang/diagnostics/index.ts";
import { backendUnreachable } from "./laws/backend-unreachable/codes.ts";
import type { ProvenPolicy } from "./support/verdict.ts";

/**
 * Returns findings about backends that no conversation can use. The law `backend-unreachable` finds some of these
 * backends without the tables; the page then has an error and is not proved.
 */
export function reportUnreachedBackends({ policy, origins, proofs }: ProvenPolicy): Diagnostic[] {
  const why = "no conversation that the page allows reaches a label at which this backend would be used";
  return policy.tables.backends.flatMap(({ name }, index) => {
    const span = origins.backends.get(name);
    const isReached = proofs.reach.backends.has(index);
    return span === undefined || isReached ? [] : [backendUnreachable.at(span, { backend: name, why })];
  });
}
