// Tests that a key or a passphrase opens an account of upstream only if the page lets it open the account's session.

import { expect, test } from "vitest";
import { compileExample } from "../../compiler/dev/golden/golden.ts";
import type { Row } from "../../engine/lib/wire/generated/policy.ts";
import { collectAccounts } from "./accounts.ts";
import { collectLosses } from "./losses.ts";
import { collectSshKeys } from "./ssh-keys.ts";

const { policy } = await compileExample("upstream-capos");

function openedBy(login: Row["login"]) {
  const principals = policy.tables.principals.map((one) => ({ ...one, passphrase: "desk" }));
  const rows = policy.tables.rows.map((row) => (row.principals.length === 0 ? row : { ...row, login }));
  return { ...policy, tables: { ...policy.tables, principals, rows } };
}

test.each<readonly [Row["login"], number, readonly string[], readonly string[]]>([
  ["key", 1, [], ["passphrase desk"]],
  ["passphrase", 0, ["desk"], ["a key"]],
  ["none", 0, [], ["a key", "passphrase desk"]],
])("if a session has login %s, only credentials of this kind open its accounts", (login, keys, references, lost) => {
  const changed = openedBy(login);
  const { accounts } = collectAccounts(changed);
  const alice = accounts.filter(({ seed }) => seed.name === "alice");
  expect(collectSshKeys(alice).keys).toHaveLength(keys);
  expect(alice.flatMap(({ seed }) => seed.credentialRefs.map(String))).toEqual(references);
  const told = collectLosses(changed).filter(({ subject }) => subject === "principal alice");
  expect(told.map(({ what }) => what)).toEqual(lost);
});
