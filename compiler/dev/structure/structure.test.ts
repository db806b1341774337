import { expect, test } from "vitest";
import { findCycles, placeAt } from "./cycles.ts";
import { beginsWithVerb, functionsIn } from "./functions.ts";
import { testFinder } from "./imports.ts";

const CHAIN = [
  { from: "a/x/1.ts", to: "b/y/1.ts" },
  { from: "b/y/2.ts", to: "c/z/1.ts" },
];

test("a place is a folder of some depth, or a file that lies higher", () => {
  expect(placeAt("a/b/c/d.ts", 2)).toBe("a/b");
  expect(placeAt("a/d.ts", 3)).toBe("a/d.ts");
});

test("folders that import in one direction form no cycle", () => {
  expect([1, 2, 3].map((depth) => findCycles(CHAIN, depth))).toEqual([[], [], []]);
});

test("folders form a cycle even if none of their files does", () => {
  const back = { from: "c/z/2.ts", to: "a/x/2.ts" };
  expect(findCycles([...CHAIN, back], 1)).toEqual([
    { from: "a", to: "b" },
    { from: "b", to: "c" },
    { from: "c", to: "a" },
  ]);
  expect(findCycles([...CHAIN, back], 3)).toEqual([]);
});

test("imports that only lead to a cycle are not part of it", () => {
  const ring = [
    { from: "x.ts", to: "a.ts" },
    { from: "a.ts", to: "b.ts" },
    { from: "b.ts", to: "a.ts" },
  ];
  expect(findCycles(ring, 1).map(({ from }) => from)).toEqual(["a.ts", "b.ts"]);
});

test("a file that only tests import is a test, also through another one", () => {
  const isTest = testFinder([
    { from: "a.test.ts", to: "fixture.ts" },
    { from: "fixture.ts", to: "deep.ts" },
    { from: "a.test.ts", to: "product.ts" },
    { from: "main.ts", to: "product.ts" },
  ]);
  expect(["a.test.ts", "fixture.ts", "deep.ts", "product.ts", "main.ts"].map(isTest)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("finds declarations, arrows with a name and methods, and no statement", () => {
  const text = `export async function readPage(path: string): Promise<void> {
  const sizeOf = (path: string): number => path.length;
  if (sizeOf(path) > 0) {
    return;
  }
}
class Gate {
  constructor(private readonly name: string) {
  }
  async open(name: string): Promise<void> {
  }
}
`;
  expect([...functionsIn(text)].sort()).toEqual(["open", "readPage", "sizeOf"]);
});

test.each([
  ["readPage", true],
  ["isEmpty", true],
  ["Lower", true],
  ["wordsOf", false],
  ["unlooked", false],
])("%s begins with a verb: %s", (name, expected) => {
  expect(beginsWithVerb(name)).toBe(expected);
});
