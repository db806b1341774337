import { expect, test } from "vitest";
import type { Param, Type } from "../wire/generated/policy.ts";
import { checkRecord } from "./arguments.ts";
import type { Json } from "./json-reader.ts";

const boolean: Type = { which: "boolean" };
const number: Type = { which: "number" };
const digit: Type = { which: "integer", integer: { low: 0n, high: 9n } };
const short: Type = { which: "text", text: { maxBytes: 2 } };
const choice: Type = { which: "choice", choice: ["plain", "rich"] };
const json = (form: "any" | "object" | "list", maxBytes = 5): Type => ({ which: "json", json: { maxBytes, form } });
const listOf = (list: Type): Type => ({ which: "list", list });
const oneOf = (...either: readonly Type[]): Type => ({ which: "either", either });
const recordOf = (...record: readonly Param[]): Type => ({ which: "record", record });
const required = (name: string, type: Type): Param => ({ name, type, required: true });
const optional = (name: string, type: Type): Param => ({ name, type, required: false });
const withId = recordOf(required("id", short));

test.each<[string, Type, Json]>([
  ["a list in a list", listOf(listOf(short)), [["a"], [], ["b", "c"]]],
  ["records in a list", listOf(withId), [{ id: "a" }, { id: "b" }]],
  ["several shapes in a list", listOf(oneOf(digit, short)), [1, "a", 9]],
  ["a list as one of several shapes", oneOf(digit, listOf(digit)), [1, 2]],
  ["several shapes in several shapes", oneOf(oneOf(digit, short), boolean), true],
  ["the second of several shapes in several shapes", oneOf(boolean, oneOf(digit, short)), "a"],
  ["an object of unknown form in a list", listOf(json("object")), [{}, { a: 1 }].slice(0, 1)],
  ["a text without a bound", { which: "text", text: { maxBytes: 0 } }, "a".repeat(99)],
])("accepts an argument: %s", (_, type, value) => {
  expect(checkRecord([required("v", type)], { v: value })).toBeUndefined();
});

test.each<[string, Type, Json, string]>([
  ["a list in a list", listOf(listOf(short)), [["a"], ["b", 1]], "v[1][1] is not a text"],
  ["a text instead of a list in a list", listOf(listOf(short)), [["a"], "b"], "v[1] is not a list"],
  ["a record in a list", listOf(withId), [{ id: "a" }, {}], "v[1].id is missing"],
  ["a text that is too long in a record in a list", listOf(withId), [{ id: "abc" }], "v[0].id is longer than 2 bytes"],
  ["an unknown field in a list", listOf(withId), [{ id: "a", x: 1 }], "v[0].x is not an argument of this tool"],
  ["an integer in a list", listOf(digit), [1, 10], "v[1] is not between 0 and 9"],
  ["a choice in a list", listOf(choice), ["rich", "bold"], "v[1] is not one of plain, rich"],
  ["a number instead of a boolean in a list", listOf(boolean), [true, 0], "v[1] is not true or false"],
  ["null in a list", listOf(number), [1, null], "v[1] is not a number"],
  ["too many bytes in a list", listOf(json("any")), [1, "abcdef"], "v[1] is longer than 5 bytes"],
])("refuses an argument and names the path of its first fault: %s", (_, type, value, reason) => {
  expect(checkRecord([required("v", type)], { v: value })).toBe(reason);
});

test.each<[string, readonly Type[], Json, string]>([
  ["a number that is too large", [boolean, digit], 12, "v is not between 0 and 9"],
  ["a text that is not a choice", [boolean, choice], "bold", "v is not one of plain, rich"],
  ["a text that is too long", [number, short], "abc", "v is longer than 2 bytes"],
  ["a record without a required field", [number, withId], {}, "v.id is missing"],
  ["a record beside a list", [listOf(short), withId], {}, "v.id is missing"],
  ["a list beside a record", [withId, listOf(short)], ["a", 1], "v[1] is not a text"],
  ["a list beside objects of unknown form", [json("object"), listOf(short)], [1], "v[0] is not a text"],
  ["an object beside a list", [json("list"), withId], {}, "v.id is missing"],
  ["an object of unknown form that is too long", [json("object"), short], { a: 12345 }, "v is longer than 5 bytes"],
  ["a list of unknown form that is too long", [short, json("list")], [12345], "v is longer than 5 bytes"],
  ["a first shape that itself has several shapes", [oneOf(short, boolean), number], "abc", "v is longer than 2 bytes"],
  ["a last shape that itself has several shapes", [number, oneOf(boolean, short)], "abc", "v is longer than 2 bytes"],
])("reports the fault of the argument's only shape for the value's kind of JSON: %s", (_, types, value, reason) => {
  expect(checkRecord([required("v", oneOf(...types))], { v: value })).toBe(reason);
});

test.each<[string, readonly Type[], Json, string]>([
  ["no form fits", [boolean, digit, short], {}, "v fits none of its 3 shapes"],
  ["no nested shape fits", [oneOf(boolean, digit), short], [], "v fits none of its 2 shapes"],
  ["null fits no shape", [number, short], null, "v fits none of its 2 shapes"],
  ["two forms fit", [short, choice], "bold", "v fits none of its 2 shapes; of one, v is longer than 2 bytes"],
  [
    "two shapes of numbers",
    [digit, { which: "integer", integer: { low: 20n, high: 29n } }],
    12,
    "v fits none of its 2 shapes; of one, v is not between 0 and 9",
  ],
])("reports that no shape fits if none or several have the value's kind of JSON: %s", (_, types, value, reason) => {
  expect(checkRecord([required("v", oneOf(...types))], { v: value })).toBe(reason);
});

test("at every depth, a message calls a part of a tool's answer a `result`, and a part of its arguments an `argument`", () => {
  const params = [optional("a", withId), optional("b", listOf(withId)), optional("c", oneOf(number, withId))];
  const record = { id: "x", more: 1 };
  const places: readonly [Readonly<Record<string, Json>>, string][] = [
    [{ d: 1 }, "out.d"],
    [{ a: record }, "out.a.more"],
    [{ b: [record] }, "out.b[0].more"],
    [{ c: record }, "out.c.more"],
  ];
  for (const [value, place] of places) {
    expect(checkRecord(params, value, "out", "result")).toBe(`${place} is not a result of this tool`);
    expect(checkRecord(params, value, "out")).toBe(`${place} is not an argument of this tool`);
  }
});

test("the message for null in an optional field differs from that for other values, at every depth", () => {
  const inner = recordOf(optional("b", digit));
  expect(checkRecord([required("a", inner)], { a: { b: null } })).toBe(
    "a.b is not an integer; leave it out instead of null",
  );
  expect(checkRecord([required("a", inner)], { a: { b: "x" } })).toBe("a.b is not an integer");
  expect(checkRecord([required("a", listOf(inner))], { a: [{}, { b: 10 }] })).toBe("a[1].b is not between 0 and 9");
});
