import { expect, test } from "vitest";
import { computeDiskBound } from "./disk-size.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

test("a program of the package gets what its page says, in whole blocks, and room for its directories", () => {
  for (const implementation of ["own", "own-native"] as const) {
    expect(computeDiskBound({ stateBytes: MIB, implementation }, 1)).toBe(MIB + 64 * KIB);
    expect(computeDiskBound({ stateBytes: MIB + 1, implementation }, 1)).toBe(MIB + 68 * KIB);
    expect(computeDiskBound({ stateBytes: 1, implementation }, 1)).toBe(68 * KIB);
  }
});

test("services of the image have room for a replacement of a file, and for its journal", () => {
  expect(computeDiskBound({ stateBytes: MIB, implementation: "files" }, 5)).toBe(3 * MIB);
  expect(computeDiskBound({ stateBytes: MIB, implementation: "own", standard: true }, 5)).toBe(3 * MIB);
});

test("each holder of scratch may keep as much", () => {
  const scratch = { stateBytes: MIB, implementation: "scratch" } as const;
  expect([0, 1, 4].map((holders) => computeDiskBound(scratch, holders))).toEqual([3 * MIB, 3 * MIB, 12 * MIB]);
});

test("a service without state has no room", () => {
  expect(computeDiskBound({ stateBytes: 0, implementation: "own" }, 1)).toBe(0);
});
