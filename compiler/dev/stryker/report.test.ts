import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeRange, computeScore, readMutants } from "./report.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-mutation-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = "if (a\n  && b) stop();\n";

/** Returns a mutant that replaces a condition of two lines. */
const mutant = (status: string) => ({
  mutatorName: "ConditionalExpression",
  replacement: "false",
  status,
  location: { start: { line: 1, column: 5 }, end: { line: 2, column: 7 } },
});

function read(...statuses: readonly string[]) {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify({ files: { "a.ts": { source: SOURCE, mutants: statuses.map(mutant) } } }));
  return readMutants(path);
}

test("lists a mutant on one line with its place and original text", () => {
  expect(read("Survived")).toEqual([{ noticed: false, place: "a.ts:1:5", change: "a && b → false" }]);
});

test("an uncovered mutant survives, a timeout counts as detected, and an ignored or invalid mutant does not count", () => {
  const found = read("Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "CompileError");
  expect(found.map(({ noticed }) => noticed)).toEqual([true, true, false, false]);
  expect(computeScore(found)).toBe(50);
});

test("the score without mutants is 0", () => {
  expect(computeScore([])).toBe(0);
});

test("the confidence range narrows as the sample grows, and does not exceed 100 %", () => {
  const drawn = (noticed: number, of: number) =>
    computeRange(Array.from({ length: of }, (_, at) => ({ noticed: at < noticed, place: "", change: "" })));
  const rounded = (range: readonly number[]) => range.map((share) => share.toFixed(1));
  expect(rounded(drawn(50, 100))).toEqual(["40.4", "59.6"]);
  expect(rounded(drawn(200, 400))).toEqual(["45.1", "54.9"]);
  expect(rounded(drawn(10, 10))).toEqual(["72.2", "100.0"]);
});
