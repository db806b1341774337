import fc from "fast-check";
import { expect, test } from "vitest";
import type { Fix } from "../../lang/diagnostics/index.ts";
import { createSourceText, makeSpan } from "../../lang/text/index.ts";
import { applyFixes } from "./fix.ts";

const TEXT = "one two three four";
const source = createSourceText("a.cap", TEXT);
const fix = (start: number, end: number, replacement: string): Fix => ({
  span: makeSpan(source, start, end),
  replacement,
});

test.each([
  ["nothing", [], "one two three four", 0],
  ["fixes in any order, of any length", [fix(14, 18, "4"), fix(0, 3, "first")], "first two three 4", 2],
  ["fixes side by side", [fix(0, 3, "1"), fix(3, 4, "-")], "1-two three four", 2],
  ["the first of overlapping fixes", [fix(4, 7, "2"), fix(2, 5, "X")], "onXwo three four", 1],
  ["the same fix twice", [fix(4, 7, "2"), fix(4, 7, "2")], "one 2 three four", 1],
  ["the first of two insertions at one place", [fix(4, 4, "a "), fix(4, 4, "b ")], "one a two three four", 1],
  [
    "a replacement after an insertion at the same place waits",
    [fix(3, 3, ","), fix(3, 7, "")],
    "one, two three four",
    1,
  ],
  ["an insertion at the end of a replacement waits", [fix(0, 3, "1"), fix(3, 3, ",")], "1 two three four", 1],
])("%s", (_, fixes, text, count) => {
  expect(applyFixes(TEXT, fixes)).toEqual({ text, count });
});

test("text outside of fixes stays unchanged and in its order", () => {
  const anyFix = fc
    .tuple(fc.nat(TEXT.length), fc.nat(TEXT.length))
    .map(([one, other]) => fix(Math.min(one, other), Math.max(one, other), "#"));
  fc.assert(
    fc.property(fc.array(anyFix), (fixes) => {
      const { text, count } = applyFixes(TEXT, fixes);
      expect(text.split("#")).toHaveLength(count + 1);
      let at = 0;
      for (const kept of text.split("#")) {
        const found = TEXT.indexOf(kept, at);
        expect(found).toBeGreaterThanOrEqual(at);
        at = found + kept.length;
      }
    }),
  );
});
