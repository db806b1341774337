import fc from "fast-check";
import { expect, test } from "vitest";
import { compareDecimals, parseDecimal } from "./decimal.ts";
import { isUnder, parseOrigin, parsePathSegments } from "./place.ts";

test("paths that name the same file have the same segments", () => {
  for (const path of ["a/b", "/a/b", "a//b", "./a/./b/", "///a/b"]) expect(parsePathSegments(path)).toEqual(["a", "b"]);
  expect(parsePathSegments("")).toEqual([]);
});

test("a path with `..` or a zero byte is refused", () => {
  for (const path of ["..", "a/../b", "../a", "a/..", "a\0b"]) expect(parsePathSegments(path)).toBeUndefined();
  expect(parsePathSegments("a..b/...")).toEqual(["a..b", "..."]);
});

test("`under` compares whole names of folders, not prefixes of text", () => {
  expect(isUnder(["reports", "a"], ["reports"])).toBe(true);
  expect(isUnder(["reports"], ["reports"])).toBe(true);
  expect(isUnder(["reports2", "a"], ["reports"])).toBe(false);
  expect(isUnder([], ["reports"])).toBe(false);
  expect(isUnder(["reports", "b"], ["reports", "a"])).toBe(false);
  expect(isUnder(["private", "a"], ["reports", "a"])).toBe(false);
});

const ORIGINS: Readonly<Record<string, string | undefined>> = {
  "https://a.example/x?y#z": "https://a.example",
  "HTTPS://A.Example:443/": "https://a.example",
  "https://a.example:8443": "https://a.example:8443",
  "https://a.example@evil.example/": undefined,
  "https://a.example:pw@evil.example/": undefined,
  "https://:pw@evil.example/": undefined,
  "file:///etc/passwd": undefined,
  "data:text/plain,x": undefined,
  "//a.example": undefined,
  "a.example": undefined,
  "https://a.example\\@evil.example/": "https://a.example",
};

for (const [url, origin] of Object.entries(ORIGINS)) {
  test(`the origin of ${url} is ${origin}`, () => expect(parseOrigin(url)).toBe(origin));
}

test("compares amounts exactly", () => {
  const compare = (a: string, b: string) => {
    const [left, right] = [parseDecimal(a), parseDecimal(b)];
    return left && right ? compareDecimals(left, right) : undefined;
  };
  expect(compare("100.00", "100")).toBe(0);
  expect(compare("100.000000000000000000001", "100")).toBe(1);
  expect(compare("0.1", "0.09999999999999999999")).toBe(1);
  expect(compare("-1", "-0.5")).toBe(-1);
});

test("an amount has at most 64 characters", () => {
  expect([64, 65].map((length) => parseDecimal("1".repeat(length)) !== undefined)).toEqual([true, false]);
});

test("refuses a decimal that is not in plain notation, such as +1, 01, .5, 1. or 1e3", () => {
  for (const text of ["", "1e3", "+1", "01", ".5", "1.", " 1", "1,0", "0x1", "NaN", "1".repeat(65), "١"]) {
    expect(parseDecimal(text)).toBeUndefined();
  }
});

test("property: compares integers as bigints do", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      (a, b) => {
        const [left, right] = [parseDecimal(String(a)), parseDecimal(String(b))];
        expect(left && right && compareDecimals(left, right)).toBe(a < b ? -1 : a > b ? 1 : 0);
      },
    ),
  );
});
