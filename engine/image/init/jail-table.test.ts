import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROLE_NAMES } from "../../lib/roles/index.ts";
import { ATTEMPTS, answerFor, findProberRoles } from "./jail-attempts.ts";
import { insertAttemptTable, renderAttemptTable } from "./jail-table.ts";

const page = readFileSync(new URL("../../THREATS.md", import.meta.url), "utf8");
const jail = (role: string): string => readFileSync(new URL(`../jails/${role}.json`, import.meta.url), "utf8");

test("THREATS.md shows the current table of attempts from inside the jails", () => {
  expect(insertAttemptTable(page)).toBe(page);
});

test("insertAttemptTable returns undefined if a comment around the table is missing, or the two are in the wrong order", () => {
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

test("a program that makes attempts inside a jail uses each name for one attempt only", () => {
  const names = ATTEMPTS.flatMap(({ by, names: words }) => words.map((name) => `${by}.${name}`));
  expect(new Set(names).size).toBe(names.length);
});

/** Attempts that a jail may allow: in the role's own directory, on its own program, and on weights by roles that run models. */
const MAY = new Set(["data.make", "data.fill", "read.own", "weights.read", "data"]);

test("jails allow only attempts on a role's own directory, its own program and the weights of its models", () => {
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

test("THREATS.md states the number of system calls that each role may use", () => {
  const sizes = ROLE_NAMES.filter((role) => role !== "console").map((role) => callsOf(role).size);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  expect(page.replaceAll(/\s+/g, " ")).toContain(
    `the console can make ${callsOf("console").size}, and the other roles ${least} to ${most}`,
  );
});
