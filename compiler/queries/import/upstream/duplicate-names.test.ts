// Tests that duplicate names are refused as in upstream's crate, before the comparison would treat both entries as one.

import { expect, test } from "vitest";
import type { SystemConfig } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { createUpstreamManifest, encodeUpstreamManifest } from "../../../../targets/capos-native/index.ts";
import { builtOracle } from "../../../../targets/capos-native/testing/oracle.ts";
import { compileExample, encodeTables } from "../../../dev/golden/golden.ts";
import { importUpstream, type TablesWish } from "./index.ts";

const ask = builtOracle();
const { policy } = await compileExample("upstream-capos");
const MEANT = createUpstreamManifest(policy, encodeTables(policy));
const { kernelParams: PARAMS } = MEANT;
const { seedAccounts, resourceProfiles, authorizedSshKeys } = PARAMS;

/** With "read", principals come from the tables; with "left", they come from the accounts. */
const WISHES: readonly TablesWish[] = ["read", "left"];

test.each<[string, Partial<SystemConfig>]>([
  // If two accounts have the same name, the comparison of manifests uses only the last. Here the last account equals
  // the account in the manifest of the imported page, so the comparison finds no difference.
  [
    "seedAccounts[1].name",
    { seedAccounts: seedAccounts.flatMap((each) => [{ ...each, kind: "pseudonymous" as const }, each]) },
  ],
  ["seedAccounts[2].name", { seedAccounts: [...seedAccounts, ...seedAccounts] }],
  ["resourceProfiles[2].name", { resourceProfiles: [...resourceProfiles, ...resourceProfiles] }],
  ["authorizedSshKeys[1].publicKey", { authorizedSshKeys: [...authorizedSshKeys, ...authorizedSshKeys] }],
])("refuses a manifest with the duplicate %s", async (path, changed) => {
  const bytes = encodeUpstreamManifest({ ...MEANT, kernelParams: { ...PARAMS, ...changed } });
  for (const wish of WISHES) {
    const imported = await importUpstream("manifest.bin", bytes, wish);
    const told = imported.ok ? [] : imported.diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect(told, wish).toContainEqual(expect.stringMatching(/^not-upstream-manifest .*twice/));
    expect(told.join("\n")).toContain(`$.kernelParams.${path}`);
  }
  expect(ask([bytes])[0]?.kind).toBe("refused");
});
