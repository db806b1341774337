// Two of one name are compared as one: they are refused before, as upstream's crate refuses them.

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

/** With the tables people come from there, and without them from what stands twice. */
const WISHES: readonly TablesWish[] = ["read", "left"];

test.each<[string, Partial<SystemConfig>]>([
  // The one behind it is what a page gives: alone it would be equal.
  [
    "seedAccounts[1].name",
    { seedAccounts: seedAccounts.flatMap((each) => [{ ...each, kind: "pseudonymous" as const }, each]) },
  ],
  ["seedAccounts[2].name", { seedAccounts: [...seedAccounts, ...seedAccounts] }],
  ["resourceProfiles[2].name", { resourceProfiles: [...resourceProfiles, ...resourceProfiles] }],
  ["authorizedSshKeys[1].publicKey", { authorizedSshKeys: [...authorizedSshKeys, ...authorizedSshKeys] }],
])("%s is not a manifest's", async (path, changed) => {
  const bytes = encodeUpstreamManifest({ ...MEANT, kernelParams: { ...PARAMS, ...changed } });
  for (const wish of WISHES) {
    const imported = await importUpstream("manifest.bin", bytes, wish);
    const told = imported.ok ? [] : imported.diagnostics.map(({ code, message }) => `${code} ${message}`);
    expect(told, wish).toContainEqual(expect.stringMatching(/^not-upstream-manifest .*twice/));
    expect(told.join("\n")).toContain(`$.kernelParams.${path}`);
  }
  expect(ask([bytes])[0]?.kind).toBe("refused");
});
