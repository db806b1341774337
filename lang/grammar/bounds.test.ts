// Tests of the checks before a file is parsed.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceText } from "../text/index.ts";
import { decodeSource, findUnseen, MAX_FILE_BYTES } from "./bounds.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the code and message of the finding, and the underlined text with its offset. */
function saidOf(bytes: Uint8Array): readonly unknown[] {
  const bounded = decodeSource("a.cap", bytes);
  if (bounded.ok) return [bounded.source.text];
  const { code, message, span } = bounded.diagnostic;
  return [code, message, span.start, span.source.text.slice(span.start, span.end)];
}

test("a file of one mebibyte is accepted, and a file with one byte more is refused", () => {
  expect(decodeSource("a.cap", new Uint8Array(MAX_FILE_BYTES).fill(32)).ok).toBe(true);
  expect(saidOf(new Uint8Array(MAX_FILE_BYTES + 1).fill(32))).toEqual([
    "file-too-large",
    "the file has 1048577 bytes; at most 1048576 are allowed",
    0,
    "",
  ]);
});

test.each<[string, readonly number[], number]>([
  ["a byte that begins no character", [0x61, 0xff, 0x61], 2],
  ["a continuation byte without a first byte", [0x80], 1],
  ["an incomplete character at the end", [0x61, 0xc3], 2],
  ["an incomplete character before another character", [0xe2, 0x82, 0x61], 3],
  ["half of a surrogate pair", [0xed, 0xa0, 0x80], 2],
  ["a character in an overlong encoding", [0xc0, 0x80], 1],
])("%s is not UTF-8, and the first wrong byte is reported", (_, bytes, offset) => {
  expect(saidOf(Uint8Array.from(bytes)).slice(0, 2)).toEqual([
    "not-utf8",
    `the file is not UTF-8 text; the first wrong byte is number ${offset}`,
  ]);
});

test("the position of a wrong byte is reported, wherever the byte is in a text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.string({ maxLength: 40 }), (before, behind) => {
      const bytes = Uint8Array.from([...encode(before), 0xff, ...encode(behind)]);
      expect(saidOf(bytes)[1]).toBe(
        `the file is not UTF-8 text; the first wrong byte is number ${encode(before).length + 1}`,
      );
    }),
  );
});

test.each<[string, string, number, string]>([
  ["a\u202eb", "a source file must not contain the character ‹U+202E›", 1, "\u202e"],
  ["a\r\nb\0", "a source file must not contain the character ‹U+0000›", 4, "\0"],
  ["\u{e0041}", "a source file must not contain the character ‹U+E0041›", 0, "\u{e0041}"],
])("the hidden character in %j is reported with its position and its code point", (text, message, start, shown) => {
  expect(saidOf(encode(text))).toEqual(["hidden-character", message, start, shown]);
});

test.each<[string, string, number, string]>([
  ["a\rb", "a carriage return (U+000D) stands here without a line feed", 1, "\r"],
  ["a\r\nb\n", "this line ends with LF, the lines before it with CRLF", 4, "\n"],
  ["a\nb\r\n", "this line ends with CRLF, the lines before it with LF", 3, "\r\n"],
  ["a\nb\r", "a carriage return (U+000D) stands here without a line feed", 3, "\r"],
])(
  "in %j, the first line end that is not allowed, or that differs from the one before it, is reported",
  (text, message, start, shown) => {
    expect(saidOf(encode(text))).toEqual(["line-ends", message, start, shown]);
  },
);

test.each(["", "a\n\tb\n", "a\r\nb\r\n", "ä😀 — “x”\n"])("%j is accepted unchanged", (text) => {
  expect(saidOf(encode(text))).toEqual([text]);
});

test("a byte order mark at the start is not a part of the text", () => {
  expect(saidOf(encode("\ufeffa"))).toEqual(["a"]);
});

test("only the formatter accepts mixed line ends, and a hidden character is reported before mixed line ends", () => {
  const mixed = createSourceText("a.cap", "a\r\nb\nc");
  expect([findUnseen(mixed)?.code, findUnseen(mixed, "mixed")]).toEqual(["line-ends", undefined]);
  expect(findUnseen(createSourceText("a.cap", "a\rb"), "mixed")?.code).toBe("line-ends");
  expect(findUnseen(createSourceText("a.cap", "a\r\nb\n\u202e"))?.code).toBe("hidden-character");
});
