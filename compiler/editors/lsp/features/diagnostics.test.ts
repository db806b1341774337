import { expect, test } from "vitest";
import { createSourceText, makeSpan } from "../../../../lang/text/index.ts";
import { readDiagnosticPages } from "../../../cli/diagnostic-pages.ts";
import { convertToRange } from "../places.ts";
import { TAGGED } from "./diagnostics.ts";

test("every finding code that an editor draws faded or struck through exists", async () => {
  const codes = new Set((await readDiagnosticPages()).map(({ code }) => code));
  expect(TAGGED.filter((code) => !codes.has(code))).toEqual([]);
  expect(TAGGED.length).toBeGreaterThan(10);
});

test("a lone carriage return counts as a line end, as in the editor", () => {
  const text = "a // b\rc\n\rd";
  const at = text.lastIndexOf("\r");
  expect(convertToRange(makeSpan(createSourceText("a.cap", text), at, at + 1))).toEqual({
    start: { line: 2, character: 0 },
    end: { line: 3, character: 0 },
  });
});
