import fc from "fast-check";
import { expect, test } from "vitest";
import { findImports } from "./schema-imports.ts";

test("imports and embedded files of a schema are found, but not those in its comments and text values", () => {
  const text = `@0x1; # import "comment.capnp"
using A = import "a.capnp"; using import
  "b/c.capnp".D;
const words :Text = "import \\"no.capnp\\""; const d :Data = embed "d.bin";
struct S { import @0 :Text = "e"; }`;
  expect(findImports(text).map(({ path }) => path)).toEqual(["a.capnp", "b/c.capnp", "d.bin"]);
});

test("each import is found at its own position, for any text", () => {
  const word = fc.constantFrom("import ", "embed", '"a.capnp"', '"', "\\", "#", "\n", "x", ";");
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join("");
      for (const { path, start, end } of findImports(text)) expect(text.slice(start, end)).toBe(`"${path}"`);
    }),
  );
});

test("a mebibyte of quotes is read within seconds", () => {
  const before = process.cpuUsage();
  findImports('"\\\n'.repeat(350_000));
  findImports('import "'.repeat(130_000));
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(5);
});
