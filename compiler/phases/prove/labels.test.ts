import fc from "fast-check";
import { expect, test } from "vitest";
import { join, type Label, mayFlow } from "../../../engine/lib/policy/index.ts";
import { expandCompartments, groupCompartments } from "./compartments.ts";
import { computeStatedLabel, Labels } from "./labels.ts";

const LEVELS = [0, 1, 2];
const SETS = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n];
const EVERY: readonly Label[] = LEVELS.flatMap((confidentiality) =>
  LEVELS.flatMap((integrity) => SETS.map((compartments) => ({ confidentiality, integrity, compartments }))),
);
/** Groups of compartments, each with one compartment. */
const APART = groupCompartments(3, [1n, 2n, 4n]);

const anyLabel = fc.constantFrom(...EVERY);
const text = ({ confidentiality, integrity, compartments }: Label) => `${confidentiality}/${integrity}/${compartments}`;

test("property: operations on numbers of labels give the same results as operations on the labels", () => {
  fc.assert(
    fc.property(anyLabel, anyLabel, (one, other) => {
      const labels = new Labels(APART);
      const [a, b] = [labels.internLabel(one), labels.internLabel(other)];
      expect(labels.getLabel(labels.join(a, b))).toEqual(join(one, other));
      expect(labels.join(a, b)).toBe(labels.join(b, a));
      expect(labels.mayFlow(a, b)).toBe(mayFlow(one, other));
    }),
  );
});

test("property: joining a label with a range gives each possible result once, together with one label of the range that produces it", () => {
  fc.assert(
    fc.property(anyLabel, anyLabel, anyLabel, (from, low, high) => {
      const labels = new Labels(APART);
      const found: string[] = [];
      labels.joinRange(labels.internLabel(from), { low, high }, (joined) => {
        const to = labels.getLabel(joined);
        const stated = computeStatedLabel(from, { low, high }, to);
        expect(join(from, stated)).toEqual(to);
        expect(holds(low, high, stated)).toBe(true);
        found.push(text(to));
        return true;
      });
      const held = EVERY.filter((label) => holds(low, high, label)).map((label) => text(join(from, label)));
      expect(found.toSorted()).toEqual([...new Set(held)].toSorted());
    }),
  );
});

function holds(low: Label, high: Label, label: Label): boolean {
  return (
    mayFlow({ ...low, integrity: 0 }, { ...label, integrity: 0 }) &&
    mayFlow(label, high) &&
    label.integrity <= low.integrity
  );
}

test("joinRange stops as soon as its callback returns false", () => {
  const labels = new Labels(APART);
  const [low, high] = [EVERY[0], EVERY.at(-1)];
  if (low === undefined || high === undefined) throw new Error("no labels");
  let asked = 0;
  labels.joinRange(
    labels.internLabel(low),
    { low: { ...low, integrity: 2 }, high: { ...high, integrity: 0 } },
    () => ++asked < 3,
  );
  expect(asked).toBe(3);
});

test("compartments that occur only together in labels count as one, and are expanded to all of them", () => {
  const groups = groupCompartments(4, [0b0111n, 0b0011n]);
  expect([...groups.members]).toEqual([
    [0b0001n, 0b0011n],
    [0b0100n, 0b0100n],
    [0b1000n, 0b1000n],
  ]);
  const labels = new Labels(groups);
  const written = { confidentiality: 1, integrity: 0, compartments: 0b0011n };
  expect(labels.getLabel(labels.internLabel(written)).compartments).toBe(0b0001n);
  expect(labels.expandLabel(labels.internLabel(written))).toEqual(written);
  expect(expandCompartments(groups, 0b0101n)).toBe(0b0111n);
});
