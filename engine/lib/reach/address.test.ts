import fc from "fast-check";
import { expect, test } from "vitest";
import { type Address, explainNotPublic, formatAddress, parseAddress } from "./address.ts";

test("parses an address only as four decimal numbers", () => {
  expect(parseAddress("10.0.2.2")).toEqual([10, 0, 2, 2]);
  for (const text of [
    ...["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "0x7f.0.0.1", "2130706433", "127.1", "1.2.3.-4"],
    // Returns IPv6 addresses that contain an IPv4 address: mapped, compatible, NAT64 and 6to4.
    ...["::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::", "[::1]", "::1"],
  ]) {
    expect(parseAddress(text), text).toBeUndefined();
  }
});

test("property: parses every address that it formats", () => {
  const number = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(number, number, number, number), (address) => {
      expect(parseAddress(formatAddress(address))).toEqual(address);
    }),
  );
});

test("a name must not resolve to the first or the last address of a range that is not public", () => {
  const ranges: readonly (readonly [first: Address, last: Address])[] = [
    [
      [0, 0, 0, 0],
      [0, 255, 255, 255],
    ],
    [
      [10, 0, 0, 0],
      [10, 255, 255, 255],
    ],
    [
      [100, 64, 0, 0],
      [100, 127, 255, 255],
    ],
    [
      [127, 0, 0, 0],
      [127, 255, 255, 255],
    ],
    [
      [168, 63, 129, 16],
      [168, 63, 129, 16],
    ],
    [
      [169, 254, 0, 0],
      [169, 254, 255, 255],
    ],
    [
      [172, 16, 0, 0],
      [172, 31, 255, 255],
    ],
    [
      [192, 0, 0, 0],
      [192, 0, 0, 255],
    ],
    [
      [192, 0, 2, 0],
      [192, 0, 2, 255],
    ],
    [
      [192, 88, 99, 0],
      [192, 88, 99, 255],
    ],
    [
      [192, 168, 0, 0],
      [192, 168, 255, 255],
    ],
    [
      [198, 18, 0, 0],
      [198, 19, 255, 255],
    ],
    [
      [198, 51, 100, 0],
      [198, 51, 100, 255],
    ],
    [
      [203, 0, 113, 0],
      [203, 0, 113, 255],
    ],
    [
      [224, 0, 0, 0],
      [255, 255, 255, 255],
    ],
  ];
  const numberOf = ([a, b, c, d]: Address): number => ((a * 256 + b) * 256 + c) * 256 + d;
  const addressOf = (number: number): Address => [
    Math.floor(number / 2 ** 24),
    Math.floor(number / 65_536) % 256,
    Math.floor(number / 256) % 256,
    number % 256,
  ];
  const isListed = (number: number): boolean =>
    ranges.some(([first, last]) => numberOf(first) <= number && number <= numberOf(last));
  const edges = ranges.flatMap(([first, last]) => [numberOf(first), numberOf(last)]);
  for (const edge of edges.flatMap((number) => [number - 1, number, number + 1])) {
    if (edge < 0 || edge >= 2 ** 32) continue;
    expect(explainNotPublic(addressOf(edge)) !== undefined, formatAddress(addressOf(edge))).toBe(isListed(edge));
  }
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (number) => {
      expect(explainNotPublic(addressOf(number)) !== undefined).toBe(isListed(number));
    }),
  );
});
