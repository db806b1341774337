import { expect, test } from "vitest";
import { drawFigures, median, writtenFigures } from "./figure.ts";

test("figures are rounded, ratios are taken from the exact values", () => {
  const figures = [
    { name: "boot", value: 3.004, unit: "CPU s", against: { name: "empty", value: 1.496 } },
    { name: "check", value: 0.5, unit: "CPU s" },
  ] as const;
  const written = writtenFigures(figures);
  expect(written).toEqual([
    { name: "boot", value: 3, unit: "CPU s", peer: "empty: 1.5 CPU s", ratio: 2.01 },
    { name: "check", value: 0.5, unit: "CPU s", peer: "", ratio: null },
  ]);
  expect(drawFigures(written)).toBe("boot       3.00 CPU s   empty: 1.5 CPU s   ×2.01\ncheck      0.50 CPU s\n");
});

test("a floor of nothing has no ratio", () => {
  const against = { name: "nothing", value: 0 };
  expect(writtenFigures([{ name: "x", value: 1, unit: "CPU s", against }])[0]?.ratio).toBeNull();
});

test("the median of an odd number of runs is one of them", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([10, 9])).toBe(10);
});
