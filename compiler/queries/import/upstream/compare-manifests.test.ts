// Tests the comparison of manifests, which is the last check before an import returns a page. The comparison must find
// every difference. It must compare parts by name if upstream also finds these parts by name.

import { expect, test } from "vitest";
import type { SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import { createUpstreamManifest, encodeUpstreamManifest } from "../../../../targets/capos-native/index.ts";
import { compileExample, encodeTables } from "../../../dev/golden/golden.ts";
import { compareManifests, findReordered, type UpstreamReading } from "./compare-manifests.ts";
import { Findings } from "./findings.ts";
import { type Graph, readGraph } from "./graph.ts";
import { createListing } from "./listing.ts";
import { decoded } from "./testing/round-trip.ts";

const { policy } = await compileExample("upstream-capos");
const MEANT = decoded(encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy))));
const listing = createListing("manifest.bin", MEANT);
if (listing === undefined) throw new Error("a listing is wanted");
const BEFORE: UpstreamReading = { manifest: MEANT, graph: readGraph(MEANT.initConfig, new Findings(listing)) };
const { kernelParams, extensionPoints, binaries } = MEANT;

const manifest = (changed: Partial<SystemManifest>): UpstreamReading => ({
  ...BEFORE,
  manifest: { ...MEANT, ...changed },
});
const params = (changed: Partial<SystemManifest["kernelParams"]>) =>
  manifest({ kernelParams: { ...kernelParams, ...changed } });
const graph = (changed: Partial<Graph>): UpstreamReading => ({ ...BEFORE, graph: { ...BEFORE.graph, ...changed } });
const services = (changed: Partial<Graph["services"][number]>) =>
  graph({ services: BEFORE.graph.services.map((each) => ({ ...each, ...changed })) });
const init = (changed: Partial<Graph["init"][number]>) =>
  graph({ init: BEFORE.graph.init.map((each) => ({ ...each, ...changed })) });

test("a manifest does not differ from itself, and another order of names is only reported as reordered", () => {
  expect(compareManifests(BEFORE, BEFORE)).toEqual([]);
  expect(findReordered(BEFORE, BEFORE)).toEqual([]);
  const other = params({ seedAccounts: [...kernelParams.seedAccounts].reverse() });
  expect(compareManifests(BEFORE, other)).toEqual([]);
  expect(findReordered(BEFORE, other)).toEqual(["$.kernelParams.seedAccounts"]);
  expect(findReordered(BEFORE, graph({ services: [...BEFORE.graph.services].reverse() }))).toEqual([
    "$.initConfig.services",
  ]);
});

test.each<[string, UpstreamReading]>([
  ["$.schemaVersion", manifest({ schemaVersion: 2 })],
  ["$.binaries.desk.sha256", manifest({ binaries: binaries.map((each) => ({ ...each, data: Uint8Array.of(1) })) })],
  ["$.binaries.spare", manifest({ binaries: [...binaries, { name: "spare", data: Uint8Array.of(1) }] })],
  ["$.binaries.desk", manifest({ binaries: [] })],
  ["$.initConfig.init.binary", graph({ initBinary: "desk" })],
  ["$.initConfig.init.caps[0].badge", init({ badge: 1n })],
  ["$.initConfig.init.caps[0].name", init({ name: "other" })],
  ["$.initConfig.init.caps[3]", graph({ init: BEFORE.graph.init.slice(0, 3) })],
  ["$.initConfig.services.clock.binary", services({ binary: "shelf" })],
  ["$.initConfig.services.clock.restart", services({ restart: "never" })],
  ["$.initConfig.services.clock.exports[0]", services({ exports: [] })],
  ["$.initConfig.services.clock.caps[0]", services({ caps: [] })],
  ["$.initConfig.services.clock", graph({ services: BEFORE.graph.services.slice(1) })],
  ["$.initConfig.exitWhenServiceExits", graph({ exits: "clock" })],
  ["$.kernelParams.motd", params({ motd: "" })],
  ["$.kernelParams.logLevel", params({ logLevel: "error" })],
  ["$.kernelParams.seedAccounts.alice", params({ seedAccounts: [] })],
  ["$.kernelParams.resourceProfiles.operator", params({ resourceProfiles: [] })],
  [
    "$.kernelParams.sessionLifetimes.guestMs",
    params({ sessionLifetimes: { ...kernelParams.sessionLifetimes, guestMs: 1n } }),
  ],
  ["$.extensionPoints.minOverlayEpoch", manifest({ extensionPoints: { ...extensionPoints, minOverlayEpoch: 1n } })],
])("finds a difference at %s, whichever of the two manifests comes first", (path, other) => {
  expect(compareManifests(BEFORE, other).map((each) => each.path)).toContain(path);
  expect(compareManifests(other, BEFORE).map((each) => each.path)).toContain(path);
});
