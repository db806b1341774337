// Upstream's own crate understands what an imported page builds as it understood the manifest. The pages are random text, which the
// compiler of everybody reads: what they build the crate accepts in all its stages.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { SystemManifest } from "../../../engine/wire/upstream/generated/upstream.ts";
import { compiledExample, tablesBytes } from "../../../golden/golden.ts";
import { TABLES_BINARY, upstreamBytes, upstreamManifest } from "../../../targets/capos-native/index.ts";
import { builtComparison, builtOracle } from "../../../targets/capos-native/testing/oracle.ts";
import { randomPages } from "../../../targets/capos-native/testing/pages.ts";
import { again, built, decoded, PROGRAM } from "./testing/round-trip.ts";

const ask = builtOracle();
const compared = builtComparison();

/** `make oracle` asks of many; each is compiled three times. */
const PAGES = Math.ceil(Number(process.env["SYSTEMS"] ?? 100) / 5);

/** With the same bytes in the place of the tables, in which lines have their places. */
function changed(bytes: Uint8Array, change: (manifest: SystemManifest) => SystemManifest = (same) => same): Uint8Array {
  const manifest = decoded(bytes);
  const binaries = manifest.binaries.map((each) => (each.name === TABLES_BINARY ? { ...each, data: PROGRAM } : each));
  return upstreamBytes(change({ ...manifest, binaries }));
}

const { policy } = await compiledExample("upstream-capos");
const EXAMPLE = upstreamBytes(upstreamManifest(policy, tablesBytes(policy)));

test("the example comes back equal, by upstream's own crate", async () => {
  expect(compared([[changed(EXAMPLE), changed((await again(EXAMPLE)).bytes)]])).toEqual([[]]);
});

test("what random pages build is accepted, and comes back equal, by upstream's own crate", async () => {
  const pages = fc.sample(randomPages(PROGRAM), PAGES);
  const first = await Promise.all(pages.map(({ text, files }) => built(text, files)));
  const second = (await Promise.all(first.map(again))).map(({ bytes }) => bytes);
  for (const answer of ask([...first, ...second])) expect(answer).toMatchObject({ kind: "accepted" });
  const pairs = first.map((bytes, index) => [changed(bytes), changed(second[index] ?? bytes)] as const);
  expect(compared(pairs)).toEqual(pairs.map(() => []));
});

test.each<[string, (manifest: SystemManifest) => SystemManifest]>([
  ["binaries", (one) => ({ ...one, binaries: one.binaries.slice(1) })],
  ["kernelParams", (one) => ({ ...one, kernelParams: { ...one.kernelParams, motd: "Another." } })],
  ["extensionPoints", (one) => ({ ...one, extensionPoints: { ...one.extensionPoints, minOverlayEpoch: 1n } })],
])("a difference in %s is one to the crate", (part, change) => {
  expect(compared([[changed(EXAMPLE), changed(EXAMPLE, change)]])).toEqual([[part]]);
});
