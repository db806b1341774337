import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROLE_NAMES } from "../../lib/roles/index.ts";
import { ATTEMPTS, answerFor, findProberRoles } from "./jail-attempts.ts";
import { insertAttemptTable, renderAttemptTable } from "./jail-table.ts";

const page = readFileSync(new URL("../../THREATS.md", import.meta.url), "utf8");
const jail = (role: string): string => readFileSync(new URL(`../jails/${role}.json`, import.meta.url), "utf8");

test("THREATS.md has the current table of attempts", () => {
  expect(insertAttemptTable(page)).toBe(page);
});

test("a page without the marks, or with one of them, has no place for it", () => {
  expect(insertAttemptTable("# Threats\n")).toBeUndefined();
  expect(insertAttemptTable("<!-- jail-attempts: begin -->\n")).toBeUndefined();
  expect(insertAttemptTable("<!-- jail-attempts: end -->\n<!-- jail-attempts: begin -->\n")).toBeUndefined();
});

test("the table has a column for each role that has a jail, and a row for each attempt", () => {
  const rows = renderAttemptTable().trimEnd().split("\n");
  expect(rows.length).toBe(ATTEMPTS.length + 2);
  for (const role of ROLE_NAMES) expect(JSON.parse(jail(role)).role).toBe(role);
  expect(new Set(rows.map((row) => row.split("|").length))).toEqual(new Set([ROLE_NAMES.length + 4]));
});

test("no word stands for two attempts of a prober", () => {
  const names = ATTEMPTS.flatMap(({ by, names: words }) => words.map((name) => `${by}.${name}`));
  expect(new Set(names).size).toBe(names.length);
});

/** Attempts that may be allowed: in the role's own directory, on its own program, and on weights by the roles that run them. */
const MAY = new Set(["data.make", "data.fill", "read.own", "weights.read", "data"]);

test("no other call is ever allowed", () => {
  for (const attempt of ATTEMPTS.filter(({ names }) => !names.every((name) => MAY.has(name)))) {
    for (const role of findProberRoles(attempt.by)) expect(answerFor(attempt, role), attempt.tries).not.toBe("allowed");
  }
});

interface JailFile {
  readonly extends?: string;
  readonly calls: readonly { readonly names: readonly string[] }[];
}

function callsOf(name: string): ReadonlySet<string> {
  const { extends: base, calls }: JailFile = JSON.parse(jail(name));
  return new Set([...(base === undefined ? [] : callsOf(base)), ...calls.flatMap(({ names }) => names)]);
}

test("what THREATS.md says is left to each role is what is left", () => {
  const sizes = ROLE_NAMES.filter((role) => role !== "console").map((role) => callsOf(role).size);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  expect(page.replaceAll(/\s+/g, " ")).toContain(
    `${callsOf("console").size} system calls for the console, ${least} to ${most} of some 350 for the others`,
  );
});
