import fc from "fast-check";
import { expect, test } from "vitest";
import { findLabel, isSameLabel, listCompartments, mayFlow } from "./label.ts";
import { anyLabel } from "./testing/arbitrary.ts";

const LATTICE = {
  confidentiality: ["public", "internal", "secret"],
  integrity: ["untrusted", "reviewed", "system"],
  compartments: ["finance", "hr"],
};

test("the names of a label's parts are read as this label, and an unknown name gives no label", () => {
  const label = { confidentiality: 2, integrity: 1, compartments: 2n };
  const names = { confidentiality: "secret", integrity: "reviewed", compartments: listCompartments(LATTICE, 2n) };
  expect(names.compartments).toEqual(["hr"]);
  expect(findLabel(LATTICE, names)).toEqual(label);
  expect(findLabel(LATTICE, { ...names, compartments: ["hr", "finance"] })).toEqual({ ...label, compartments: 3n });
  for (const wrong of [{ confidentiality: "top" }, { integrity: "" }, { compartments: ["hr", "law"] }])
    expect(findLabel(LATTICE, { ...names, ...wrong })).toBeUndefined();
});

test("labels are equal only if all three parts are equal", () => {
  const label = { confidentiality: 1, integrity: 1, compartments: 1n };
  expect(isSameLabel(label, { ...label })).toBe(true);
  for (const part of [{ confidentiality: 2 }, { integrity: 2 }, { compartments: 3n }]) {
    expect(isSameLabel(label, { ...label, ...part })).toBe(false);
  }
});

test("labels are equal if and only if each may flow to the other", () => {
  fc.assert(
    fc.property(anyLabel, anyLabel, (one, other) => {
      expect(isSameLabel(one, { ...one })).toBe(true);
      expect(isSameLabel(one, other)).toBe(mayFlow(one, other) && mayFlow(other, one));
    }),
  );
});
