import fc from "fast-check";
import { expect, test } from "vitest";
import { Names } from "./names.ts";

test("each tool name is translated to a distinct name that providers accept, and back to itself", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", ".", "_", "é", "2"), maxLength: 70 })), (all) => {
      const names = new Names(all);
      const theirs = [...new Set(all)].map((name) => names.translateToTheirs(name));
      expect(new Set(theirs).size).toBe(theirs.length);
      for (const name of theirs) expect(name).toMatch(/^[\w-]{1,64}$/);
      for (const name of all) expect(names.translateToOurs(names.translateToTheirs(name))).toBe(name);
    }),
    { numRuns: 60 },
  );
});

test("leaves a name that was not offered unchanged", () => {
  expect(new Names(["notes.read"]).translateToOurs("shell")).toBe("shell");
});
