import { expect, test } from "vitest";
import { compareClauses } from "./compare-clauses.ts";

const written = (...lines: readonly string[]) => ({ text: lines.join("; "), lines });
const LONG = "auto where path from person, contacts.read.content else consent";

test("lines of the old and the new decision stay in the order of their pages, and changed lines are marked", () => {
  const compared = compareClauses(
    written("the most specific of:", `  ${LONG}`, "  forbidden where a else auto", "at least consent"),
    written("the most specific of:", `  ${LONG}`, "  forbidden where b else auto", "  stepUp", "at least consent"),
  );
  expect(compared.map(({ mark, text }) => `${mark} ${text}`)).toEqual([
    "same the most specific of:",
    `same   ${LONG}`,
    "removed   forbidden where a else auto",
    "added   forbidden where b else auto",
    "added   stepUp",
    "same at least consent",
  ]);
});

test("two decisions are not compared line by line if they are short, or if only one page has the tool", () => {
  expect(compareClauses(written("auto"), written("consent"))).toEqual([]);
  expect(compareClauses(undefined, written(LONG, LONG))).toEqual([]);
});

test("decisions with too many lines are not compared line by line", () => {
  const many = Array.from({ length: 600 }, (_, index) => `auto where path under "/${index}" else consent`);
  expect(compareClauses(written(...many), written(...many, "auto"))).toEqual([]);
});
