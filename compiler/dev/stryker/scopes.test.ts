import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isRule, roomOf, sourcesOf, testsOf } from "./scopes.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

test.each([
  ["compiler/phases/bind", "compiler/phases/bind"],
  ["compiler/phases/policy", "compiler/phases/policy"],
  ["compiler/rules/laws/grants", "compiler/rules"],
  ["compiler/rules/support", "compiler/rules"],
  ["engine/processes/broker/quotas", "engine/processes/broker"],
  ["engine/lib/policy", "engine/lib/policy"],
  ["lang/grammar/straight", "lang/grammar"],
  ["targets/contract", "targets/contract"],
])("the room of %s is %s, and exists", (folder, room) => {
  expect(roomOf(folder)).toBe(room);
  expect(existsSync(join(CHECKOUT, room))).toBe(true);
});

test.each(["lang/grammar", "lang/format", "compiler/phases/bind", "engine/lib/policy", "engine/processes/gate"])(
  "the scope %s includes all files below it",
  (room) => {
    expect(sourcesOf(room)).toBe(`${room}/**/*.ts`);
    expect(testsOf([room])).toContain(`${room}/**/*.test.ts`);
  },
);

test("each rule is mutated separately, and tested by its own tests and by tests about all rules", () => {
  const folders = ["compiler/rules/laws/grants", "compiler/rules/laws/plans"];
  expect(folders.map(sourcesOf)).toEqual(folders.map((folder) => `${folder}/*.ts`));
  expect(testsOf(folders)).toEqual(["compiler/rules/*.test.ts", ...folders.map((folder) => `${folder}/*.test.ts`)]);
});

test("recognizes the folder of one rule, but no folder of several rules or of shared code", () => {
  const folders = [
    "compiler/rules",
    "compiler/rules/support",
    "compiler/rules/laws",
    "compiler/rules/laws/grants/testing",
    "lang/grammar/rules",
  ];
  expect(folders.filter(isRule)).toEqual([]);
  expect(isRule("compiler/rules/advice/block-empty")).toBe(true);
});

test("for the mutants of a room, the tests of the room that are in another folder run too", () => {
  expect(testsOf(["lang/grammar"])).toContain("lang/corpus/*.test.ts");
  expect(testsOf(["lang/format"])).toContain("lang/corpus/*.test.ts");
  expect(testsOf(["targets/contract"])).toContain("compiler/phases/policy/backends.test.ts");
});

test.each(["lang/grammar", "lang/format", "compiler/phases/bind", "compiler/phases/policy", "targets/contract"])(
  "every test pattern of %s matches a file",
  (room) => {
    const empty = testsOf([room]).filter((pattern) => globSync(pattern, { cwd: CHECKOUT }).length === 0);
    expect(empty).toEqual([]);
  },
);
