import { expect, test } from "vitest";
import { diagnosticPages } from "../../cli/diagnostic-pages.ts";
import { TAGGED } from "./diagnostics.ts";

test("every code that is drawn faded or struck through is one", async () => {
  const codes = new Set((await diagnosticPages()).map(({ code }) => code));
  expect(TAGGED.filter((code) => !codes.has(code))).toEqual([]);
  expect(TAGGED.length).toBeGreaterThan(10);
});
