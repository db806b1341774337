// Tests amounts, units, and those parts of binding that do not need a page.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { createSourceText, makeSpan } from "../../../lang/text/index.ts";
import type { Name, Numeral } from "../../../lang/tree/index.ts";
import { bindChains } from "./chains.ts";
import { type Context, createSuggestions, declare, resolve, resolveWord } from "./context.ts";
import {
  convertToByteDecimal,
  isByteUnit,
  listByteUnits,
  readBytes,
  readMilliseconds,
  readPercent,
  readTokens,
  readWhole,
  scaleDecimal,
} from "./quantities.ts";
import { formatQuotaKey } from "./quota.ts";

const AT = makeSpan(createSourceText("a.cap", "0123456789"), 0, 4);
const LATER = makeSpan(createSourceText("a.cap", "0123456789"), 5, 9);
const name = (text: string, at = AT): Name => ({ text, span: at });
const amount = (decimal: string): Numeral => ({ decimal, span: AT });
const quantity = (decimal: string, unit: string) => ({ amount: amount(decimal), unit: name(unit), span: AT });

function listening(lost: readonly string[] = [], incomplete = false) {
  const found: Diagnostic[] = [];
  const namings: string[] = [];
  const context: Context = {
    report: (diagnostic) => found.push(diagnostic),
    suggest: createSuggestions(),
    lost: new Set(lost),
    incomplete,
    named: ({ what, id, declares }) => namings.push(`${declares ? "declares" : "is"} ${what} ${id}`),
  };
  return { context, namings, messages: () => found.map(({ message }) => message) };
}

test.each<[string, bigint, bigint | undefined]>([
  ["0", 7n, 0n],
  ["3", 1n, 3n],
  ["1.5", 1024n, 1536n],
  ["0.25", 4n, 1n],
  ["0.3", 10n, 3n],
  ["0.3", 1n, undefined],
  ["2.001", 100n, undefined],
  ["-1.5", 2n, -3n],
])("%s times %s is %s", (decimal, factor, product) => {
  expect(scaleDecimal(decimal, factor)).toBe(product);
});

test("a decimal with n fraction digits is an integer after multiplication by 10^n, but not by a smaller power of ten", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 10n ** 12n }),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(8),
      (whole, last, digits) => {
        const fraction = `${"0".repeat(digits)}${last}`;
        const power = 10n ** BigInt(digits + 1);
        expect(scaleDecimal(`${whole}.${fraction}`, power)).toBe(whole * power + BigInt(last));
        expect(scaleDecimal(`${whole}.${fraction}`, power / 10n)).toBeUndefined();
      },
    ),
  );
});

test.each<[string, bigint]>([
  ["B", 1n],
  ["KiB", 1024n],
  ["MiB", 1024n ** 2n],
  ["GiB", 1024n ** 3n],
  ["TiB", 1024n ** 4n],
])("a %s is %s bytes", (unit, bytes) => {
  const { context, messages } = listening();
  expect(readBytes(context, quantity("1", unit), 1n << 40n)).toBe(bytes);
  expect(convertToByteDecimal(context, amount("3"), name(unit))).toBe(`${3n * bytes}`);
  expect([isByteUnit(unit), listByteUnits().includes(unit)]).toEqual([true, true]);
  expect(messages()).toEqual([]);
});

test("no word except B, KiB, MiB, GiB and TiB is a unit of bytes", () => {
  expect(listByteUnits()).toHaveLength(5);
  for (const unit of ["b", "kB", "MB", "kib", "", "tokens"]) expect(isByteUnit(unit)).toBe(false);
  const { context, messages } = listening();
  expect(convertToByteDecimal(context, amount("3"), name("MB"))).toBeUndefined();
  expect(readBytes(context, quantity("3", "MB"), 10n)).toBeUndefined();
  expect(messages()).toEqual(["`MB` is not a unit of size", "`MB` is not a unit of size"]);
});

test.each<[string, number]>([
  ["ms", 1],
  ["s", 1000],
  ["min", 60_000],
  ["h", 3_600_000],
])("a %s is %s milliseconds", (unit, milliseconds) => {
  const { context } = listening();
  expect(readMilliseconds(context, quantity("1", unit), 10n ** 9n)).toBe(milliseconds);
});

test("an amount may be 1, the limit, or any number between them", () => {
  const { context, messages } = listening();
  expect(readWhole(context, amount("1"), { factor: 1n }, 5n)).toBe(1n);
  expect(readWhole(context, amount("5"), { factor: 1n }, 5n)).toBe(5n);
  expect(messages()).toEqual([]);
  expect(["0", "6", "-1", "1.5"].map((text) => readWhole(context, amount(text), { factor: 1n }, 5n))).toEqual(
    Array(4).fill(undefined),
  );
  expect(messages()).toEqual([
    "`0` is not an amount from 1 to 5",
    "`6` is not an amount from 1 to 5",
    "`-1` is not an amount from 1 to 5",
    "`1.5` is not a whole number of the smallest unit",
  ]);
});

test("an invalid time is undefined, and invalid tokens and shares are 0", () => {
  const { context, messages } = listening();
  expect(readMilliseconds(context, quantity("0", "s"), 10n)).toBeUndefined();
  expect([readTokens(context, quantity("0", "tokens")), readPercent(context, quantity("0", "percent"))]).toEqual([
    0, 0,
  ]);
  expect([readTokens(context, quantity("7", "tokens")), readPercent(context, quantity("100", "percent"))]).toEqual([
    7, 100,
  ]);
  expect(readTokens(context, quantity("4294967295", "tokens"))).toBe(0xffff_ffff);
  expect(messages()).toHaveLength(3);
});

test("two quotas have the same key if and only if their unit and scope are equal", () => {
  const quotas = [
    { unit: "calls", name: "", scope: "turn" },
    { unit: "calls", name: "", scope: "day" },
    { unit: "tokens", name: "", scope: "turn" },
    { unit: "money", name: "EUR", scope: "turn" },
    { unit: "money", name: "USD", scope: "turn" },
    { unit: "category", name: "EUR", scope: "turn" },
  ] as const;
  expect(quotas.map(formatQuotaKey)).toEqual([
    "calls  per turn",
    "calls  per day",
    "tokens  per turn",
    "money EUR per turn",
    "money USD per turn",
    "category EUR per turn",
  ]);
});

test("a known name is recorded, and an unknown one is reported with the nearest name", () => {
  const { context, namings, messages } = listening();
  const names = new Map([["notes", 1]]);
  expect(resolve(context, { names, what: "service", name: name("notes") })).toBe(1);
  expect(resolve(context, { names, what: "service", name: name("nots") })).toBeUndefined();
  expect(namings).toEqual(["is service notes"]);
  expect(messages()).toEqual(["there is no service named `nots`"]);
});

test("a name whose declaration was skipped is not reported, and an incomplete page reports only names with a similar known name", () => {
  const names = new Map([["notes", 1]]);
  const losing = listening(["drafts"]);
  resolve(losing.context, { names, what: "service", name: name("drafts") });
  expect(losing.messages()).toEqual([]);
  const incomplete = listening([], true);
  resolve(incomplete.context, { names, what: "service", name: name("zzzzzz") });
  expect(incomplete.messages()).toEqual([]);
  resolve(incomplete.context, { names, what: "service", name: name("nots") });
  expect(incomplete.messages()).toEqual(["there is no service named `nots`"]);
});

test("a word of the list is returned, and any other word is reported", () => {
  const { context, messages } = listening();
  expect(resolveWord(context, "colour", ["red", "green"], name("red"))).toBe("red");
  expect(resolveWord(context, "colour", ["red", "green"], name("blue"))).toBeUndefined();
  expect(messages()).toEqual(["`blue` is not a valid colour"]);
});

test("the first declaration of a method in an interface is kept, and a second one with its name is reported", () => {
  const { context, namings, messages } = listening();
  const declared = new Map<string, { readonly span: typeof AT }>();
  declare(context, { names: declared, what: "method", name: name("read"), declared: { span: AT }, owner: "Files" });
  declare(context, {
    names: declared,
    what: "method",
    name: name("read", LATER),
    declared: { span: LATER },
    owner: "Files",
  });
  declare(context, { names: declared, what: "service", name: name("notes", LATER), declared: { span: LATER } });
  expect([...declared].map(([key, { span: at }]) => [key, at.start])).toEqual([
    ["read", 0],
    ["notes", 5],
  ]);
  expect(namings).toEqual(["declares method of Files read", "declares method of Files read", "declares service notes"]);
  expect(messages()).toEqual(["the method `read` is declared already, at a.cap:1:1"]);
});

test("suggestions stop after a number of compared letters, so that a hostile page cannot slow binding down", () => {
  const suggest = createSuggestions();
  expect(suggest("nots", ["notes"])).toBe("notes");
  // `y` is not similar to any of these long names, but comparing it with them uses up the maximum number of compared
  // letters.
  suggest("y", Array(200).fill("x".repeat(100_000)));
  expect(suggest("nots", ["notes"])).toBeUndefined();
  expect(createSuggestions()("nots", ["notes"])).toBe("notes");
});

interface Link {
  readonly name: Name;
  readonly base: string | undefined;
}

/**
 * Binds declarations that stand for sessions: each has a name and, unless it is `undefined`, the name of its base.
 * Returns each as `name < base name < …`. A `!` follows a name whose base was cut off because of a cycle or a long
 * chain.
 */
function chained(links: readonly (readonly [string, string | undefined])[]) {
  const { context, messages } = listening();
  const nodes: readonly Link[] = links.map(([text, base]) => ({ name: name(text), base }));
  const bound = bindChains<Link, string>(context, {
    what: "links",
    nodes,
    baseOf: (node) => nodes.find((other) => other.name.text === node.base),
    build: (node, base, chain) =>
      `${node.name.text}${chain === "cut" ? "!" : ""}${base === undefined ? "" : ` < ${base}`}`,
  });
  return { bound: nodes.map((node) => bound.get(node)), messages: messages() };
}

test("a base is bound before its dependents, in any order on the page", () => {
  const links = [
    ["c", "b"],
    ["b", "a"],
    ["a", undefined],
    ["d", "b"],
  ] as const;
  expect(chained(links)).toEqual({ bound: ["c < b < a", "b < a", "a", "d < b < a"], messages: [] });
});

test("a cycle of bases is cut and reported at one member, and all that depend on it are bound", () => {
  const { bound, messages } = chained([
    ["x", "a"],
    ["a", "b"],
    ["b", "a"],
  ]);
  expect(bound).toEqual(["x < a < b!", "a < b!", "b!"]);
  expect(messages).toEqual(["`b` depends on itself: these links form a cycle"]);
});

test("a chain of bases is cut after 32 links, and the member at the cut begins a new chain", () => {
  const links = Array.from(
    { length: 35 },
    (_, index) => [`n${index}`, index === 0 ? undefined : `n${index - 1}`] as const,
  );
  const { bound, messages } = chained(links);
  expect(messages).toEqual(["there are more than 32 links built on each other"]);
  expect(bound[32]?.split(" < ")).toHaveLength(33);
  expect(bound[33]).toBe("n33!");
  expect(bound[34]).toBe("n34 < n33!");
  expect(chained([...links].reverse()).messages).toEqual(messages);
});
