import { expect, test } from "vitest";
import { judgeAnswer } from "./judging.ts";
import { isPossible } from "./possible.ts";

test("an argument must match one of its accepted values, and may be absent if an empty text is among them", () => {
  const options = { city: ["New York", "NYC"], days: ["", 3] };
  expect(isPossible({ city: "new-york" }, options)).toBe(true);
  expect(isPossible({ city: "NYC", days: 3 }, options)).toBe(true);
  for (const given of [{}, { days: 3 }, { city: "Boston" }, { city: "NYC", days: 4 }, { city: "NYC", days: "3" }])
    expect(isPossible(given, options)).toBe(false);
  expect(isPossible({ city: "NYC", more: 1 }, options)).toBe(false);
});

test("compares lists item by item, and each member of a record with its possible values", () => {
  const options = { at: [[1, 2.5]], who: [{ name: ["Ann", "Anna"], age: ["", 7] }] };
  expect(isPossible({ at: [1, 2.5], who: { name: "anna" } }, options)).toBe(true);
  expect(isPossible({ at: [2.5, 1], who: { name: "Ann" } }, options)).toBe(false);
  expect(isPossible({ at: [1, 2.5, 3], who: { name: "Ann" } }, options)).toBe(false);
  expect(isPossible({ at: [1, 2.5], who: { name: "Bob" } }, options)).toBe(false);
  expect(isPossible({ at: [1, 2.5], who: "Ann" }, options)).toBe(false);
});

test("judges a call with several right answers like a call of our own sets: by its name and by its arguments", () => {
  const wanted = { kind: "possible", name: "a", options: { x: [1] } } as const;
  const answer = (name: string, json: string) => ({ text: "", calls: [{ id: "1", name, arguments: json }] });
  expect(judgeAnswer(wanted, answer("a", '{"x":1}'))).toEqual({ isNamed: true, isFull: true });
  expect(judgeAnswer(wanted, answer("a", '{"x":2}'))).toMatchObject({ isNamed: true, isFull: false });
  expect(judgeAnswer(wanted, answer("b", '{"x":1}'))).toMatchObject({ isNamed: false });
});
