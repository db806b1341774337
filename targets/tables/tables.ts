import { PolicyTables } from "../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../engine/lib/wire/index.ts";
import { type Outcome, outcomeOf } from "../../lang/diagnostics/index.ts";
import type { Artifact } from "../contract/artifact.ts";
import type { Policy } from "../contract/policy.ts";

/** policy/tables.bin, named as in the output folder: the tables as one canonical message. */
export function tablesTarget(policy: Policy): Outcome<readonly Artifact[]> {
  return outcomeOf([{ path: "policy/tables.bin", bytes: encodeMessage(PolicyTables, policy.tables) }], []);
}
