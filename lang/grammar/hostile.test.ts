import fc from "fast-check";
import { expect, test } from "vitest";
import { type Diagnostic, drawDiagnostics } from "../diagnostics/index.ts";
import { formatFile } from "../format/index.ts";
import { anyDamagedPage, anyWords } from "../testing/index.ts";
import { createSourceText } from "../text/index.ts";
import { decodeSource, MAX_FILE_BYTES } from "./bounds.ts";
import { parse } from "./parse.ts";
import { CONTEXTUAL, RESERVED, SIGNS } from "./vocabulary.ts";

/** Returns all findings about the bytes. */
async function told(bytes: Uint8Array): Promise<readonly Diagnostic[]> {
  const bounded = decodeSource("a.cap", bytes);
  const diagnostics = bounded.ok ? (await parse(bounded.source)).diagnostics : [bounded.diagnostic];
  expect(drawDiagnostics(diagnostics, { colour: false }).length).toBeLessThan(100_000);
  return diagnostics;
}

async function formatted(bytes: Uint8Array): Promise<void> {
  const bounded = decodeSource("a.cap", bytes);
  if (bounded.ok) await formatFile(bounded.source);
}

/** Returns all findings about the bytes. If there are none, also formats the page. */
async function answered(bytes: Uint8Array): Promise<readonly Diagnostic[]> {
  const diagnostics = await told(bytes);
  if (diagnostics.length === 0) await formatted(bytes);
  return diagnostics;
}

/** Maximum processor seconds for one mebibyte of any text: `TELLING` to report its errors, and `FORMATTING` to format it. */
const TELLING = 2;
const FORMATTING = 8;

/** Runs an action and expects that it ends within the limit. The function tries three times, because other programs may slow one run. */
async function soon<T>(limit: number, act: () => Promise<T>): Promise<T> {
  for (let time = 1; ; time++) {
    const before = process.cpuUsage();
    const result = await act();
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    if (seconds > limit && time < 3) continue;
    expect(seconds).toBeLessThan(limit);
    return result;
  }
}

async function answeredSoon(bytes: Uint8Array): Promise<readonly Diagnostic[]> {
  const diagnostics = await soon(TELLING, () => told(bytes));
  if (diagnostics.length === 0) await soon(FORMATTING, () => formatted(bytes));
  return diagnostics;
}

/** Returns one mebibyte of the repeated text, between a beginning and an end. */
function mebibyteOf(text: string, [before, behind]: readonly [string, string] = ["", ""]): Uint8Array {
  const encoder = new TextEncoder();
  const room = MAX_FILE_BYTES - encoder.encode(before + behind).length;
  return encoder.encode(before + text.repeat(Math.floor(room / encoder.encode(text).length)) + behind);
}

const IN_LINE = ["session s { permit { auto ", "a } }"] as const;

test.each<[string, Uint8Array, string | undefined]>([
  ["ten mebibytes of brackets", new Uint8Array(10 * 1024 * 1024).fill(0x5b), "file-too-large"],
  ["opening brackets", mebibyteOf("{"), "nested-too-deep"],
  [
    "brackets that are nested ten thousand deep",
    new TextEncoder().encode("[".repeat(10_000) + "]".repeat(10_000)),
    "nested-too-deep",
  ],
  ["closing brackets", mebibyteOf("}"), "too-many-syntax-errors"],
  ["wrong words", mebibyteOf("x\n"), "syntax"],
  ["wrong lines", mebibyteOf("service\n"), "too-many-syntax-errors"],
  [
    "wrong lines in a block",
    mebibyteOf("auto ,\n", ["system s { session a { permit {\n", "} } }"]),
    "too-many-syntax-errors",
  ],
  ["wrong letters", mebibyteOf("ä "), "unknown-character"],
  ["wrong signs", mebibyteOf("# "), "unknown-character"],
  ["dashes that join nothing", mebibyteOf("a--"), "unknown-character"],
  ["wrong escapes", mebibyteOf("\\q", ['principal a { ssh "', '" }']), "unknown-escape"],
  ["one endless name", mebibyteOf("a"), "syntax"],
  ["one endless text", mebibyteOf("a", ['"', ""]), "unclosed-text"],
  ["one endless number", mebibyteOf("1"), "number-too-long"],
  ["one endless fraction", mebibyteOf("0", ["backend a { threads 0.", "1 }"]), "number-too-long"],
  ["one endless line of patterns", mebibyteOf("a, ", IN_LINE), undefined],
  ["one endless line of comments", mebibyteOf("a, // c\n", IN_LINE), undefined],
  ["one endless reference", mebibyteOf("a.", IN_LINE), undefined],
  [
    "one endless condition",
    mebibyteOf("x == 1 and ", ["session s { permit { auto a where ", "x == 1 else auto } }"]),
    undefined,
  ],
  ["one endless object", mebibyteOf('"a": {}, ', ['test "t" { call a.b { ', "b: 1 } expect ok }"]), undefined],
  ["small declarations", mebibyteOf("use a.b\n"), undefined],
  ["small declarations with docs", mebibyteOf("/// c\ncategory a : b\n", ["system s {\n", "}"]), undefined],
  ["small blocks", mebibyteOf("storage { a b }\n"), undefined],
  ["comments", mebibyteOf("//\n"), undefined],
  ["line ends", mebibyteOf("\n"), undefined],
])(
  "a page with %s gives a result within the time limit",
  async (_, bytes, code) => {
    const codes = new Set((await answeredSoon(bytes)).map((diagnostic) => diagnostic.code));
    expect(code === undefined ? codes.size === 0 : codes.has(code)).toBe(true);
  },
  60_000,
);

const WORDS = [...RESERVED, ...CONTEXTUAL, ...SIGNS, "a", '"x"', "1", "\n", "// c\n", "/// d\n", "é", "#", '"', "\\"];

test("a mebibyte of any repeated text gives a result within the time limit", async () => {
  const anyUnit = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 });
  const anyPlace = fc.constantFrom(["", ""] as const, ["system s {\n", "}"] as const, IN_LINE);
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyUnit, anyWords({ choices: 20 })), anyPlace, async (words, place) => {
      await answeredSoon(mebibyteOf(`${words.join(" ")} `, place));
    }),
    { numRuns: 5 },
  );
});

test.each([
  ["a byte that is not UTF-8", [0x61, 0xff], "not-utf8"],
  ["half a character at the end", [0x61, 0xc3], "not-utf8"],
  ["NUL", [0x61, 0x00], "hidden-character"],
  ["an escape sequence", [0x1b, 0x5b], "hidden-character"],
  ["a change of direction", [0xe2, 0x80, 0xae], "hidden-character"],
  ["a byte order mark that is not at the start", [0x61, 0xef, 0xbb, 0xbf], "hidden-character"],
])("a file with %s is refused before it is parsed", (_, bytes, code) => {
  const bounded = decodeSource("a.cap", new Uint8Array(bytes));
  expect(bounded.ok ? "accepted" : bounded.diagnostic.code).toBe(code);
});

test.each([
  ["a lone carriage return hides a rule behind a comment", "a // b\r auto c\n", 1, 7],
  ["a lone carriage return is the last character", "a\nb\r", 2, 2],
  ["a carriage return comes after a line feed", "a\n\rb\n", 2, 1],
  ["two carriage returns end a line", "a\r\r\nb\r\n", 1, 2],
  ["the second line ends with LF, the first with CRLF", "a\r\nbc\nd\r\n", 2, 3],
  ["the third line ends with CRLF, those before with LF", "a\n\nbcd\r\n", 3, 4],
])(
  "refuses a page in which %s; the reported line number counts only lines that end with LF",
  (_, text, line, column) => {
    const bounded = decodeSource("a.cap", new TextEncoder().encode(text));
    const diagnostic = bounded.ok ? undefined : bounded.diagnostic;
    expect(diagnostic?.code).toBe("line-ends");
    expect(diagnostic?.span.source.position(diagnostic.span.start)).toEqual({ line, column });
  },
);

test("the formatter accepts mixed line ends, but no lone carriage return", () => {
  const isRead = (text: string) => decodeSource("a.cap", new TextEncoder().encode(text), "mixed").ok;
  expect([isRead("a\r\nb\n"), isRead("a\nb\r\n"), isRead("a // b\rc\n")]).toEqual([true, true, false]);
});

test.each(["a\nb\n", "a\r\nb\r\n", "a\r\nb", "", "a"])(
  "the text %j is accepted, because all its line ends are equal",
  (text) => {
    expect(decodeSource("a.cap", new TextEncoder().encode(text)).ok).toBe(true);
  },
);

test("an accepted page has the same lines in every program, whatever line ends of Unicode the program recognizes", () => {
  const anyText = fc
    .array(fc.constantFrom("a", " ", "// c", "{", "\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"))
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(anyText, (text) => {
      const bounded = decodeSource("a.cap", new TextEncoder().encode(text));
      const lines = text.split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/);
      const own = text.split("\n").map((_, index) => createSourceText("a.cap", text).line(index + 1));
      if (bounded.ok) expect(own).toEqual(lines);
      const ends = new Set(text.match(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g));
      const isPlain = ends.size === 0 || (ends.size === 1 && (ends.has("\n") || ends.has("\r\n")));
      expect(bounded.ok).toBe(isPlain);
    }),
  );
});

test("the scanner also refuses a carriage return that is not before a line feed", async () => {
  const { diagnostics } = await parse(createSourceText("a.cap", "system s { // c\r use std.tools\n}\n"));
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-character"]);
});

test("no bytes make the parser or the formatter throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      await answered(bytes);
    }),
    { numRuns: 500 },
  );
});

test("no page with some exchanged bytes makes the parser or the formatter throw", async () => {
  const anyEdits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(anyDamagedPage(), anyEdits, async (page, edits) => {
      const bytes = new TextEncoder().encode(page);
      for (const [at, byte] of edits) if (bytes.length > 0) bytes[at % bytes.length] = byte;
      await answered(bytes);
    }),
    { numRuns: 500 },
  );
});

test.each(["сессия", "σύνοδος", "セッション", "會話", "جلسة", "sessión", "nоtes"])(
  "the name %s gives one message with the code point of the letter",
  async (name) => {
    const [diagnostic, ...more] = await answered(new TextEncoder().encode(`session ${name} { kind operator }`));
    expect(more).toEqual([]);
    expect(diagnostic).toMatchObject({ code: "unknown-character" });
    expect(diagnostic?.message).toMatch(/ \(U\+[0-9A-F]{4}( …)?\) has no meaning here$/);
    expect(diagnostic?.help).toContain("these letters");
  },
);

test.each([
  0x0b, 0x0c, 0x85, 0x2028, 0x2029, 0x034f, 0x115f, 0x2800, 0x3164, 0xe000, 0xfe0f, 0xfe00, 0xe0100, 0xe0041, 0x202a,
  0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x061c, 0xad, 0xfeff,
])(
  "the hidden character %s gives one message at any place, and the message shows the escaped character",
  async (point) => {
    const character = String.fromCodePoint(point);
    for (const text of [
      `session a${character} {}`,
      `// ${character}`,
      `principal a { ssh "${character}" }`,
      ` ${character}`,
    ]) {
      const [diagnostic, ...more] = await answered(new TextEncoder().encode(text));
      expect(more).toEqual([]);
      expect(diagnostic).toMatchObject({ code: "hidden-character" });
      expect(diagnostic?.message).toContain(`‹U+${point.toString(16).toUpperCase().padStart(4, "0")}›`);
    }
  },
);
