// Collects the accounts that may log in to upstream: one for each principal of a session, and one for each session without principals.
// The accounts comply with the rules of the crate capos-config 0.1.0 (src/validation.rs,
// validate_manifest_seed_accounts).

import { createHash } from "node:crypto";
import type { Row } from "../../engine/lib/wire/generated/policy.ts";
import type { ManifestSeedAccount, PrincipalKind } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import type { Policy } from "../contract/policy.ts";

/** An account that may log in to upstream, and the keys that open the account. */
export interface Account {
  readonly seed: ManifestSeedAccount;
  /**
   * The principal's keys from the tables, if the account's session has `login key`. Otherwise empty, because keys that
   * sign only single calls open no account.
   */
  readonly keys: readonly string[];
}

interface Accounts {
  readonly accounts: readonly Account[];
  /**
   * Sessions of a principal besides the session of the principal's account. Such sessions are reported as losses, because upstream has one
   * profile for each account.
   */
  readonly beside: readonly { readonly session: string; readonly principal: string }[];
  /**
   * Keys and passphrases of principals. Upstream could accept them as proofs, but the page does not allow a login with them to the
   * account's session.
   */
  readonly idle: readonly { readonly principal: string; readonly proof: string; readonly session: string }[];
  /** Principals with the same passphrase as a principal whose account was collected before theirs. */
  readonly shared: readonly { readonly principal: string; readonly passphrase: string }[];
}

/**
 * Returns the rows of sessions, but not the rows of tasks and workers. The row of the boot session comes first, then the others in
 * code-unit order.
 */
export function orderSessionRows({ tables, image }: Policy): readonly Row[] {
  const rows = tables.rows.filter(({ task, worker }) => task === "" && worker === "");
  const isBoot = ({ session }: Row) => session === image.boot;
  return [...rows.filter(isBoot), ...rows.filter((row) => !isBoot(row))];
}

export function collectAccounts(policy: Policy): Accounts {
  const accounts = new Map<string, Account>();
  const beside: Accounts["beside"][number][] = [];
  const shared: Accounts["shared"][number][] = [];
  const idle: Accounts["idle"][number][] = [];
  const taken = new Set<string>();
  for (const row of orderSessionRows(policy)) {
    for (const { name, ...proofs } of findPeople(policy, row)) {
      if (accounts.has(name)) {
        beside.push({ session: row.session, principal: name });
        continue;
      }
      // A key that is only for signing single calls opens no account.
      const keys = row.login === "key" ? proofs.keys : [];
      const passphrase = row.login === "passphrase" ? proofs.passphrase : "";
      const left = [...(keys === proofs.keys ? [] : proofs.keys.map(() => "a key"))];
      if (passphrase !== proofs.passphrase) left.push(`passphrase ${proofs.passphrase}`);
      idle.push(...left.map((proof) => ({ principal: name, proof, session: row.session })));
      const isTaken = taken.has(passphrase);
      if (isTaken) shared.push({ principal: name, passphrase });
      const references = passphrase === "" || isTaken ? [] : [Buffer.from(passphrase)];
      if (passphrase !== "") taken.add(passphrase);
      accounts.set(name, { seed: seedOf(name, row, references), keys });
    }
  }
  const inOrder = [...accounts.values()].sort((left, right) => (left.seed.name < right.seed.name ? -1 : 1));
  return { accounts: inOrder, beside, idle, shared };
}

interface Person {
  readonly name: string;
  readonly keys: readonly string[];
  readonly passphrase: string;
}

/**
 * Returns the people of a session. A session without named principals has an account with the name of the session, because upstream admits
 * a guest only with a guest account.
 */
function findPeople({ tables }: Policy, { session, principals }: Row): readonly Person[] {
  const named = principals.flatMap((index) => tables.principals[index] ?? []);
  return named.length > 0 ? named : [{ name: session, keys: [], passphrase: "" }];
}

function seedOf(name: string, { session, kind }: Row, credentialRefs: readonly Uint8Array[]): ManifestSeedAccount {
  return {
    name,
    principalId: derivePrincipalId(name),
    kind: convertToPrincipalKind(kind),
    displayName: name,
    credentialRefs: [...credentialRefs],
    resourceProfile: session,
    policyProfile: "",
    serviceBinary: "",
    directCaps: [],
  };
}

/** Returns the 32 bytes with which upstream identifies an account: the same name has the same bytes in every build. */
export function derivePrincipalId(name: string): Uint8Array {
  return createHash("sha256").update(`capos principal ${name}`).digest();
}

function convertToPrincipalKind(kind: string): PrincipalKind {
  return kind === "operator" || kind === "anonymous" || kind === "service" ? kind : "guest";
}
