import { expect, test } from "vitest";
import { computeMedian, convertFigures, drawFigures, findBrokenPromises } from "./figure.ts";

test("rounds figures, computes ratios from exact values, and prints for each comparison whether it is a floor or a limit", () => {
  const figures = [
    { name: "boot", value: 3.004, unit: "CPU s", against: { kind: "floor", name: "empty", value: 1.496 } },
    { name: "check", value: 0.5, unit: "CPU s" },
    { name: "run", value: 2, unit: "CPU s", against: { kind: "limit", name: "promised", value: 3 } },
  ] as const;
  const written = convertFigures(figures);
  expect(written).toEqual([
    { name: "boot", value: 3, unit: "CPU s", floor: { name: "empty", value: 1.5 }, ratio: 2.01 },
    { name: "check", value: 0.5, unit: "CPU s", ratio: null },
    { name: "run", value: 2, unit: "CPU s", limit: { name: "promised", value: 3 }, ratio: 0.67 },
  ]);
  expect(drawFigures(written).split("\n")).toEqual([
    "boot       3.00 CPU s   floor empty: 1.5 CPU s   ×2.01",
    "check      0.50 CPU s",
    "run        2.00 CPU s   limit promised: 3 CPU s   ×0.67",
    "",
  ]);
});

test("reports a figure above a promised limit, but not a figure that equals its limit or is above a lower bound", () => {
  const beside = (kind: "limit" | "floor", value: number) => {
    return { name: "run", value, unit: "CPU s", against: { kind, name: "what is promised", value: 3 } } as const;
  };
  expect(findBrokenPromises([beside("limit", 3), beside("floor", 9)])).toEqual([]);
  expect(findBrokenPromises([beside("limit", 3.001)])).toEqual([
    "run: 3.001 CPU s are more than what is promised, 3 CPU s\n",
  ]);
});

test("gives no ratio for a figure with a lower bound of zero", () => {
  const against = { kind: "floor", name: "nothing", value: 0 } as const;
  expect(convertFigures([{ name: "x", value: 1, unit: "CPU s", against }])[0]?.ratio).toBeNull();
});

test("the median is the value of one of the runs", () => {
  expect(computeMedian([3, 1, 2])).toBe(2);
  expect(computeMedian([10, 9])).toBe(10);
});
