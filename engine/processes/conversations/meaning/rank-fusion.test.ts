import fc from "fast-check";
import { expect, test } from "vitest";
import { fuseRankings } from "./rank-fusion.ts";

const anyRanking = fc.uniqueArray(fc.bigInt(0n, 40n), { maxLength: 20 });

test("ranks a hit in both rankings before a hit in one, and the newer of two equal hits first", () => {
  expect(
    fuseRankings([
      [1n, 2n, 3n],
      [9n, 3n],
    ]),
  ).toEqual([3n, 9n, 1n, 2n]);
  expect(fuseRankings([[], [5n, 4n]])).toEqual([5n, 4n]);
  expect(fuseRankings([])).toEqual([]);
});

test("property: a single ranking stays unchanged", () => {
  fc.assert(
    fc.property(anyRanking, (ranking) => {
      expect(fuseRankings([ranking, []])).toEqual(ranking);
    }),
  );
});

test("property: each hit appears once, whichever ranking comes first", () => {
  fc.assert(
    fc.property(anyRanking, anyRanking, (one, other) => {
      const both = fuseRankings([one, other]);
      expect(both).toEqual(fuseRankings([other, one]));
      expect(new Set(both)).toEqual(new Set([...one, ...other]));
      expect(both).toHaveLength(new Set(both).size);
    }),
  );
});

test("property: keeps the order of two hits on which both rankings agree", () => {
  fc.assert(
    fc.property(anyRanking, anyRanking, (one, other) => {
      const both = fuseRankings([one, other]);
      for (const [place, first] of one.entries())
        for (const second of one.slice(place + 1)) {
          const [a, b] = [other.indexOf(first), other.indexOf(second)];
          if (a !== -1 && b !== -1 && a < b) expect(both.indexOf(first)).toBeLessThan(both.indexOf(second));
        }
    }),
  );
});
