import type { IndexedTables } from "../../../lib/policy/index.ts";
import { accept, type Result, refuse } from "../../../lib/result/result.ts";
import type { Principal, Row } from "../../../lib/wire/generated/policy.ts";
import { type PublicKey, readPublicKey } from "../sshsig/index.ts";

/** Keys that may step up in a session, each with its principal's name. */
export type KeyRing = ReadonlyMap<PublicKey, string>;

/** Returns the keys of a row's principals. Fails for a key that two people share, because it would not show who was present. */
export function buildKeyRing(tables: IndexedTables, row: Row): Result<KeyRing> {
  const ring = new Map<PublicKey, string>();
  const owners = new Map<string, string>();
  for (const { name, keys } of getPrincipals(tables, row)) {
    for (const line of keys) {
      const key = readPublicKey(line);
      if (!key.ok) return refuse(`principal ${name}: ${key.reason}`);
      const owner = owners.get(line);
      if (owner !== undefined) return refuse(`principals ${owner} and ${name} have the same key`);
      owners.set(line, name);
      ring.set(key.value, name);
    }
  }
  return accept(ring);
}

export function getPrincipals(tables: IndexedTables, row: Row): readonly Principal[] {
  return row.principals.flatMap((index) => tables.principals[index] ?? []);
}
