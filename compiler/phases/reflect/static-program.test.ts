import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { findStaticFault } from "./static-program.ts";

const DICE = readFileSync(new URL("../../../examples/own-tool/services/dice", import.meta.url));
const HEADERS = 64;
const [LOAD, INTERPRETER, STACK] = [1, 3, 0x6474e551];

/** Returns the program of the example `own-tool` with its headers changed by `change`. */
function bent(change: (view: DataView) => void): Uint8Array {
  const bytes = Uint8Array.from(DICE);
  change(new DataView(bytes.buffer));
  return bytes;
}

/** Returns the offset of an ELF program header of a type. `which` selects one if there are several. */
function entry(type: number, which = 0): number {
  const view = new DataView(DICE.buffer, DICE.byteOffset, DICE.length);
  const places = Array.from({ length: view.getUint16(56, true) }, (_, index) => HEADERS + 56 * index);
  const found = places.filter((at) => view.getUint32(at, true) === type)[which];
  if (found === undefined) throw new Error("the program has no such entry");
  return found;
}

test("the program of the example own-tool is accepted", () => {
  expect(findStaticFault(DICE)).toBeUndefined();
});

test.each<readonly [string, Uint8Array, RegExp]>([
  ["nothing", new Uint8Array(), /no program for x86-64/],
  ["a script", Buffer.from("#!/bin/sh\nexit 0\n".padEnd(99)), /no program for x86-64/],
  ["a 32-bit program", bent((view) => view.setUint8(4, 1)), /no program for x86-64/],
  ["a program with the other byte order", bent((view) => view.setUint8(5, 2)), /no program for x86-64/],
  ["a program for another processor", bent((view) => view.setUint16(18, 183, true)), /no program for x86-64/],
  ["an object file", bent((view) => view.setUint16(16, 1, true)), /a part of one/],
  [
    "a dynamically linked program",
    bent((view) => view.setUint32(entry(STACK), INTERPRETER, true)),
    /linked dynamically/,
  ],
  ["an executable stack", bent((view) => view.setUint32(entry(STACK) + 4, 7, true)), /stack is never run/],
  ["a missing stack header", bent((view) => view.setUint32(entry(STACK), 0, true)), /stack is never run/],
  ["writable code", bent((view) => view.setUint32(entry(LOAD, 1) + 4, 7, true)), /written and run/],
  ["executable data", bent((view) => view.setUint32(entry(LOAD, 3) + 4, 7, true)), /written and run/],
  ["an entry point outside of the code", bent((view) => view.setBigUint64(24, 0x402000n, true)), /nothing to be run/],
  ["no headers", bent((view) => view.setUint16(56, 0, true)), /headers lead out/],
  ["many headers", bent((view) => view.setUint16(56, 65, true)), /headers lead out/],
  ["headers of a wrong size", bent((view) => view.setUint16(54, 32, true)), /headers lead out/],
  [
    "headers beyond the end of the file",
    bent((view) => view.setBigUint64(32, 2n ** 64n - 1n, true)),
    /headers lead out/,
  ],
  [
    "content beyond the end of the file",
    bent((view) => view.setBigUint64(entry(LOAD) + 8, 2n ** 63n, true)),
    /headers lead out/,
  ],
  [
    "a segment with more bytes in the file than in memory",
    bent((view) => view.setBigUint64(entry(LOAD) + 40, 1n, true)),
    /headers lead out/,
  ],
  [
    "a segment at address zero",
    bent((view) => view.setBigUint64(entry(LOAD) + 16, 0n, true)),
    /lower than programs may/,
  ],
  [
    "a segment below the minimum address of the kernel",
    bent((view) => view.setBigUint64(entry(LOAD) + 16, 65_535n, true)),
    /lower/,
  ],
  ["much memory", bent((view) => view.setBigUint64(entry(LOAD, 3) + 40, 2n ** 40n, true)), /more than 64 MiB/],
])("%s is refused", (_, bytes, reason) => {
  expect(findStaticFault(bytes)).toMatch(reason);
});

test("a position-independent program may have a segment at zero", () => {
  const moved = bent((view) => {
    view.setUint16(16, 3, true);
    view.setBigUint64(entry(LOAD) + 16, 0n, true);
  });
  expect(findStaticFault(moved)).toBeUndefined();
});

test("property: a program is refused, or it has no memory that is both writable and executable", () => {
  const change = fc.tuple(fc.nat(HEADERS + 5 * 56 - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), fc.nat(DICE.length), (changes, length) => {
      const bytes = bent((view) => {
        for (const [at, byte] of changes) view.setUint8(at, byte);
      }).subarray(0, length < 512 ? length : DICE.length);
      const fault = findStaticFault(bytes);
      if (fault !== undefined) return;
      const view = new DataView(bytes.buffer);
      for (let index = 0; index < view.getUint16(56, true); index += 1) {
        const at = Number(view.getBigUint64(32, true)) + 56 * index;
        if (view.getUint32(at, true) === LOAD) expect(view.getUint32(at + 4, true) & 3).not.toBe(3);
      }
    }),
    { numRuns: 500 },
  );
});
