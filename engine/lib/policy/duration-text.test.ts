import { expect, test } from "vitest";
import { durationText } from "./duration-text.ts";

test("renders a duration in the largest unit that gives a whole number", () => {
  expect([1, 999, 1500, 1000, 90_000, 60_000, 900_000].map(durationText)).toEqual([
    "1 ms",
    "999 ms",
    "1500 ms",
    "1 s",
    "90 s",
    "1 min",
    "15 min",
  ]);
});
