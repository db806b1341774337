// Makes random JSON texts with names and values that parsers of JSON often misread, such as `__proto__` and `-0`.
import fc from "fast-check";

/** Makes records as `JSON.stringify` writes them, with names and values that readers of JSON often misread. */
export function written(): fc.Arbitrary<string> {
  const name = fc.oneof(
    fc.constantFrom("a", "b", "1", "9", "10", "-1", "__proto__", "constructor", "", "é", "\ud800", "\ufb33", "😀"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const leaf = fc.oneof(
    fc.string({ unit: "binary", maxLength: 4 }),
    fc.constantFrom(-0, 0, 2 ** 53, 2 ** 53 - 1, 1e21, 1e-7, 1.5, 5e-324, "\ud800", "\\ud800", "\\", '"'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
  );
  const { value } = fc.letrec<{ value: unknown; record: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("value"), { maxLength: 3 }), tie("record")),
    record: fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  }));
  return fc.dictionary(name, value, { maxKeys: 3 }).map((record) => JSON.stringify(record));
}

/** Returns the text with one character changed. */
export function scribbled(text: string): fc.Arbitrary<string> {
  const mark = fc.constantFrom(
    "{",
    "}",
    "[",
    ",",
    ":",
    '"',
    "\\",
    "0",
    "-",
    "u",
    "d",
    "\u0000",
    "e",
    "E",
    ".",
    " ",
    "\ud800",
  );
  return fc.tuple(fc.nat({ max: text.length }), mark).map(([at, one]) => text.slice(0, at) + one + text.slice(at + 1));
}
