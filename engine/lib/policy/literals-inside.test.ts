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
])("finds the links in %j", (text, urls) => {
  expect(findUrls(text)).toEqual(urls);
});

test.each<[string, readonly string[]]>([
  ["read medium.example/@ada/x", ["https://medium.example/@ada/x"]],
  ["a.example?to=b@c.example", ["https://a.example?to"]],
  ["ada.b@c.example and ada@b.example/x", []],
  ["see //user@evil.example/x", ["https://evil.example/x"]],
  ["(\\\\u:p,w@evil.test)", ["https://evil.test"]],
  ["//a@b@evil.example and //u@local", ["https://evil.example"]],
  ["a.example.", ["https://a.example"]],
  ["1.2.3.4.", ["https://1.2.3.4"]],
  ["1.2.3 and 1.2.3.4.5 and x1.2.3.4", []],
  ["a.рф and a.xn--p1ai", ["https://a.рф", "https://a.xn--p1ai"]],
  ["A.EXAMPLE", ["https://A.EXAMPLE"]],
  ["a.test# a.test? a.test/ a.test:", []],
  ["a.test#x a.test?x a.test:x", ["https://a.test#x", "https://a.test?x", "https://a.test:x"]],
  ["\\\\a.test", ["https://a.test"]],
  ["wwwx.test www.b", ["https://www.b"]],
  ["9a://b and 1://c", ["a://b"]],
  ["mailto:x javascript:x", []],
  ["wss:a ftp:b http:c", ["wss:a", "ftp:b", "http:c"]],
  [`${"a".repeat(40)}://b`, [`${"a".repeat(32)}://b`]],
  ["x://y?!*_~;:.,", ["x://y"]],
])("finds exactly the links that a program might recognize: %j", (text, urls) => {
  expect(findUrls(text)).toEqual(urls);
});

test("finds a link of 2,048 characters, and gives up on a longer one, with a scheme or without", () => {
  const link = (begin: string, length: number) => begin + "a".repeat(length - begin.length);
  expect(findUrls(link("ws:", 2048))).toEqual([link("ws:", 2048)]);
  expect(findUrls(link("ws:", 2049))).toBeUndefined();
  expect(findUrls(link("a.example/", 2040))).toEqual([`https://${link("a.example/", 2040)}`]);
  expect(findUrls(link("a.example/", 2041))).toBeUndefined();
  expect(findUrls(link("a.example/", 9000))).toBeUndefined();
});

test("an address has a maximum length, and ends before punctuation", () => {
  expect(findAddresses(`${"a".repeat(99)}@b.example`)).toEqual([`${"a".repeat(65)}@b.example`]);
  expect(findAddresses(`a@${"b".repeat(300)}`)).toEqual([`a@${"b".repeat(254)}`]);
  expect(findAddresses("a@b.-_ x=c@d_-. @e f@. g@-h")).toEqual(["a@b", "c@d", "g@-h"]);
});

test("finds a link inside another link", () => {
  const found = findUrls("https://good.example/?u=https://evil.example") ?? [];
  expect(found.map(parseDomain)).toEqual(["good.example", "evil.example"]);
});

test("finds each of several links without a separator", () => {
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
])("finds the addresses in %j", (text, addresses) => {
  expect(findAddresses(text)).toEqual(addresses);
});

test("gives up on more than 256 links or addresses, and on a link that is too long", () => {
  expect(findUrls("ws:".repeat(256))).toHaveLength(256);
  expect(findUrls("ws:".repeat(257))).toBeUndefined();
  expect(findAddresses(`${"a@".repeat(256)}a`)).toHaveLength(256);
  expect(findAddresses(`${"a@".repeat(257)}a`)).toBeUndefined();
  expect(findUrls(`https://a.example/${"a".repeat(3000)}`)).toBeUndefined();
});

test.each(["a", "@", "a.", ".", "https:", "://", "a@", "/", "www.", "-", "\u200b", "a.b/", "ﷺ"])(
  "searches half a mebibyte of %j in bounded time",
  (part) => {
    const text = part.repeat(Math.floor(524_288 / Buffer.byteLength(part)));
    // CPU time is measured, so that the result does not depend on other processes.
    const start = process.cpuUsage();
    findUrls(text);
    findAddresses(text);
    const { user, system } = process.cpuUsage(start);
    expect(user + system).toBeLessThan(2_000_000);
  },
);

test("property: finds a link between blanks, whatever surrounds it", () => {
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
