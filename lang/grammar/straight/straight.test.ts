import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyDamagedPage, anyPage, LINES } from "../../testing/index.ts";
import { createSourceText } from "../../text/index.ts";
import { readRecovering } from "../rules/read.ts";
import { scan } from "../scanner.ts";
import { readStraight } from "./read.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url));

/** Both readers on one text: the straight one reads exactly the pages of which the grammar has nothing to say, and alike. */
function readByBoth(text: string): "straight" | "wrong" {
  const scanned = scan(createSourceText("a.cap", text));
  const straight = readStraight(scanned);
  const { tree, diagnostics } = readRecovering(scanned);
  expect(diagnostics.length === 0).toBe(straight !== undefined);
  if (straight === undefined) return "wrong";
  expect(straight).toEqual(tree);
  return "straight";
}

test("every sentence of the written grammar is read by both readers, and alike", () => {
  fc.assert(
    fc.property(fc.oneof(anyPage(), anyPage(LINES)), (page) => {
      expect(readByBoth(page)).toBe("straight");
    }),
    { numRuns: 1000 },
  );
});

test("both readers notice the errors of a page", () => {
  const seen = { straight: 0, wrong: 0 };
  fc.assert(
    fc.property(fc.oneof(anyDamagedPage(), anyDamagedPage(LINES)), (page) => {
      seen[readByBoth(page)]++;
    }),
    { numRuns: 1500 },
  );
  expect(Math.min(seen.straight, seen.wrong) / (seen.straight + seen.wrong)).toBeGreaterThan(0.03);
});

test("every page of the house is read alike", () => {
  const pages = globSync("{lang,stdlib,compiler,examples}/**/*.cap", { cwd: CHECKOUT });
  const read = pages.map((path) => readByBoth(readFileSync(`${CHECKOUT}/${path}`, "utf8")));
  expect(read.filter((how) => how === "straight").length).toBeGreaterThan(30);
});
