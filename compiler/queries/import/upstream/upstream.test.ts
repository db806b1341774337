// Tests that the import of a page's manifest gives an equal page, for every example for upstream's kernel and for
// random pages. If the import refuses a manifest, one run reports all reasons.

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTables, renderDecisionMatrix } from "../../../../engine/lib/policy/index.ts";
import {
  createUpstreamManifest,
  encodeUpstreamManifest,
  TABLES_BINARY,
} from "../../../../targets/capos-native/index.ts";
import { randomPages } from "../../../../targets/capos-native/testing/pages.ts";
import { compileExample, encodeTables, listExampleNames } from "../../../dev/golden/golden.ts";
import { importUpstream } from "./index.ts";
import { again, built, decoded, PROGRAM } from "./testing/round-trip.ts";

/**
 * Returns the manifest with decisions in place of the bytes of the tables, because the bytes contain the positions of
 * lines.
 */
function meant(bytes: Uint8Array): unknown {
  const manifest = decoded(bytes);
  const tables = manifest.binaries.find(({ name }) => name === TABLES_BINARY);
  const read = tables && readTables(tables.data);
  if (read?.ok === false) throw new Error(read.reason);
  const binaries = manifest.binaries.map((each) => (each === tables ? { name: each.name } : each));
  return { ...manifest, binaries, decisions: read && modes(renderDecisionMatrix(read.value)) };
}

/** Returns the rows of the matrix without the columns that name lines of the page. */
function modes(matrix: readonly string[]): readonly string[] {
  const [head = "", ...rows] = matrix;
  const named = head.split("\t").flatMap((name, index) => (/rule|line|place/.test(name) ? [index] : []));
  return rows.map((row) =>
    row
      .split("\t")
      .filter((_, index) => !named.includes(index))
      .join("\t"),
  );
}

const isForUpstream = (example: string) =>
  readFileSync(new URL(`../../../../examples/${example}/system.cap`, import.meta.url), "utf8").includes("target capos");

test("every example for upstream's kernel survives a round trip", async () => {
  const examples = listExampleNames().filter(isForUpstream);
  expect(examples).toContain("upstream-capos");
  for (const example of examples) {
    const { policy } = await compileExample(example);
    const bytes = encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy)));
    const { bytes: second, codes } = await again(bytes);
    expect(meant(second)).toEqual(meant(bytes));
    expect(new Set(codes)).toEqual(new Set(["upstream-otherwise"]));
    // If the imported page is built and imported again, the manifest has the same bytes, except for the tables.
    expect(meant((await again(second)).bytes)).toEqual(meant(second));
  }
});

test("if the tables of the imported page have other bytes, a finding says so, and that they decide the same", async () => {
  const { policy } = await compileExample("upstream-capos");
  const told = async (bytes: Uint8Array) => {
    const imported = await importUpstream("manifest.bin", bytes, "read");
    if (!imported.ok) throw new Error("refused");
    const { message, because } = imported.findings.find(({ message: one }) => one.includes("tables")) ?? {};
    return { message, because };
  };
  const { message, because } = await told(encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy))));
  expect(message).toMatch(/^`\$\.binaries`: the policy's tables are other bytes: they decide the same/);
  expect(because).toMatch(/takes for the same, and not the same bytes/);
});

test("random pages survive a round trip with their policy", async () => {
  await fc.assert(
    fc.asyncProperty(randomPages(PROGRAM), async ({ text, files }) => {
      const bytes = await built(text, files);
      expect(meant((await again(bytes)).bytes)).toEqual(meant(bytes));
    }),
    { numRuns: 20 },
  );
});

test("if the tables are left out, the page forbids everything, and findings name each choice that the import made", async () => {
  const { policy } = await compileExample("upstream-capos");
  const bytes = encodeUpstreamManifest(createUpstreamManifest(policy, encodeTables(policy)));
  const imported = await importUpstream("manifest.bin", bytes, "left");
  if (!imported.ok) throw new Error("refused");
  expect(imported.page).toContain("tables none");
  expect(imported.page).toContain("permit { forbidden * }");
  expect(imported.findings.map(({ message }) => message)).toEqual([
    expect.stringContaining("names its kernel"),
    expect.stringContaining("tables are left out"),
    expect.stringContaining("which session boots"),
    expect.stringContaining("each stands there as Echo"),
  ]);
  expect(imported.files.map(({ path }) => path)).toEqual(["programs/desk", "keys/alice.pub"]);
  expect(imported.files[0]?.bytes).toEqual(new Uint8Array(PROGRAM));
});
