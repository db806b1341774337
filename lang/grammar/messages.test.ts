// Tests of messages about pages with syntax errors: their place and text, and the parts of the page that are still
// parsed.

import { expect, test } from "vitest";
import type { Diagnostic } from "../diagnostics/index.ts";
import { createSourceText, makeSpan, type Span } from "../text/index.ts";
import { MAX_DIGITS } from "./findings.ts";
import { unescapeText } from "./literals.ts";
import { parse } from "./parse.ts";

const SHOWN = (text: string, { start, end }: Span): string => text.slice(start, end);

/** Returns each finding as its message, underlined text, help and fix. */
async function saidOf(text: string) {
  const { diagnostics } = await parse(createSourceText("a.cap", text));
  return diagnostics.map(({ message, span: at, help, fix }) => [message, SHOWN(text, at), help, fix?.replacement]);
}

test.each<[string, string, string, string | undefined, string | undefined]>([
  [
    "sytem s { }",
    "expected `system`, `use`, `confidentiality`, `integrity`, `compartments`, `category`, `interface`, `principal`, `model`, `backend`, `service` or 16 others, found `sytem`",
    "sytem",
    "did you mean `system`?",
    "system",
  ],
  ["system { }", "expected a name, found `{`", "{", undefined, undefined],
  ["system s", "expected `{`, found the end of the file", "", undefined, undefined],
  [
    "system s { use std.tools",
    "expected `}`, found the end of the file",
    "",
    "the `{` at 1:10 is not closed",
    undefined,
  ],
  ["use 7", "expected a text in quotes, `capnp`, `mcp` or a name, found `7`", "7", undefined, undefined],
  ["session s { quota { 3 calls pr turn } }", "expected `per`, found `turn`", "turn", undefined, undefined],
  [
    "session s { permit { auto a where b < } }",
    "expected a text in quotes, `true`, `false`, a number or `task`, found `}`",
    "}",
    undefined,
    undefined,
  ],
  [
    'session s { permit { auto a where not path under "/x" else consent } }',
    "expected `not has(…)`, found `not path`",
    "not path",
    '`not` stands only before `has(…)`; write `!=`, or swap the two modes: `consent a.b where path under "/x" else auto`',
    undefined,
  ],
  [
    'session s { permit { auto a where path not under "/x" else consent } }',
    "expected `not has(…)`, found `path not`",
    "path not",
    '`not` stands only before `has(…)`; write `!=`, or swap the two modes: `consent a.b where path under "/x" else auto`',
    undefined,
  ],
  [
    'session s { permit { auto a where not (path under "/x") else consent } }',
    "expected `not has(…)`, found `not (path under`",
    "not (path under",
    '`not` stands only before `has(…)`; write `!=`, or swap the two modes: `consent a.b where path under "/x" else auto`',
    undefined,
  ],
  [
    "session s { permit { auto a where b < 5 and not  } }",
    "expected `not has(…)`, found `not`",
    "not",
    '`not` stands only before `has(…)`; write `!=`, or swap the two modes: `consent a.b where path under "/x" else auto`',
    undefined,
  ],
  [
    "session s { when unattended { atLeast consent a where n > 100 atleast stepUp a where n > 1000 } }",
    "expected `atLeast`, found `atleast`",
    "atleast",
    "did you mean `atLeast`?",
    "atLeast",
  ],
  [
    'principal a { ssh "k }\n}',
    "the quotation mark that closes this text is missing",
    '"k }',
    'add `"` where the text ends',
    undefined,
  ],
  [
    "service ; a : B {}",
    "`;` has no meaning here",
    ";",
    "nothing stands between lines or attributes: leave it out",
    undefined,
  ],
  [
    "service é : B {}",
    "`é` (U+00E9) has no meaning here",
    "é",
    "write the name in these letters; any letter may stand in a text in quotes",
    undefined,
  ],
  [
    "service aéß : B {}",
    "`éß` (U+00E9 …) has no meaning here",
    "éß",
    "write the name in these letters; any letter may stand in a text in quotes",
    undefined,
  ],
  [
    "} system s {}",
    "expected `system`, `use`, `confidentiality`, `integrity`, `compartments`, `category`, `interface`, `principal`, `model`, `backend`, `service` or 16 others, found `}`",
    "}",
    undefined,
    undefined,
  ],
])("%j gives one message", async (text, message, shown, help, fix) => {
  expect(await saidOf(text)).toEqual([[message, shown, help, fix]]);
});

const LINE = (line: string) => `session s { permit { ${line} } }`;
const WHICH = "expected `inherit`, `auto`, `consent`, `stepUp` or `forbidden`";

test.each<[string, string, string, string, string | undefined]>([
  [
    "session s { /* all, { and } */ kind guest }",
    "`/* all, { and } */` has no meaning here",
    "/* all, { and } */",
    "a comment begins with `//` and ends with its line",
    undefined,
  ],
  [
    LINE("auto a where b under '/c' else forbidden"),
    "`'/c'` has no meaning here",
    "'/c'",
    'a text stands in double quotes: `"…"`',
    undefined,
  ],
  [
    `${LINE('auto a where b under "/c else forbidden')}\n}\n}\nsession t { kind guest }`,
    "the quotation mark that closes this text is missing",
    '"/c else forbidden } }',
    'add `"` where the text ends',
    undefined,
  ],
  [LINE('auto a where b = "/c" else forbidden'), "expected `==`, found `=`", "=", "did you mean `==`?", "=="],
  [LINE("allow a"), `${WHICH}, found \`allow\``, "allow", "did you mean `auto`?", "auto"],
  [LINE("auto b  ask a"), `${WHICH}, found \`ask\``, "ask", "did you mean `consent`?", "consent"],
  [LINE("deny a"), `${WHICH}, found \`deny\``, "deny", "did you mean `forbidden`?", "forbidden"],
  [LINE("block a"), `${WHICH}, found \`block\``, "block", "did you mean `forbidden`?", "forbidden"],
  [
    LINE('auto a where b under "/c"'),
    "expected `else`, found `}`",
    "}",
    "say which mode applies where the condition fails: `else forbidden`",
    undefined,
  ],
  [
    LINE('auto a where b under "/c", "/d" else forbidden'),
    "expected `else`, found `,`",
    ",",
    "one text stands here; a second line of the same pattern allows another",
    undefined,
  ],
  [
    LINE('auto a where b under "/c" or b under "/d" else forbidden'),
    "expected `absent`, found `b`",
    "b",
    "only `absent` stands behind `or`; a second line of the same pattern allows another value",
    undefined,
  ],
  [
    "session s extends t { widen { auto a } }",
    "expected `because`, found `}`",
    "}",
    'say why: `because "…"`',
    undefined,
  ],
  [
    'backend b { remote openai "https://a.example"  model m  token "sk-1" }',
    'expected a name, found `"sk-1"`',
    '"sk-1"',
    "a page holds no credential: write `token vault.NAME`, and seal it with `capc secret seal NAME`",
    undefined,
  ],
  [
    "session s { timeout { 5 per call } }",
    "expected a name, found `per`",
    "per",
    "a number is followed by what it counts: `5 s per call`, `5 calls per turn`",
    undefined,
  ],
  [
    "session s {\n  permit { auto a }\nsession t { kind guest }",
    "expected `}`, found `session`",
    "session",
    "the `{` at 1:11 is not closed",
    undefined,
  ],
])(
  "a construct of another language, or a missing part, gives one message with a correction: %j",
  async (text, ...said) => {
    expect(await saidOf(text)).toEqual([said]);
  },
);

test("an independent mistake after an unclosed text has its own message", async () => {
  const text = 'session s { permit { auto a where b under "/c else forbidden } }\n}\n}\nsession t { kint guest }';
  expect((await saidOf(text)).map(([message]) => message)).toEqual([
    "the quotation mark that closes this text is missing",
    expect.stringContaining("found `kint`"),
  ]);
});

test("a number with the maximum number of digits is accepted, and a longer number is refused", async () => {
  const page = (digits: number) => `session s { quota { ${"9".repeat(digits)} calls per turn } }`;
  expect(await saidOf(page(MAX_DIGITS))).toEqual([]);
  expect(await saidOf(page(MAX_DIGITS + 1))).toEqual([
    [`the number has more than ${MAX_DIGITS} digits`, "9".repeat(MAX_DIGITS + 1), undefined, undefined],
  ]);
});

test("a message shows twenty characters of a long run of unknown characters", async () => {
  expect((await saidOf(`${";".repeat(30)} system s {}`))[0]?.[0]).toBe(`\`${";".repeat(20)}\` has no meaning here`);
  expect((await saidOf(`service ${"é".repeat(30)} : B {}`))[0]?.[0]).toBe(
    `\`${"é".repeat(20)}\` (U+00E9 …) has no meaning here`,
  );
});

test("a message shows forty characters of a long word", async () => {
  expect((await saidOf(`system s { } ${"x".repeat(50)}`))[0]?.[0]).toContain(`found \`${"x".repeat(40)}\``);
});

test("if brackets are nested too deep, there is only one message, and nothing is parsed", async () => {
  const text = `session s ${"{".repeat(65)}`;
  const { tree, diagnostics } = await parse(createSourceText("a.cap", text));
  expect(diagnostics.map(({ message, span: at }) => [message, at.start])).toEqual([
    ["brackets are nested deeper than 64", text.length - 1],
  ]);
  expect([tree.items, tree.strayDocs, tree.lost.size]).toEqual([[], [], 0]);
});

/** Returns the parsed declarations, including those inside a system, and whether each is damaged. */
async function readOf(text: string) {
  const { tree, diagnostics } = await parse(createSourceText("a.cap", text));
  const items = tree.items.flatMap((item) => (item.kind === "system" ? [item, ...item.items] : [item]));
  const read = items.map(
    (item) =>
      `${item.kind}${"name" in item ? ` ${item.name.text}` : ""}${"damaged" in item && item.damaged ? "!" : ""}`,
  );
  return { read, found: diagnostics.length, lost: [...tree.lost].sort() };
}

test.each<[string, string, readonly string[], readonly string[]]>([
  ["the next declaration", "service a B {}\nservice c : D {}", ["service c"], ["B", "a", "service"]],
  [
    "the next declaration on the same line, after a skipped block",
    "service a B { x { y } } service c : D {}",
    ["service c"],
    ["B", "a", "service", "x", "y"],
  ],
  [
    "the declarations around it",
    "system s {\n service a : A {}\n servce b : B {}\n service c : C {}\n}",
    ["system s!", "service a", "service c"],
    ["B", "b", "servce"],
  ],
  [
    "the attributes around it",
    "session s { kind operator\n lgin key\n starts public }",
    ["session s!"],
    ["key", "lgin"],
  ],
  [
    "a declaration after a block that is not closed",
    "session s { kind operator\nservice a : A {}",
    ["session s!", "service a"],
    [],
  ],
  [
    "a declaration after a line that is not finished",
    "session s { permit { auto\n}\n}\nservice a : A {}",
    ["session s!", "service a"],
    [],
  ],
  [
    "everything after a text that is not closed",
    'principal a { ssh "k }\n}\nservice a : A {}',
    ["principal a!", "service a"],
    [],
  ],
])("a mistake does not prevent the parsing of %s", async (_, text, read, lost) => {
  expect(await readOf(text)).toEqual({ read, found: 1, lost });
});

const AT = makeSpan(createSourceText("a.cap", 'x "…" …………………'), 2, 20);

function escaped(image: string) {
  const found: Diagnostic[] = [];
  const value = unescapeText(image, AT, (diagnostic) => found.push(diagnostic));
  return { value, found: found.map(({ message, span: { start, end } }) => [message, start, end]) };
}

test.each<[string, string]>([
  ['""', ""],
  ['"a b"', "a b"],
  ['"\\"\\\\\\/\\n\\r\\t"', '"\\/\n\r\t'],
  ['"\\u0041\\u00e9\\u00E9"', "Aéé"],
  ['"\\ud83d\\ude00"', "😀"],
  ['"\\u0041b"', "Ab"],
])("%s is parsed as the text %j", (image, value) => {
  expect(escaped(image)).toEqual({ value, found: [] });
});

test.each<[string, string, string, number, number]>([
  ['"a\\qb"', "ab", "\\q", 4, 6],
  ['"\\u00e"', "00e", "\\u", 3, 5],
  ['"\\constructor"', "onstructor", "\\c", 3, 5],
  ['"\\😀"', "\ufffd", "\\\ud83d", 3, 5],
])("%s has an unknown escape, which is reported and left out", (image, value, sequence, start, end) => {
  const { found, ...said } = escaped(image);
  expect(said.value).toBe(value);
  expect(found[0]?.slice(1)).toEqual([start, end]);
  if (sequence.isWellFormed()) expect(found).toEqual([[`\`${sequence}\` is not an escape`, start, end]]);
});

test("a lone surrogate is reported and replaced", () => {
  expect(escaped('"\\ud83d"')).toEqual({ value: "\ufffd", found: [['`"\\ud83d"` is not an escape', 2, 20]] });
});

test("an unclosed text gets only one message", () => {
  expect(escaped('"a\\qb')).toEqual({ value: "ab", found: [] });
  expect(escaped('"')).toEqual({ value: "", found: [] });
  expect(escaped('"a\\')).toEqual({ value: "a", found: [] });
});
