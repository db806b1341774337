import fc from "fast-check";
import { expect, test } from "vitest";
import { parseDomain } from "./domain.ts";
import { findAddresses, findUrls } from "./literals-inside.ts";

test.each<[string, readonly string[]]>([
  ["", []],
  ["no link at all, e.g. report.pdf, v1.2 and 3.14 at 10:30", []],
  ["write to ada@example.com", []],
  ["see https://a.example/x.", ["https://a.example/x"]],
  ["(https://a.example/x), <http://b.example>!", ["https://a.example/x", "http://b.example"]],
  ["[text](https://a.example)", ["https://a.example"]],
  ['<a href="//a.example/x">', ["https://a.example/x"]],
  ["href=https://a.example", ["https://a.example"]],
  [
    "www.a.test and a.example/x and a.example:8080",
    ["https://www.a.test", "https://a.example/x", "https://a.example:8080"],
  ],
  ["visit evil.com today", ["https://evil.com"]],
  ["evil.example,https://good.example", ["https://good.example", "https://evil.example"]],
  ["https:evil.example", ["https:evil.example"]],
  ["https:\\\\evil.example", ["https:\\\\evil.example"]],
  ["\uff48ttps://evil.example", ["https://evil.example"]],
  ["https://ev\u200bil.example", ["https://evil.example"]],
  ["ssh://a.example", ["ssh://a.example"]],
  ["http://1.2.3.4/x or 1.2.3.4", ["http://1.2.3.4/x", "https://1.2.3.4"]],
])("the links in %j", (text, urls) => {
  expect(findUrls(text)).toEqual(urls);
});

test("a link inside of another is found with it", () => {
  const found = findUrls("https://good.example/?u=https://evil.example") ?? [];
  expect(found.map(parseDomain)).toEqual(["good.example", "evil.example"]);
});

test("glued links never hide behind the first one", () => {
  const found = findUrls("https://good.examplehttps://good.example/") ?? [];
  expect(found.map(parseDomain)).toEqual(["good.examplehttps", "good.example"]);
});

test.each<[string, readonly string[]]>([
  ["", []],
  ["hello @ada and 3 @ 4", []],
  ["Ada <Ada@Example.com>, bob@b.example.", ["ada@example.com", "bob@b.example"]],
  ["mailto:a@b.example?cc=c@d.example", ["a@b.example", "c@d.example"]],
  ["a@b.example,c@d.example;e@f.example", ["a@b.example", "c@d.example", "e@f.example"]],
  ["a@b@c.example", ["a@b", "b@c.example"]],
  ["root@localhost", ["root@localhost"]],
])("the addresses in %j", (text, addresses) => {
  expect(findAddresses(text)).toEqual(addresses);
});

test("more than 256 of them are too many, and so is a link that is too long", () => {
  expect(findUrls("ws:".repeat(256))).toHaveLength(256);
  expect(findUrls("ws:".repeat(257))).toBeUndefined();
  expect(findAddresses(`${"a@".repeat(256)}a`)).toHaveLength(256);
  expect(findAddresses(`${"a@".repeat(257)}a`)).toBeUndefined();
  expect(findUrls(`https://a.example/${"a".repeat(3000)}`)).toBeUndefined();
});

test.each(["a", "@", "a.", ".", "https:", "://", "a@", "/", "www.", "-", "\u200b", "a.b/", "ﷺ"])(
  "half a mebibyte of %j is looked through at once",
  (part) => {
    const text = part.repeat(Math.floor(524_288 / Buffer.byteLength(part)));
    const start = performance.now();
    findUrls(text);
    findAddresses(text);
    expect(performance.now() - start).toBeLessThan(2000);
  },
);

test("law: a link between blanks is found whatever stands around it", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: "binary", maxLength: 40 }),
      (before, after) => {
        const found = findUrls(`${before} https://evil.example/x ${after}`);
        expect(found === undefined || found.some((url) => parseDomain(url) === "evil.example")).toBe(true);
      },
    ),
  );
});
