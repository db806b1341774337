// Reads policy tables once, at load, and refuses inconsistent ones. Later code may then follow an index without a check, so that `decide`
// can be short and total.

import { accept, type Result, refuse } from "../result/result.ts";
import { PolicyTables } from "../wire/generated/policy.ts";
import { decodeMessage } from "../wire/index.ts";
import { findTableFault } from "./coherence.ts";

/** Version of the tables; this code reads no other version, and the compiler writes no other. */
export const TABLES_SCHEMA_VERSION = 2;
/** Maximum bytes of tables: tables of 10,000 tools in 50 sessions have less than half as many. */
export const MAX_TABLES_BYTES = 16 * 1024 * 1024;

/** Values of cells. From `FIRST_DECISION` on, a value is an index into the decisions, plus `FIRST_DECISION`. */
export const SUPPRESSED = 0;
export const UNCOVERED = 1;
export const FIRST_DECISION = 2;

/** Tables whose references are all checked; only `readTables` and `indexTables` create them. */
export interface IndexedTables extends PolicyTables {
  /** Index into `tools`, by the name of the tool. */
  readonly toolIndex: ReadonlyMap<string, number>;
  /** Names of each category and of all its ancestors, by category. */
  readonly lineage: readonly ReadonlySet<string>[];
}

export function readTables(bytes: Uint8Array): Result<IndexedTables> {
  if (bytes.length > MAX_TABLES_BYTES) return refuse(`policy tables are larger than ${MAX_TABLES_BYTES} bytes`);
  const decoded = decodeMessage(PolicyTables, bytes);
  return decoded.ok ? indexTables(decoded.value) : refuse(`policy tables cannot be read: ${decoded.reason}`);
}

/**
 * Indexes tables for callers that have the tables as a value and not as bytes, such as the compiler's tests. Fails if the tables have
 * another version or contradict themselves.
 */
export function indexTables(tables: PolicyTables): Result<IndexedTables> {
  if (tables.schemaVersion !== TABLES_SCHEMA_VERSION) {
    return refuse(
      `policy tables have schema version ${tables.schemaVersion}, this reader knows ${TABLES_SCHEMA_VERSION} only`,
    );
  }
  const fault = findTableFault(tables);
  if (fault !== undefined) return refuse(`policy tables contradict themselves: ${fault}`);
  return accept({
    ...tables,
    toolIndex: indexTools(tables),
    lineage: tables.categories.map((_, index) => collectLineage(tables, index)),
  });
}

/**
 * Returns the index of each tool by its name. The loop creates no pair of name and index for each tool, because there
 * may be ten thousand.
 */
function indexTools({ tools }: PolicyTables): ReadonlyMap<string, number> {
  const index = new Map<string, number>();
  tools.forEach(({ name }, at) => {
    index.set(name, at);
  });
  return index;
}

function collectLineage(tables: PolicyTables, category: number): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = tables.categories[category]; at !== undefined; at = tables.categories[at.parent]) names.add(at.name);
  return names;
}
