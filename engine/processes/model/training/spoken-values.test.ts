import { expect, test } from "vitest";
import { Random } from "./random.ts";
import { TOLD, TOLD_SCHEMAS } from "./spoken-values.ts";
import { deriveSchema } from "./values.ts";
import { TRAINING_WORLD } from "./vocabulary.ts";

const draws = (kind: string, count = 200) =>
  Array.from({ length: count }, (_, seed) => TOLD[kind]?.(new Random(seed), TRAINING_WORLD));

test.each(Object.keys(TOLD))(
  "%s: a request states a text unchanged and a list item by item, and each value fits its schema",
  (kind) => {
    const { type } = deriveSchema(kind);
    for (const drawn of draws(kind)) {
      const value = drawn?.value;
      if (type === "string") expect([drawn?.said, drawn?.isText]).toEqual([value, true]);
      else if (type === "array") expect((value as string[]).filter((item) => !drawn?.said.includes(item))).toEqual([]);
      else expect(type === "integer" ? Number.isInteger(value) : typeof value === "number").toBe(true);
    }
  },
);

test("a request states a large number in a form of the same value, such as `3 million`", () => {
  const times: Readonly<Record<string, number>> = { k: 1000, thousand: 1000, million: 1_000_000 };
  const heard = (said: string): number => {
    const [, digits = "", unit = ""] = /^([\d,]+) ?([a-z]*)$/.exec(said) ?? [];
    return Number(digits.replaceAll(",", "")) * (times[unit] ?? 1);
  };
  const drawn = draws("large");
  expect(drawn.map((each) => heard(each?.said ?? ""))).toEqual(drawn.map((each) => each?.value));
  expect(new Set(drawn.map((each) => each?.said.replaceAll(/\d/g, ""))).size).toBeGreaterThan(4);
});

test.each(["hours", "seconds", "months"])(
  "%s: if a request states a value as a number with a unit, the value is this number, and the schema has the minimum 0",
  (kind) => {
    expect(TOLD_SCHEMAS[kind]).toMatchObject({ minimum: 0, type: "integer" });
    for (const drawn of draws(kind)) {
      const [, digits] = /^(\d+) (.*)$/.exec(drawn?.said ?? "") ?? [];
      if (digits !== undefined) expect(drawn?.value).toBe(Number(digits));
    }
  },
);

test("no training text has a line break or a double space", () => {
  const { sentences, titles, topics } = TRAINING_WORLD;
  expect([...sentences, ...titles, ...topics].filter((text) => /\n|\s\s/.test(text))).toEqual([]);
});
