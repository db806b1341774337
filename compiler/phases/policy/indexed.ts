import { type IndexedTables, indexTables } from "../../../engine/lib/policy/index.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";

/**
 * Returns the tables of a policy as the gate reads them. Throws if the tables are inconsistent, which is a defect of
 * capc.
 */
export function indexPolicyTables({ tables }: Policy): IndexedTables {
  const indexed = indexTables(tables);
  return indexed.ok ? indexed.value : bug(indexed.reason);
}
