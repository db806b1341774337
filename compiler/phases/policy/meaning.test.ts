import { expect, test } from "vitest";
import { PolicyTables } from "../../../engine/lib/wire/generated/policy.ts";
import { encodeMessage } from "../../../engine/lib/wire/index.ts";
import { compilePolicy } from "../../dev/fixtures/facts.ts";
import { leavesOf, othersThan } from "../../queries/diff/testing/leaves.ts";
import { computeMeaningDigest } from "./index.ts";

const PAGE = `system small version "1.0.0" {
  use std.tools
  backend canned { stub }
  principal ada { passphrase "ada" }
  service notes : Files { state 1 MiB }
  service machine : Status { }
  session operator {
    kind operator
    principals ada
    login passphrase
    models { auto canned }
    permit {
      auto readOnly, machine.show
      consent notes.write where content in ["b", "a"] else forbidden
      forbidden destructive
    }
    when unattended { atLeast forbidden mutatingLocal }
    quota { 4 calls per turn  2 readOnly per turn }
  }
  session night extends operator { permit { forbidden mutatingLocal } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
  audit { digests above public  keep until exported }
}
`;

const MEANT = await tablesOf(PAGE);

async function tablesOf(page: string): Promise<PolicyTables> {
  return (await compilePolicy(page)).tables;
}

test.each([
  ["comments", PAGE.replace("    permit {", "    // Why it is so.\n    permit {")],
  ["the layout", PAGE.replaceAll("\n    ", "\n\n      ")],
  ["the version", PAGE.replace("1.0.0", "1.0.1")],
  [
    "the order of lines",
    PAGE.replace("      forbidden destructive\n", "").replace(
      "      auto readOnly",
      "      forbidden destructive\n      auto readOnly",
    ),
  ],
  [
    "where services stand",
    PAGE.replace("  service machine : Status { }\n", "").replace(
      "  service notes",
      "\n  service machine : Status { }\n  service notes",
    ),
  ],
  [
    "the order of quotas",
    PAGE.replace("4 calls per turn  2 readOnly per turn", "2 readOnly per turn  4 calls per turn"),
  ],
  ["the order of choices", PAGE.replace('"b", "a"', '"a", "b"')],
  ["reasons", PAGE.replace("forbidden destructive", 'forbidden destructive because "nobody undoes it"')],
])("the meaning does not depend on %s, but the bytes do", async (_, page) => {
  expect(page).not.toBe(PAGE);
  const tables = await tablesOf(page);
  expect(encodeMessage(PolicyTables, tables)).not.toEqual(encodeMessage(PolicyTables, MEANT));
  expect(computeMeaningDigest(tables)).toBe(computeMeaningDigest(MEANT));
});

/**
 * Parts of the tables that decide nothing. References to lines are only for people. The number of a group with only one
 * clause has no effect, and a clause without conditions never uses `otherwise`.
 */
const MEANINGLESS =
  /^(?:schemaVersion|version|rules\.)|\.(?:rule|entryRule|loginRule|taskRule|group)$|^decisions\.[0-2]\.clauses\.0\.otherwise$/;

test("the order of tools, rows and principals is not part of the meaning", () => {
  const { tools, rows } = MEANT;
  const turned = {
    ...MEANT,
    tools: tools.toReversed(),
    rows: rows.toReversed().map((row) => ({ ...row, cells: row.cells.toReversed() })),
  };
  expect(computeMeaningDigest(turned)).toBe(computeMeaningDigest(MEANT));
});

test("every value that gates, broker or models read is part of the meaning", () => {
  const meaning = computeMeaningDigest(MEANT);
  const copy = structuredClone(MEANT);
  const silent = leavesOf(copy).flatMap((leaf) => {
    if (MEANINGLESS.test(leaf.path)) return [];
    // The number for "no category" is the largest possible one.
    const [other] = leaf.value === 65_535 ? [0] : othersThan(leaf);
    if (other === undefined) return [];
    const undo = leaf.setTo(other);
    const changed = computeMeaningDigest(copy);
    undo();
    return changed === meaning ? [leaf.path] : [];
  });
  expect(silent).toEqual([]);
});
