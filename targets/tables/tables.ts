import { PolicyTables } from "../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";
import { createOutcome, type Outcome } from "../../lang/diagnostics/index.ts";
import type { Artifact } from "../contract/artifact.ts";
import type { Policy } from "../contract/policy.ts";

/** Returns policy/tables.bin: the tables as one canonical message. The path is relative to the output folder. */
export function createTablesArtifact(policy: Policy): Outcome<readonly Artifact[]> {
  return createOutcome([{ path: "policy/tables.bin", bytes: encodeTables(policy) }], []);
}

export function encodeTables({ tables }: Pick<Policy, "tables">): Uint8Array {
  return encodeMessage(PolicyTables, tables);
}
