// Tests how a text is split into tokens, compared with the patterns of the vocabulary, which the scanner does not use.

import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceText } from "../text/index.ts";
import { MAX_NESTING, scan } from "./scanner.ts";
import { CONTEXTUAL, RESERVED, SHAPES, SIGNS } from "./vocabulary.ts";

interface Cut {
  readonly tokens: readonly string[];
  readonly docs: readonly string[];
  readonly comments: readonly string[];
  readonly unknown: readonly string[];
}

/** Returns the output of the scanner with offsets. A token has the form `kind text`. */
function cut(text: string): Cut {
  const { tokens, docs, comments, unknown } = scan(createSourceText("a.cap", text));
  const cutOut = ({ start, end }: { readonly start: number; readonly end: number }) =>
    `${start} ${text.slice(start, end)}`;
  const found = Array.from({ length: tokens.count }, (_, index) => {
    const place = { start: tokens.start(index), end: tokens.end(index) };
    return `${tokens.getKind(index)} at ${cutOut(place)}`;
  });
  return { tokens: found, docs: docs.map(cutOut), comments: comments.map(cutOut), unknown: unknown.map(cutOut) };
}

const KEYWORDS: ReadonlySet<string> = new Set([...RESERVED, ...CONTEXTUAL]);
const FORMS = [
  ...(["doc", "comment", "Number", "StrangeName", "Name", "String", "UnclosedString"] as const).map(
    (kind) => [kind, new RegExp(SHAPES[kind].source, "y")] as const,
  ),
  ...SIGNS.map((sign) => [sign, new RegExp(sign.replaceAll(/./g, "\\$&"), "y")] as const),
];

/** Returns the output that the scanner should have, by trying the pattern of each kind at each offset. */
function cutByShapes(text: string): Cut {
  const found = {
    tokens: [] as string[],
    docs: [] as string[],
    comments: [] as string[],
    unknown: [] as { start: number; end: number }[],
  };
  let at = 0;
  while (at < text.length) {
    const blank = /[ \t\n]|\r\n/y;
    blank.lastIndex = at;
    if (blank.test(text)) {
      at = blank.lastIndex;
      continue;
    }
    const [foreign] = /^(?:\/\*[\s\S]*?(?:\*\/|$)|'[^'\r\n]*')/.exec(text.slice(at)) ?? [];
    if (foreign !== undefined) {
      found.unknown.push({ start: at, end: at + foreign.length });
      if (foreign.startsWith("'")) found.tokens.push(`String at ${at} ${foreign}`);
      at += foreign.length;
      continue;
    }
    const match = FORMS.map(([kind, form]) => {
      form.lastIndex = at;
      return { kind, image: form.exec(text)?.[0] ?? "" };
    }).find(({ image }) => image !== "");
    if (match === undefined) {
      const end = text[at] === "#" ? /[^\r\n]*/y : undefined;
      if (end !== undefined) end.lastIndex = at;
      const length = end?.exec(text)?.[0].length ?? 1;
      const before = found.unknown.at(-1);
      if (before?.end === at && end === undefined) before.end += 1;
      else found.unknown.push({ start: at, end: at + length });
      at += length;
      continue;
    }
    const { kind, image } = match;
    if (kind === "doc" || kind === "comment") found[kind === "doc" ? "docs" : "comments"].push(`${at} ${image}`);
    else found.tokens.push(`${kind === "Name" && KEYWORDS.has(image) ? image : kind} at ${at} ${image}`);
    at += image.length;
  }
  return { ...found, unknown: found.unknown.map(({ start, end }) => `${start} ${text.slice(start, end)}`) };
}

test.each<[string, readonly string[]]>([
  ["a b-c", ["Name at 0 a", "Name at 2 b-c"]],
  ["a- b", ["Name at 0 a", "Name at 3 b"]],
  ["a--b", ["Name at 0 a", "Name at 3 b"]],
  ["system systems", ["system at 0 system", "Name at 7 systems"]],
  ["auto-x auto", ["Name at 0 auto-x", "auto at 7 auto"]],
  [
    "12 -3 4.50 5k 6M 7km 8.k",
    [
      "Number at 0 12",
      "Number at 3 -3",
      "Number at 6 4.50",
      "Number at 11 5k",
      "Number at 14 6M",
      "Number at 17 7",
      "Name at 18 km",
      "Number at 21 8",
      ". at 22 .",
      "Name at 23 k",
    ],
  ],
  ["1..2", ["Number at 0 1", ".. at 1 ..", "Number at 3 2"]],
  ["1.5.2", ["Number at 0 1.5", ". at 3 .", "Number at 4 2"]],
  ["<=<>=>==!=", ["<= at 0 <=", "< at 2 <", ">= at 3 >=", ">= at 5 >=", "= at 7 =", "!= at 8 !="]],
  ['"a" "b\\"c" "d', ['String at 0 "a"', 'String at 4 "b\\"c"', 'UnclosedString at 11 "d']],
  ['"a\n"b"', ['UnclosedString at 0 "a', 'String at 3 "b"']],
  ['"a\\', ['UnclosedString at 0 "a\\']],
  ['"a\\\nb', ['UnclosedString at 0 "a\\', "Name at 4 b"]],
  ["nоte é-a a-é", ["StrangeName at 0 nоte", "StrangeName at 5 é-a", "StrangeName at 9 a-é"]],
  ["a//b\nc/d", ["Name at 0 a", "Name at 5 c", "/ at 6 /", "Name at 7 d"]],
])("%j is split into its tokens", (text, tokens) => {
  expect(cut(text).tokens).toEqual(tokens);
});

test("three slashes begin a doc comment, two or four slashes begin a comment, each up to the end of its line", () => {
  const { docs, comments, tokens } = cut("/// a\n// b\r\n//// c\n///\n//");
  expect(docs).toEqual(["0 /// a", "19 ///"]);
  expect(comments).toEqual(["6 // b", "12 //// c", "23 //"]);
  expect(tokens).toEqual([]);
});

test("adjacent unknown characters form one range, and a comment of another language forms one range up to the end of its line", () => {
  expect(cut("a ;;' b $ # c { d\ne").unknown).toEqual(["2 ;;'", "8 $", "10 # c { d"]);
  expect(cut("a ;;' b $ # c { d\ne").tokens).toEqual(["Name at 0 a", "Name at 6 b", "Name at 18 e"]);
  expect(cut("- a\r- b").unknown).toEqual(["0 -", "3 \r-"]);
});

test("a block comment and a text in single quotes each form one range, and the text in quotes is also a token", () => {
  expect(cut("a /* { \n } */ b /* c").unknown).toEqual(["2 /* { \n } */", "16 /* c"]);
  expect(cut("a 'b { c' d 'e\nf").unknown).toEqual(["2 'b { c'", "12 '"]);
  expect(cut("a 'b { c' d").tokens).toEqual(["Name at 0 a", "String at 2 'b { c'", "Name at 10 d"]);
});

const PIECES = [
  ..."ab_1-.\"\\/{}[](),:*<>=!#;' \n\t\ré".split(""),
  ...["/*", "*/", "//", "///", "\r\n", "auto", "system", "12", "k", "M", "😀", '"x"', ".."],
];

test("the scanner splits any text in the same way as the patterns of the vocabulary", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join("")),
      (text) => {
        expect(cut(text)).toEqual(cutByShapes(text));
      },
    ),
    { numRuns: 3000 },
  );
});

test("every keyword is found, and a word that only resembles a keyword is read as a name", () => {
  for (const word of KEYWORDS) {
    expect(cut(word).tokens).toEqual([`${word} at 0 ${word}`]);
    for (const other of [`${word}x`, `x${word}`, `${word}_`, word.toUpperCase(), `${word}-a`, word.slice(0, -1)]) {
      const kind = KEYWORDS.has(other) ? other : "Name";
      expect(cut(other).tokens).toEqual([`${kind} at 0 ${other}`]);
    }
  }
});

test("no token is lost if a text has more tokens than the scanner estimates from its length", () => {
  const text = "{}".repeat(5000);
  const { tokens } = scan(createSourceText("a.cap", text));
  expect(tokens.count).toBe(10_000);
  for (const index of [0, 1, 4999, 9999]) {
    expect([tokens.getKind(index), tokens.start(index), tokens.end(index)]).toEqual([text[index], index, index + 1]);
  }
  expect(tokens.getKind(10_000)).toBe("End");
});

test.each(["{", "[", "("])(
  "`%s` may be nested up to the maximum depth, and the first bracket beyond it is reported with its position",
  (sign) => {
    const close = { "{": "}", "[": "]", "(": ")" }[sign] ?? "";
    const nested = (depth: number) =>
      scan(createSourceText("a.cap", `${sign.repeat(depth)}${close.repeat(depth)}`)).tooDeep;
    expect(nested(MAX_NESTING)).toBeUndefined();
    expect(nested(MAX_NESTING + 3)).toEqual({ start: MAX_NESTING, end: MAX_NESTING + 1 });
  },
);

test("superfluous closing brackets do not allow deeper nesting", () => {
  const text = `${"}".repeat(10)}${"{".repeat(MAX_NESTING + 1)}`;
  expect(scan(createSourceText("a.cap", text)).tooDeep).toEqual({ start: 10 + MAX_NESTING, end: 11 + MAX_NESTING });
  expect(scan(createSourceText("a.cap", "{}".repeat(MAX_NESTING * 2))).tooDeep).toBeUndefined();
});
