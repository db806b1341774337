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

/** A change of the whole condition, which stands on two lines. */
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

test("a change is reported with its place and what stood there, on one line", () => {
  expect(read("Survived")).toEqual([{ noticed: false, place: "a.ts:1:5", change: "a && b → false" }]);
});

test("a mutant without coverage survives, a timeout is killed, and one that does not compile is not counted", () => {
  const found = read("Killed", "Timeout", "Survived", "NoCoverage", "Ignored", "CompileError");
  expect(found.map(({ noticed }) => noticed)).toEqual([true, true, false, false]);
  expect(computeScore(found)).toBe(50);
});

test("a run without mutants has no score", () => {
  expect(computeScore([])).toBe(0);
});

test("a larger sample gives a narrower interval, which stays below a hundred", () => {
  const drawn = (noticed: number, of: number) =>
    computeRange(Array.from({ length: of }, (_, at) => ({ noticed: at < noticed, place: "", change: "" })));
  const rounded = (range: readonly number[]) => range.map((share) => share.toFixed(1));
  expect(rounded(drawn(50, 100))).toEqual(["40.4", "59.6"]);
  expect(rounded(drawn(200, 400))).toEqual(["45.1", "54.9"]);
  expect(rounded(drawn(10, 10))).toEqual(["72.2", "100.0"]);
});
