import { expect, test } from "vitest";
import { computeSkeletons, findAlike } from "./skeleton.ts";

const alike = (one: string, other: string) => findAlike([one, other], (name) => name).length > 0;

test.each([
  ["pay", "Pay"],
  ["get_issue", "getIssue"],
  ["get-issue", "get_issue"],
  ["pay0", "payO"],
  ["pay0", "payo"],
  ["bill", "bi1l"],
  ["Ill", "lIl"],
  ["form", "forrn"],
  ["fo_rm", "FORRN"],
])("names-alike: %s and %s are similar", (one, other) => {
  expect(alike(one, other)).toBe(true);
  expect(alike(other, one)).toBe(true);
});

test.each([
  ["pay", "pays"],
  ["tail", "tall"],
  ["issue", "lssue"],
  ["a", "b"],
  ["v1", "v2"],
])("names-alike: %s and %s are different", (one, other) => {
  expect(alike(one, other)).toBe(false);
});

test("names-alike reports each name once, with the first name that it resembles", () => {
  expect(findAlike(["a_b", "x", "ab", "AB"], (name) => name)).toEqual([
    ["ab", "a_b"],
    ["AB", "a_b"],
  ]);
  expect(computeSkeletons("I_0m")).toEqual(["lOrn", "iorn"]);
});
