import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSourceText } from "../text/index.ts";
import { findExpectedAt, scan } from "./index.ts";

const WHOLE = readFileSync(new URL("../spec/whole-page.cap", import.meta.url), "utf8");

async function kindsAfter(text: string): Promise<string[]> {
  const found = await findExpectedAt(scan(createSourceText("a.cap", text)), text.length);
  return [...new Set(found.map(({ kind }) => kind))];
}

test.each([
  ["a declaration's name", "system a { session b ", ["{", "extends", "from"]],
  ["the name of a base session", "session b extends ", ["Name"]],
  ["a line of a block", "session b { permit { auto a\n consent ", ["*", "Name"]],
  [
    "the rest of a line or the end of the block",
    "session b { models { auto a ",
    ["}", "auto", "consent", "stepUp", "forbidden"],
  ],
  ["a label", "session b { clearance a:{", ["Name"]],
  ["the value of a second declaration on one line", "session b { kind operator  login ", ["Name"]],
  ["an outcome", 'test "a" { as b call c.d {} expect ', ["auto", "consent", "stepUp", "forbidden", "Name"]],
  ["the next token in a page with errors", "}{ ( system b { use std.", ["Name"]],
])("finds the kinds of tokens that may come next: %s", async (_, text, kinds) => {
  expect((await kindsAfter(text)).sort()).toEqual([...kinds].sort());
});

test("an expected token lists the grammar rules that would parse it, and numbers several uses of one rule", async () => {
  const text = "session b { quota { 3 calls per ";
  const found = await findExpectedAt(scan(createSourceText("a.cap", text)), text.length);
  expect(found.map(({ rules }) => rules.slice(-2).join(" > "))).toEqual(["quotaEntry > name 2"]);
});

test("an expected token has, for each of its grammar rules, the offset at which the rule begins", async () => {
  const text = "session b { permit { auto a where x == 1 else auto\n  consent c where ";
  const found = await findExpectedAt(scan(createSourceText("a.cap", text)), text.length);
  const [{ rules = [], begins = [] } = {}] = found.filter(({ kind }) => kind === "Name");
  const textAt = (rule: string) => text.slice(begins[rules.indexOf(rule)], text.length);
  expect(begins).toHaveLength(rules.length);
  expect(textAt("line")).toBe("consent c where ");
  expect(textAt("checks")).toBe("where ");
  expect(textAt("term")).toBe("");
});

test("at the offset of each token of `whole-page.cap`, this token is among the expected tokens", async () => {
  const scanned = scan(createSourceText("whole-page.cap", WHOLE));
  const { tokens } = scanned;
  const wrong: string[] = [];
  for (let index = 0; index < tokens.count; index += 1) {
    const kind = tokens.getKind(index);
    const found = await findExpectedAt(scanned, tokens.start(index));
    const fits = found.some((one) => one.kind === kind || (one.kind === "Name" && /^\w/.test(kind)));
    if (!fits) wrong.push(`${WHOLE.slice(tokens.start(index), tokens.end(index))} at ${tokens.start(index)}`);
  }
  expect(wrong).toEqual([]);
});

test("for any pieces of a page, the search for expected tokens returns a result", async () => {
  const piece = fc.tuple(fc.nat(WHOLE.length), fc.nat(200));
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 4 }), fc.nat(WHOLE.length), async (pieces, offset) => {
      const text = pieces.map(([start, length]) => WHOLE.slice(start, start + length)).join("");
      expect(
        Array.isArray(await findExpectedAt(scan(createSourceText("a.cap", text)), Math.min(offset, text.length))),
      ).toBe(true);
    }),
    { numRuns: 50 },
  );
});
