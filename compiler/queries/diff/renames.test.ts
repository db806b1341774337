import { expect, test } from "vitest";
import { compilePolicy } from "../../dev/fixtures/facts.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { computeDifference } from "./diff.ts";
import { renameInTables } from "./rename-tables.ts";
import { describeRenames, findRenames } from "./renames.ts";

const PAGE = `system small version "1.0.0" {
  use std.tools
  confidentiality { public < internal }
  compartments { finance, hr }
  backend canned { stub  clearance internal:{finance, hr} }
  service notes : Files { label internal:{hr}  state 1 MiB }
  service papers : Files { label internal:{finance}  state 1 MiB  strong read.content }
  session operator {
    kind operator
    clearance internal:{finance, hr}
    models { auto canned }
    permit {
      auto readOnly
      consent notes.write where path under "/b" else forbidden
      auto papers.write where path from papers.read.content else consent
    }
    when compartment hr { atLeast consent papers.write }
    quota { 4 calls per turn  9 calls per day }
  }
  session night extends operator { permit { forbidden notes.write } }
  task tidy in operator { only papers.*  quota { 3 calls per task }  phase look { permit { consent papers.list } } }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
}
`;

const BEFORE = await tablesOf(PAGE);

async function tablesOf(page: string) {
  return indexPolicyTables(await compilePolicy(page));
}

function compare(before: typeof BEFORE, after: typeof BEFORE) {
  const { cells, facts } = computeDifference(
    { tables: before, machine: undefined, flows: undefined },
    { tables: after, machine: undefined, flows: undefined },
  );
  return [...cells, ...facts];
}

const RENAMED: readonly (readonly [string, (page: string) => string])[] = [
  ["level internal → company", (page) => page.replaceAll("internal", "company")],
  ["compartment finance → money", (page) => page.replaceAll("finance", "money")],
  ["service papers → archive", (page) => page.replaceAll("papers", "archive")],
  ["backend canned → spoken", (page) => page.replaceAll("canned", "spoken")],
  ["session night → late", (page) => page.replace("night", "late")],
  ["task tidy → sort", (page) => page.replace("tidy", "sort")],
];

test.each(RENAMED)("finds %s, and no other difference", async (rename, edit) => {
  const after = await tablesOf(edit(PAGE));
  const found = findRenames(BEFORE, after);
  expect(found.map(({ kind, from, to }) => `${kind} ${from} → ${to}`)).toEqual([rename]);
  expect(compare(renameInTables(BEFORE, found), after)).toEqual([]);
});

test("finds several kinds of renames together", async () => {
  const after = await tablesOf(RENAMED.reduce((page, [, edit]) => edit(page), PAGE));
  const found = findRenames(BEFORE, after);
  expect(found.map(({ kind, from, to }) => `${kind} ${from} → ${to}`)).toEqual(RENAMED.map(([rename]) => rename));
  expect(compare(renameInTables(BEFORE, found), after)).toEqual([]);
});

test.each([
  [
    "a session that is decided otherwise",
    PAGE.replace("night", "late").replace("forbidden notes.write", "auto notes.list"),
  ],
  [
    "a session with another quota",
    PAGE.replace("night extends operator {", "late extends operator { quota { 2 calls per hour }"),
  ],
  [
    "a service with another label",
    PAGE.replaceAll("papers", "archive").replace("internal:{finance}  state", "internal  state"),
  ],
  [
    "a service whose tool is decided otherwise",
    PAGE.replaceAll("papers", "archive").replace("else consent", "else forbidden"),
  ],
  ["a level that was added", PAGE.replace("public < internal", "public < internal < secret")],
])("%s is not a rename", async (_, page) => {
  expect(findRenames(BEFORE, await tablesOf(page))).toEqual([]);
});

test("if two services fit one old name, neither counts as renamed", async () => {
  const twins = PAGE.replace(
    "session operator",
    "service spare : Files { label internal:{hr}  state 1 MiB }\n  session operator",
  )
    .replace("consent notes.write", "consent notes.write, spare.write")
    .replace("forbidden notes.write }", "forbidden notes.write, spare.write }");
  const one = twins
    .replace(/ {2}service spare.*\n/, "")
    .replaceAll(", spare.write", "")
    .replaceAll("notes", "memos");
  expect(findRenames(await tablesOf(twins), await tablesOf(one))).toEqual([]);
});

test("a tool of an MCP list with a new name counts as renamed only if its method number is the same", () => {
  const names = new Map([["papers.write", "papers.put"]]);
  const after = renameInTables(BEFORE, [{ kind: "tool", from: "papers.write", to: "papers.put" }]);
  expect(findRenames(BEFORE, after).map(({ from, to }) => [from, to])).toEqual([...names]);
  const { tools } = after;
  const moved = tools.map((tool) => (tool.name === "papers.put" ? { ...tool, method: tool.method + 9 } : tool));
  expect(findRenames(BEFORE, { ...after, tools: moved })).toEqual([]);
});

test("a renamed session with a quota per day starts its count at 0, which may allow more", async () => {
  const after = await tablesOf(PAGE.replaceAll("night", "late"));
  const told = describeRenames(findRenames(BEFORE, after), after);
  expect(told).toEqual([expect.objectContaining({ before: "night", after: "late", direction: "moved", widens: true })]);
  const without = await tablesOf(PAGE.replace("  9 calls per day", ""));
  const late = renameInTables(without, [{ kind: "session", from: "night", to: "late" }]);
  expect(describeRenames(findRenames(without, late), late)).toEqual([expect.objectContaining({ widens: false })]);
});
