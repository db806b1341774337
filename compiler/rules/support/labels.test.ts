import { expect, test } from "vitest";
import { isBelow } from "./labels.ts";

const label = (confidentiality: number, compartments = 0n) => ({ confidentiality, compartments });

test.each([
  ["the same level", label(1), label(1), true],
  ["a lower level", label(0), label(2), true],
  ["a higher level", label(2), label(1), false],
  ["the same compartments", label(1, 0b11n), label(1, 0b11n), true],
  ["fewer compartments", label(1, 0b01n), label(1, 0b11n), true],
  ["an additional compartment", label(1, 0b11n), label(1, 0b01n), false],
  ["another compartment", label(0, 0b10n), label(1, 0b01n), false],
  ["a compartment at a lower level", label(0, 0b1n), label(3), false],
  ["no label, which is public", undefined, label(0), true],
  ["the lowest level, to no label,", label(0), undefined, true],
  ["a higher level, to no label,", label(1), undefined, false],
  ["a compartment, to no label,", label(0, 0b1n), undefined, false],
  ["no label, to no label,", undefined, undefined, true],
])("data may flow only to a sink with the same or a higher label: %s", (_, low, high, expected) => {
  expect(isBelow(low, high)).toBe(expected);
});
