import { expect, test } from "vitest";
import { isDomain, isWithinDomain, parseDomain } from "./domain.ts";

test.each([
  ["https://Docs.Example.com/x?y#z", "docs.example.com"],
  ["http://example.com.", "example.com"],
  ["https://example.com:8443", "example.com"],
  ["HTTPS://EXAMPLE.COM\\@evil.example", "example.com"],
  ["http://127.1/", "127.0.0.1"],
  ["https://[::1]/", "[::1]"],
  ["https://b\u00fccher.example", "xn--bcher-kva.example"],
  ["ftp://example.com/a", "example.com"],
  ["Ada@Example.COM", "example.com"],
  ["ada.b+c@a.b.example", "a.b.example"],
  ["a@b\u00fccher.example", "xn--bcher-kva.example"],
])("the domain of %s is %s", (text, domain) => {
  expect(parseDomain(text)).toBe(domain);
});

test.each([
  ...["", "example.com", "example.com/a", "https://", "https:", "/a/b", "file:///etc/passwd", "mailto:a@b.example"],
  ...["https://good.example@evil.example/", "https://a:b@evil.example", "data:text/plain,a@b.example"],
  ...["a@b@c.example", "Ada <a@b.example>", "a@b.example,c@d.example", "a@b.example c@d.example", "@b.example", "a@"],
  ...["https://a..", "a@b..", "https://exa mple.com", "a@b.example/c"],
])("%j has no domain", (text) => {
  expect(parseDomain(text)).toBeUndefined();
});

test.each(["example.com", "a.b.example", "127.0.0.1", "[::1]", "xn--bcher-kva.example", "localhost"])(
  "%s is a domain in canonical form",
  (text) => expect(isDomain(text)).toBe(true),
);

test.each([
  ...[
    "",
    "Example.com",
    "example.com.",
    "example.com:80",
    "*.example.com",
    "https://example.com",
    "a@b.example",
    "127.1",
  ],
  ...["b\u00fccher.example", "exam ple.com", "example.com/", "example.com#", "[::1", "::1", "."],
])("%j is not a domain in canonical form", (text) => {
  expect(isDomain(text)).toBe(false);
});

test("a domain is within itself and its parent domains, compared by whole DNS labels", () => {
  expect(isWithinDomain("example.com", "example.com")).toBe(true);
  expect(isWithinDomain("a.b.example.com", "example.com")).toBe(true);
  expect(isWithinDomain("evilexample.com", "example.com")).toBe(false);
  expect(isWithinDomain("example.com", "a.example.com")).toBe(false);
  expect(isWithinDomain("example.com.evil.example", "example.com")).toBe(false);
});
