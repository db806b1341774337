import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type JsonRecord, openConversation } from "../../../engine/lib/policy/index.ts";
import { compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import type { Meaning, Tool } from "../../phases/bind/index.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { findNarrowest } from "./narrowest-condition.ts";

/** Returns a tool with arguments of every type. Only the given line of its session covers the tool. */
async function shopWith(line: string) {
  const text = renderFactsPage({
    top: "category orders : mutatingLocal  interface Shop { method buy : orders  arg price is money EUR  arg from is url }",
    services: "service shop : Shop {}",
    permit: line,
    rest: "image { target linux  machine vm  boot operator }",
  });
  const { policy, model, diagnostics } = await compilePage(text);
  const tool = model?.tools.find(({ name }) => name === "shop.buy");
  if (policy === undefined || tool === undefined) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { tables: indexPolicyTables(policy), tool };
}

const PLAIN = {
  price: "9.50",
  from: "https://a.example/x",
  count: 3,
  colour: "red",
  gift: true,
  size: { width: 7, names: [] },
};
const said = async (calls: readonly JsonRecord[]) =>
  findNarrowest((await shopWith("consent shop.buy")).tool, calls, "values");

test("the condition for one call contains all its values", async () => {
  expect(await said([PLAIN])).toEqual({
    checks: [
      "price <= 9.50 EUR",
      'origin(from) in ["https://a.example"]',
      "count == 3",
      'colour == "red"',
      "gift == true",
      "size.width == 7",
    ],
    covered: [0],
    free: ["size.names"],
  });
});

test("the condition for several calls contains bounds and common values", async () => {
  const other = { ...PLAIN, price: "10.00", from: "https://b.example", count: 1, colour: "green", gift: false };
  expect(await said([PLAIN, other])).toEqual({
    checks: [
      "price <= 10.00 EUR",
      'origin(from) in ["https://a.example", "https://b.example"]',
      "count >= 1",
      "count <= 3",
      'colour in ["green", "red"]',
      "size.width == 7",
    ],
    covered: [0, 1],
    free: ["gift", "size.names"],
  });
});

test("a condition omits bounds that the schema already sets", async () => {
  const ends = [0, 65_535].map((count) => ({ ...PLAIN, count, size: { width: count === 0 ? 0 : 9, names: [] } }));
  const { checks, free } = await said(ends);
  expect(checks.filter((check) => /^count|^size/.test(check))).toEqual(["size.width <= 9"]);
  expect(free).toContain("count");
});

test("a call with an invalid address is not covered", async () => {
  expect((await said([PLAIN, { ...PLAIN, from: "nowhere" }])).covered).toEqual([0]);
});

const anyCall = fc.record({
  price: fc.nat({ max: 10_000 }).map((cents) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`),
  from: fc.oneof(fc.webUrl(), fc.constantFrom("nowhere", "https://user@a.example/", "https://A.example:443/x")),
  count: fc.nat({ max: 65_535 }),
  colour: fc.constantFrom("red", "green"),
  gift: fc.boolean(),
  size: fc.record({ width: fc.nat({ max: 99 }), names: fc.array(fc.string({ maxLength: 3 }), { maxLength: 2 }) }),
});

test("property: the suggested rule compiles and allows every call that it covers", async () => {
  const { tool } = await shopWith("consent shop.buy");
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 6 }), fc.boolean(), async (calls, isBound) => {
      const { checks, covered } = findNarrowest(tool, calls, isBound ? "bounds" : "values");
      fc.pre(checks.length > 0 && covered.length > 0);
      const { tables } = await shopWith(`auto shop.buy where ${checks.join(" and ")} else consent`);
      const conversation = openConversation(tables, "operator");
      if (conversation === undefined) throw new Error("there is no operator");
      for (const index of covered) {
        const call = { tool: "shop.buy", arguments: JSON.stringify(calls[index]) };
        expect(decide(tables, conversation, call)).toMatchObject({ kind: "gated", gate: "auto" });
      }
    }),
    { numRuns: 30 },
  );
});

const NAMES = ["where", "a b", "path", "x-y"];

/** Returns the tool with text arguments of the given names and meanings. */
function withTexts(tool: Tool, texts: Readonly<Record<string, Meaning | undefined>>): Tool {
  const params = Object.keys(texts).map(
    (name) => ({ name, type: { which: "text", text: { maxBytes: 4096 } }, required: true }) as const,
  );
  const meanings = new Map(Object.entries(texts).flatMap(([name, meaning]) => (meaning ? [[name, meaning]] : [])));
  return { ...tool, method: { ...tool.method, meanings, description: { ...tool.method.description, params } } };
}

test("the condition gives the exact name of a program, even if bounds are requested", async () => {
  const { tool } = await shopWith("consent shop.buy");
  const meant = withTexts(tool, { tool: { kind: "program" }, note: { kind: "text" } });
  expect(findNarrowest(meant, [{ tool: "ls", note: "x" }], "bounds").checks).toEqual([
    'tool == "ls"',
    "size(note) <= 1",
  ]);
});

test("if most calls give an optional argument, the rule has a condition on it, and does not cover the other calls", async () => {
  const { tool } = await shopWith("consent shop.buy");
  const meant = withTexts(tool, { path: { kind: "path" }, note: { kind: "text" } });
  const [noted, plain] = [{ path: "a/b", note: "x" }, { path: "a/b" }];
  expect(findNarrowest(meant, [noted, plain], "values")).toEqual({
    checks: ['path under "/a/b"', 'note == "x"'],
    covered: [0],
    free: [],
  });
  expect(findNarrowest(meant, [plain, noted, plain], "values")).toEqual({
    checks: ['path under "/a/b"'],
    covered: [0, 1, 2],
    free: ["note"],
  });
});

test("all calls of the largest possible log become one condition", async () => {
  const { tool } = await shopWith("consent shop.buy");
  const calls = Array.from({ length: 200_000 }, (_, index) => ({ path: `a/${index % 9}`, note: `${index}` }));
  const meant = withTexts(tool, { path: { kind: "path" }, note: undefined });
  expect(findNarrowest(meant, [...calls, { path: "b", note: "" }], "values")).toMatchObject({
    checks: ['path under "/a"', "size(note) <= 6"],
    covered: { length: 200_000 },
  });
});

test("argument names that are words of the language are quoted", async () => {
  const { tool } = await shopWith("consent shop.buy");
  const params = NAMES.map((name) => ({ name, type: { which: "boolean" }, required: true }) as const);
  const named: Tool = { ...tool, method: { ...tool.method, description: { ...tool.method.description, params } } };
  const call = Object.fromEntries(NAMES.map((name) => [name, true]));
  expect(findNarrowest(named, [call], "values").checks).toEqual([
    '"where" == true',
    '"a b" == true',
    "path == true",
    "x-y == true",
  ]);
});
