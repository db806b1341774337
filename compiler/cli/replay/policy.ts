// Reads the policy against which records are replayed.

import { createHash } from "node:crypto";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import type { createRefuser, ParsedArguments } from "../command.ts";
import { type NamedSide, readSide } from "../diff/side.ts";
import { tellOnly } from "../render-findings.ts";

type PolicyRead =
  | {
      readonly kind: "read";
      readonly side: NamedSide;
      /** SHA-256 of the policy's tables.bin, for comparison with the digest in each record. */
      readonly digest: Uint8Array;
    }
  | { readonly kind: "ended"; readonly status: ExitStatus };

/** Reads the policy that `--policy` names. On failure, returns the exit status. */
export async function readPolicySide(
  typed: ParsedArguments,
  world: World,
  refuse: ReturnType<typeof createRefuser>,
): Promise<PolicyRead> {
  const endWith = (status: ExitStatus): PolicyRead => ({ kind: "ended", status });
  const named = typed.values.get("policy");
  if (named === undefined) return endWith(refuse(world, 2, "against which policy? --policy PAGE"));
  const read = await readSide(named, world);
  switch (read.kind) {
    case "read":
      return { kind: "read", side: read.side, digest: digestOf(read.side) };
    case "refused":
      return endWith(refuse(world, read.status, escapeInvisible(read.reason)));
    case "findings":
      tellOnly(read.diagnostics, typed, world);
      return endWith(1);
  }
}

/**
 * Returns the SHA-256 of the bytes of tables. The encoding is canonical, so encoding tables that were read gives the
 * original bytes.
 */
export function digestOf({ tables }: Pick<NamedSide, "tables">): Uint8Array {
  return createHash("sha256").update(encodeMessage(PolicyTables, tables)).digest();
}
