import fc from "fast-check";
import { expect, test } from "vitest";
import { boundMessageBytes } from "./bound.ts";
import { encodeMessage } from "./encode.ts";
import { Entry } from "./fixture/generated/everything.ts";
import { LAYOUTS } from "./fixture/layouts.ts";
import { valuesOf } from "./fixture/values.ts";

test.each(LAYOUTS)("$title: no message is longer than its bound", ({ layout }) => {
  fc.assert(
    fc.property(valuesOf(layout), (value) => {
      expect(boundMessageBytes(layout, value)).toBeGreaterThanOrEqual(encodeMessage(layout, value).length);
    }),
    { numRuns: 200 },
  );
});

test("the bound of a message is its length if all fields of the struct are set", () => {
  const entry: Entry = { name: "äb", path: "/", kind: 3, weight: 5n, tags: [1, 2, 3] };
  expect(boundMessageBytes(Entry, entry)).toBe(encodeMessage(Entry, entry).length);
});
