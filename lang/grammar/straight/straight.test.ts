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

/**
 * Runs both parsers on one text. Checks that the straight parser accepts the text if and only if the full grammar has no finding, and
 * that both then give equal trees.
 */
function readByBoth(text: string): "straight" | "wrong" {
  const scanned = scan(createSourceText("a.cap", text));
  const straight = readStraight(scanned);
  const { tree, diagnostics } = readRecovering(scanned);
  expect(diagnostics.length === 0).toBe(straight !== undefined);
  if (straight === undefined) return "wrong";
  expect(straight).toEqual(tree);
  return "straight";
}

test("the straight and the full parser give equal trees for every sentence of the written grammar", () => {
  fc.assert(
    fc.property(fc.oneof(anyPage(), anyPage(LINES)), (page) => {
      expect(readByBoth(page)).toBe("straight");
    }),
    { numRuns: 1000 },
  );
});

test("the straight parser accepts a damaged page exactly if the full parser finds no error", () => {
  const seen = { straight: 0, wrong: 0 };
  fc.assert(
    fc.property(fc.oneof(anyDamagedPage(), anyDamagedPage(LINES)), (page) => {
      seen[readByBoth(page)]++;
    }),
    { numRuns: 1500 },
  );
  expect(Math.min(seen.straight, seen.wrong) / (seen.straight + seen.wrong)).toBeGreaterThan(0.03);
});

test("the straight and the full parser give equal trees for every page of the repository", () => {
  const pages = globSync("{lang,stdlib,compiler,examples}/**/*.cap", { cwd: CHECKOUT });
  const read = pages.map((path) => readByBoth(readFileSync(`${CHECKOUT}/${path}`, "utf8")));
  expect(read.filter((how) => how === "straight").length).toBeGreaterThan(30);
});
