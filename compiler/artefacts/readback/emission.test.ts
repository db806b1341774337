// Tests that artefacts contain the policy: random pages are compiled and encoded, and the second decoder reads the bytes back.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readTables } from "../../../engine/lib/policy/index.ts";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { createTablesArtifact } from "../../../targets/tables/tables.ts";
import type { Policy } from "../../phases/policy/index.ts";
import { anyPage } from "../../phases/prove/testing/any-page.ts";
import { meaningOf } from "../../phases/prove/testing/compiled.ts";
import { pageText } from "../../phases/prove/testing/pages.ts";
import { anyTwists, twisted } from "../../phases/prove/testing/table-changes.ts";
import { findReadbackDifference } from "./verify.ts";

const RUNS = { numRuns: 100, seed: 6 };

function emitted(policy: Policy): Uint8Array {
  const artifacts = createTablesArtifact(policy);
  const bytes = artifacts.ok ? artifacts.value[0]?.bytes : undefined;
  if (!(bytes instanceof Uint8Array)) throw new Error("no tables");
  return bytes;
}

test("property: both decoders read the policy of any system from its artefact, cell by cell", async () => {
  const cells = new Set<number>();
  await fc.assert(
    fc.asyncProperty(anyPage, anyTwists, async (page, twists) => {
      const policy = twisted((await meaningOf(pageText(page))).policy, twists);
      const bytes = emitted(policy);
      expect(findReadbackDifference("PolicyTables", policy.tables, bytes)).toBeUndefined();
      const read = readTables(bytes);
      expect(read.ok && read.value.rows.map((row) => row.cells)).toEqual(policy.tables.rows.map((row) => row.cells));
      for (const { cells: row } of policy.tables.rows) for (const cell of row) cells.add(cell);
    }),
    RUNS,
  );
  expect(cells.size).toBeGreaterThan(5);
});

test("property: one changed cell in the bytes is found, and its path is named", async () => {
  await fc.assert(
    fc.asyncProperty(anyPage, fc.nat(50), fc.nat(50), async (page, at, other) => {
      const { tables } = (await meaningOf(pageText(page))).policy;
      const row = at % tables.rows.length;
      const tool = other % tables.tools.length;
      const was = tables.rows[row]?.cells[tool] ?? 0;
      const changed = was === 0 ? 1 : 0;
      const cells = (before: readonly number[]) => before.map((cell, index) => (index === tool ? changed : cell));
      const rows = tables.rows.map((one, index) => (index === row ? { ...one, cells: cells(one.cells) } : one));
      const bytes = encodeMessage(PolicyTables, { ...tables, rows });
      expect(findReadbackDifference("PolicyTables", tables, bytes)).toBe(
        `rows.${row}.cells.${tool}: ${was} was meant, ${changed} is there`,
      );
    }),
    RUNS,
  );
});
