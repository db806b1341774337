import { expect, test } from "vitest";
import { computeDiskBound } from "./disk-size.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

test("a program of the package gets the size on its page in whole blocks, plus space for its directories", () => {
  for (const implementation of ["own", "own-native"] as const) {
    expect(computeDiskBound({ stateBytes: MIB, implementation }, 1)).toBe(MIB + 64 * KIB);
    expect(computeDiskBound({ stateBytes: MIB + 1, implementation }, 1)).toBe(MIB + 68 * KIB);
    expect(computeDiskBound({ stateBytes: 1, implementation }, 1)).toBe(68 * KIB);
  }
});

test("a service of the image also gets space for a replaced file and for its journal", () => {
  expect(computeDiskBound({ stateBytes: MIB, implementation: "files" }, 5)).toBe(3 * MIB);
  expect(computeDiskBound({ stateBytes: MIB, implementation: "own", standard: true }, 5)).toBe(3 * MIB);
});

test("the space of a scratch service grows with the number of its holders", () => {
  const scratch = { stateBytes: MIB, implementation: "scratch" } as const;
  expect([0, 1, 4].map((holders) => computeDiskBound(scratch, holders))).toEqual([3 * MIB, 3 * MIB, 12 * MIB]);
});

test("a service without state gets no space", () => {
  expect(computeDiskBound({ stateBytes: 0, implementation: "own" }, 1)).toBe(0);
});
