import { expect, test } from "vitest";
import { createSourceText, makeSpan } from "../text/index.ts";
import {
  createOutcome,
  defineDiagnostic,
  drawDiagnostics,
  escapeInvisible,
  findNearest,
  reportOf,
  selectShown,
  sortDiagnostics,
} from "./index.ts";

const source = createSourceText("a.cap", "one two\n\tthree\n");
const wrong = defineDiagnostic<{ word: string }>({
  code: "wrong",
  severity: "error",
  say: ({ word }) => `${word} is wrong`,
  because: "It is.",
  help: ({ word }) => (word === "two" ? "write `2`" : undefined),
});
const odd = defineDiagnostic<Record<string, never>>({
  code: "odd",
  severity: "warning",
  say: () => "this is odd",
  because: "It may be.",
});

const two = wrong.at(makeSpan(source, 4, 7), { word: "two" });
const three = odd.at(makeSpan(source, 9, 14), {});

test("a finding is rendered with its position, its line, a caret under each marked character, its reason and its help", () => {
  expect(drawDiagnostics([two], { colour: false })).toBe(
    [
      "error[wrong] two is wrong",
      "   --> a.cap:1:5",
      "  1 | one two",
      "    |     ^^^",
      "  because: It is.",
      "  help: write `2`",
      "",
      "1 error",
      "",
    ].join("\n"),
  );
});

test("after a tab the caret is still below the marked text", () => {
  const [, , line = "", caret = ""] = drawDiagnostics([three], { colour: false }).split("\n");
  expect(line.indexOf("three")).toBe(caret.indexOf("^"));
});

test("a help text of several lines is rendered line by line", () => {
  const steps = defineDiagnostic<Record<string, never>>({
    code: "steps",
    severity: "error",
    say: () => "it can be",
    because: "It is.",
    help: () => "so:\n1. this\u0007\n   that",
  });
  const drawn = drawDiagnostics([steps.at(makeSpan(source, 4, 7), {})], { colour: false });
  expect(drawn).toContain("  help: so:\n    1. this‹U+0007›\n       that\n");
});

test("related places are shown below the message", () => {
  const related = [{ span: makeSpan(source, 0, 3), message: "the other one" }];
  const drawn = drawDiagnostics([wrong.at(makeSpan(source, 4, 7), { word: "it" }, { related })], { colour: false });
  expect(drawn).toContain("  the other one\n   --> a.cap:1:1\n  1 | one two\n    | ---");
});

test("a finding about a file that was not read is rendered with the file's name, without a line", () => {
  const drawn = drawDiagnostics([wrong.at(makeSpan(createSourceText("none.cap", ""), 0, 0), { word: "it" })], {
    colour: false,
  });
  expect(drawn).toBe("error[wrong] it is wrong\n  --> none.cap\n  because: It is.\n\n1 error\n");
});

test("colour is used only on request", () => {
  const introducer = String.fromCharCode(27);
  expect(drawDiagnostics([two, three], { colour: false })).not.toContain(introducer);
  expect(drawDiagnostics([two, three], { colour: true })).toContain(`${introducer}[1;31merror[wrong]${introducer}[0m`);
});

test("control characters of a hostile source are escaped", () => {
  const hostile = createSourceText("a\u001b[2J.cap", "x \u001b[31m\u202e y");
  const drawn = drawDiagnostics([wrong.at(makeSpan(hostile, 2, 9), { word: "\u0007" })], { colour: false });
  expect(drawn).toContain("‹U+001B›[31m‹U+202E›");
  expect(drawn).toContain("‹U+0007› is wrong");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that no control character is drawn
  expect(drawn).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
});

test("of a long line, only the text around the mark is shown", () => {
  const long = createSourceText("a.cap", `${"a".repeat(5000)}HERE${"b".repeat(5000)}`);
  const drawn = drawDiagnostics([wrong.at(makeSpan(long, 5000, 5004), { word: "it" })], { colour: false });
  expect(drawn).toContain("…aaa");
  expect(drawn.length).toBeLessThan(600);
});

test("findings are sorted in the order of the page, without duplicates", () => {
  expect(sortDiagnostics([three, two, three])).toEqual([two, three]);
});

test("if there are more findings than the maximum, errors are shown before advice, and the findings that are not shown are counted", () => {
  const errors = Array.from({ length: 3 }, (_, index) => wrong.at(makeSpan(source, index, index + 1), { word: "it" }));
  const { shown, errors: count, warnings, more } = selectShown([three, ...errors], 2);
  expect([shown.map(({ code }) => code), count, warnings, more]).toEqual([["wrong", "wrong"], 3, 1, 2]);
});

test("the JSON report has all findings with their positions, and writing and parsing the report does not change it", () => {
  const report = reportOf([three, two]);
  expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  expect(report).toMatchObject({
    errors: 1,
    warnings: 1,
    more: 0,
    diagnostics: [
      { code: "wrong", at: { file: "a.cap", line: 1, column: 5, endLine: 1, endColumn: 8 }, help: "write `2`" },
      { code: "odd", at: { file: "a.cap", line: 2, column: 2 } },
    ],
  });
});

test("an outcome of the compiler has a value if it has only warnings, and no value if it has an error", () => {
  expect(createOutcome(1, [three])).toMatchObject({ ok: true, value: 1 });
  expect(createOutcome(1, [three, two]).ok).toBe(false);
});

test.each([
  ["readOnli", ["readOnly", "admin"], "readOnly"],
  ["raedOnly", ["readOnly"], "readOnly"],
  ["READONLY", ["readOnly"], "readOnly"],
  ["x", ["readOnly", "admin"], undefined],
  ["cat", ["bat", "hat"], "bat"],
  ["same", ["same"], undefined],
])("for the name %s among %j, the suggestion is %s", (name, candidates, expected) => {
  expect(findNearest(name, candidates)).toBe(expected);
});

test("harmless characters are not escaped", () => {
  expect(escapeInvisible("grüße ‹x› 漢字 😀")).toBe("grüße ‹x› 漢字 😀");
});
