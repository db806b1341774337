// Tests the readers of settings: values equal those of other parsers, and each position points at its part.

import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { expect, test } from "vitest";
import { decodeSource } from "../../../../lang/grammar/index.ts";
import { readJson5 } from "./json5.ts";
import type { SettingsRead } from "./located.ts";
import { readToml } from "./toml.ts";

function read(reader: typeof readToml, text: string): SettingsRead {
  const bounded = decodeSource("settings", Buffer.from(text));
  if (!bounded.ok) throw new Error("not text");
  return reader(bounded.source);
}

/** Returns the text of the setting at a path. */
function partOf(result: SettingsRead, path: readonly (string | number)[]): string {
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  const { source, start, end } = result.placeOf(path);
  return source.text.slice(start, end);
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("JSON is read as JSON.parse reads it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const result = read(readJson5, text);
      expect(result.ok && plain(result.value)).toEqual(plain(value));
      expect(result.ok && partOf(result, [])).toBe(text.includes("\n") ? text[0] : text);
    }),
  );
});

test.each([
  ["{a: 1, 'b': .5, $c: +2, d: 0xFF, e: 1., }", { a: 1, b: 0.5, $c: 2, d: 255, e: 1 }],
  ["// one\n[1, /* two */ 'it''s'.length]", undefined],
  ["['a\\\nb', \"\\x41\\u0042\\q\", '\"']", ["ab", "ABq", '"']],
  ["{a: -Infinity}", { a: null }],
  ["{__proto__: {x: 1}}", { ["__proto__"]: { x: 1 } }],
])("JSON5 %s", (text, value) => {
  const result = read(readJson5, text);
  expect(result.ok ? JSON.stringify(result.value) : undefined).toBe(JSON.stringify(value));
});

test.each([
  ["{a: 1, a: 2}", "repeated"],
  ["{a 1}", "colon"],
  ["[1 2]", "comma"],
  ['"a', "does not end"],
  ["/* a", "does not end"],
  ["[1] 2", "follows"],
  ["", "too early"],
  ["[".repeat(100), "deeper"],
  ['"\\u12"', "escape"],
])("JSON5 %s is refused: %s", (text, reason) => {
  const result = read(readJson5, text);
  expect(result.ok ? "" : result.diagnostics[0]?.message).toContain(reason);
});

const CONFIG = `# settings
model = "x"
a.b = [1, "two"]  # a list
[mcp_servers."my.server"]
enabled_tools = [
  "one", # first
  'two',
]
tools.read = { approval_mode = "approve" }
text = """
[not.a.table]
"""
[[rule]]
toolName = "x"
[[rule]]
toolName = ["y", "z"]
[rule.more]
k = 'v'
`;

test.each([
  [["model"], '"x"'],
  [["a", "b", 1], '"two"'],
  [["mcp_servers", "my.server", "enabled_tools", 1], "'two'"],
  [["mcp_servers", "my.server", "tools", "read", "approval_mode"], '"approve"'],
  [["rule", 0, "toolName"], '"x"'],
  [["rule", 1, "toolName", 1], '"z"'],
  [["rule", 1, "more", "k"], "'v'"],
  [["rule", 1, "absent"], "[[rule]]"],
  [["mcp_servers", "my.server"], '[mcp_servers."my.server"]'],
])("TOML: the position of the path %j is the position of the text %s", (path, text) =>
  expect(partOf(read(readToml, CONFIG), path)).toBe(text),
);

const key = fc.oneof(fc.stringMatching(/^[\w-]{1,6}$/), fc.string({ minLength: 1, maxLength: 5 }));
const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.boolean(), fc.integer());
const tables = fc.dictionary(
  key,
  fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(key, scalar),
    fc.array(fc.dictionary(key, scalar)),
  ),
  { maxKeys: 4 },
);

test("TOML: the position of every value is the position of its text", () => {
  fc.assert(
    fc.property(fc.dictionary(key, fc.oneof(scalar, tables), { maxKeys: 4 }), (value) => {
      const text = stringify(value);
      const bounded = decodeSource("settings", Buffer.from(text));
      if (!bounded.ok) return;
      const result = readToml(bounded.source);
      for (const [path, scalarValue] of listScalars(parse(bounded.source.text)))
        expect(parse(`k = ${partOf(result, path)}`)["k"]).toEqual(scalarValue);
    }),
  );
});

function listScalars(
  value: unknown,
  path: readonly (string | number)[] = [],
): [readonly (string | number)[], unknown][] {
  if (Array.isArray(value)) return value.flatMap((each, index) => listScalars(each, [...path, index]));
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => listScalars(each, [...path, name]));
}

test("any text is read, or refused at a position within the text", () => {
  const words = fc.array(
    fc.constantFrom("[", "]", "{", "}", '"', "'", "a", "=", ".", ",", "\n", "#", "//", "\\", ":", "1"),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        words.map((some) => some.join("")),
      ),
      (text) => {
        const bounded = decodeSource("settings", Buffer.from(text));
        if (!bounded.ok) return;
        for (const reader of [readToml, readJson5]) {
          const result = reader(bounded.source);
          const span = result.ok ? result.placeOf(["a", 0]) : result.diagnostics[0]?.span;
          expect(span !== undefined && span.start <= span.end && span.end <= bounded.source.text.length).toBe(true);
        }
      },
    ),
    { numRuns: 2000 },
  );
});
