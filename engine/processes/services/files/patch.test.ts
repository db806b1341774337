import fc from "fast-check";
import { expect, test } from "vitest";
import { applyReplacements } from "./patch.ts";

const value = (text: string, ...edits: [string, string][]) => {
  const made = applyReplacements(
    text,
    edits.map(([before, after]) => ({ before, after })),
  );
  return made.ok ? made.value : made.reason;
};

test("each edit replaces the only occurrence of its text, in any order", () => {
  expect(value("one two three", ["three", "3"], ["one", "1"])).toBe("1 two 3");
  expect(value("one two", [" two", ""])).toBe("one");
  expect(value("a", ["a", "a"])).toBe("a");
  expect(value("smile 😀 here", ["😀 h", "H"])).toBe("smile Here");
});

test("refuses a text that occurs twice or never, or that overlaps another edit", () => {
  expect(value("one two one", ["one", "1"])).toMatch(/more than once/);
  expect(value("aaa", ["aa", "b"])).toMatch(/more than once/);
  expect(value("one", ["One", "1"])).toMatch(/does not/);
  expect(value("one", ["one more", "1"])).toMatch(/does not/);
  expect(value("one two three", ["one two", "1"], ["two three", "2"])).toMatch(/overlap/);
  expect(value("one", ["one", "1"], ["one", "1"])).toMatch(/overlap/);
});

test("an edit applies to the original text, not to the result of another edit", () => {
  expect(value("one", ["one", "two"], ["two", "three"])).toMatch(/does not/);
});

test("edits of adjacent texts do not overlap", () => {
  expect(value("onetwo", ["one", "1"], ["two", "2"])).toBe("12");
});

test("property: finds a text exactly as JavaScript's own search does", () => {
  const short = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 });
  fc.assert(
    fc.property(
      short,
      short.filter((part) => part !== ""),
      (text, part) => {
        const first = text.indexOf(part);
        const unique = first >= 0 && text.indexOf(part, first + 1) < 0;
        const made = applyReplacements(text, [{ before: part, after: "X" }]);
        expect(made.ok).toBe(unique);
        if (made.ok) expect(made.value).toBe(text.replace(part, "X"));
      },
    ),
    { numRuns: 300 },
  );
});

test("property: edits made from parts of a text fit the text in any order, and insert their text", () => {
  const piece = fc.record({ kept: fc.nat(3), before: fc.boolean(), after: fc.string({ maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.integer(), (pieces, seed) => {
      // Each piece contains a number in brackets, so that it occurs only once.
      const named = pieces.map(({ kept, after }, index) => ({ text: `[${index}]${"-".repeat(kept)}`, after }));
      const edits = named.map(({ text, after }) => ({ before: text.slice(0, text.indexOf("]") + 1), after }));
      const turned = edits.map((edit, index) => edits[(index + (seed >>> 0)) % edits.length] ?? edit);
      const made = applyReplacements(named.map(({ text }) => text).join(""), turned);
      const wanted = named.map(({ text, after }) => after + text.slice(text.indexOf("]") + 1)).join("");
      expect(made).toEqual({ ok: true, value: wanted });
    }),
    { numRuns: 100 },
  );
});
