import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";

/** Returns the tables of a policy as the gate reads them. Throws if they are inconsistent, which is our own defect. */
export function indexPolicyTables({ tables }: Policy): IndexedTables {
  const indexed = indexTables(tables);
  return indexed.ok ? indexed.value : bug(indexed.reason);
}
