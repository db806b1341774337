// Tests that upstream's own crate reads the manifest of an imported page as it read the original manifest. The random pages are
// valid for the compiler, so the crate must accept their manifests in all of its stages.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { SystemManifest } from "../../../../engine/lib/wire/upstream/generated/upstream.ts";
import {
  createUpstreamManifest,
  encodeUpstreamManifest,
  TABLES_BINARY,
} from "../../../../targets/capos-native/index.ts";
import { builtComparison, builtOracle } from "../../../../targets/capos-native/testing/oracle.ts";
import { randomPages } from "../../../../targets/capos-native/testing/pages.ts";
import { systemsLike } from "../../../../targets/capos-native/testing/systems.ts";
import type { Policy } from "../../../../targets/contract/policy.ts";
import type { UpstreamService } from "../../../../targets/contract/upstream-plan.ts";
import { compileExample, encodeTables } from "../../../dev/golden/golden.ts";
import { importUpstream } from "./index.ts";
import { again, built, decoded, PROGRAM } from "./testing/round-trip.ts";

const ask = builtOracle();
const compared = builtComparison();

/** Number of random pages: a fifth of `SYSTEMS`, because each page is compiled three times. */
const PAGES = Math.ceil(Number(process.env["SYSTEMS"] ?? 100) / 5);

/** Timeout in ms for `make oracle` on a busy machine. */
const LONG = 900_000;

/** Returns the manifest with constant bytes in place of the tables, because tables contain the positions of lines. */
function changed(bytes: Uint8Array, change: (manifest: SystemManifest) => SystemManifest = (same) => same): Uint8Array {
  const manifest = decoded(bytes);
  const binaries = manifest.binaries.map((each) => (each.name === TABLES_BINARY ? { ...each, data: PROGRAM } : each));
  return encodeUpstreamManifest(change({ ...manifest, binaries }));
}

const { policy } = await compileExample("upstream-capos");
const EXAMPLE = encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy)));

test("upstream's crate finds the manifest of the example upstream-capos equal after a round trip", async () => {
  expect(compared([[changed(EXAMPLE), changed((await again(EXAMPLE)).bytes)]])).toEqual([[]]);
});

test(
  "upstream's crate accepts manifests of random pages, and finds them equal after a round trip",
  async () => {
    const pages = fc.sample(randomPages(PROGRAM), PAGES);
    const first = await Promise.all(pages.map(({ text, files }) => built(text, files)));
    const second = (await Promise.all(first.map(again))).map(({ bytes }) => bytes);
    for (const answer of ask([...first, ...second])) expect(answer).toMatchObject({ kind: "accepted" });
    const pairs = first.map((bytes, index) => [changed(bytes), changed(second[index] ?? bytes)] as const);
    expect(compared(pairs)).toEqual(pairs.map(() => []));
  },
  LONG,
);

/**
 * Returns the manifest of a system that the generator in the target's tests made. Its programs can run. It has no
 * tables, because these would belong to another page.
 */
function plainly(system: Policy): Uint8Array {
  const { upstream } = system.image;
  if (upstream === undefined) throw new Error("a system for upstream is wanted");
  const programs = upstream.services.map((each) => ({ ...each, bytes: Buffer.concat([PROGRAM, each.bytes]) }));
  const services = providersFirst(programs);
  const image = { ...system.image, upstream: { ...upstream, carriesTables: false, services } };
  return encodeUpstreamManifest(createUpstreamManifest({ ...system, image }, new Uint8Array()));
}

/**
 * Returns services in the order of a page: the next service is always the first by name that uses no export of a
 * remaining service.
 */
function providersFirst(services: readonly UpstreamService[]): readonly UpstreamService[] {
  const left = [...services].sort((one, other) => (one.name < other.name ? -1 : 1));
  const ordered: UpstreamService[] = [];
  const isLeft = ({ source }: UpstreamService["caps"][number]) =>
    source.kind === "service" && left.some(({ name }) => name === source.service);
  while (left.length > 0) {
    const [next] = left.splice(
      left.findIndex(({ caps }) => !caps.some(isLeft)),
      1,
    );
    if (next !== undefined) ordered.push(next);
  }
  return ordered;
}

test(
  "random systems from upstream's encoder are equal after a round trip, or refused because a page cannot express them",
  async () => {
    const systems = fc.sample(systemsLike(policy), PAGES * 2).map(plainly);
    // Upstream's crate encodes the manifests again. Some of its messages have several segments; capc never writes such
    // messages.
    const encoded = ask(systems).map((answer) => (answer.kind === "accepted" ? answer.again : new Uint8Array()));
    expect(encoded.some((bytes) => bytes[0] !== 0)).toBe(true);
    const pairs: (readonly [Uint8Array, Uint8Array])[] = [];
    for (const bytes of encoded) {
      const imported = await importUpstream("manifest.bin", bytes, "read");
      if (imported.ok) pairs.push([bytes, (await again(bytes)).bytes]);
      else {
        const errors = imported.diagnostics.filter(({ severity }) => severity === "error");
        // The import refuses random names that are reserved words (`upstream-unsayable`) or look like other names
        // (`names-alike`).
        for (const { code } of errors) expect(["upstream-unsayable", "names-alike"]).toContain(code);
      }
    }
    expect(pairs.length).toBeGreaterThan(systems.length / 2);
    expect(compared(pairs)).toEqual(pairs.map(() => []));
  },
  LONG,
);

test.each<[string, (manifest: SystemManifest) => SystemManifest]>([
  ["binaries", (one) => ({ ...one, binaries: one.binaries.slice(1) })],
  ["kernelParams", (one) => ({ ...one, kernelParams: { ...one.kernelParams, motd: "Another." } })],
  ["extensionPoints", (one) => ({ ...one, extensionPoints: { ...one.extensionPoints, minOverlayEpoch: 1n } })],
])("upstream's crate finds a difference in %s", (part, change) => {
  expect(compared([[changed(EXAMPLE), changed(EXAMPLE, change)]])).toEqual([[part]]);
});
