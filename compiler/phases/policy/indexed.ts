import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";

/** The tables of a policy as the gate reads them. What we lowered hangs together, or it is our own defect. */
export function indexPolicyTables({ tables }: Policy): IndexedTables {
  const indexed = indexTables(tables);
  return indexed.ok ? indexed.value : bug(indexed.reason);
}
