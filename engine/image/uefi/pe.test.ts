import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { appendSections, extractSection, readSections } from "./pe.ts";

const STUB = readFileSync(new URL("../../prebuilt/uefi/linuxx64.efi.stub", import.meta.url));

function added(sections: readonly { name: string; bytes: Uint8Array }[], program = STUB): Buffer {
  const made = appendSections(program, sections);
  if (!made.ok) throw new Error(made.reason);
  return made.value;
}

test("reads back each added section, and leaves the existing sections unchanged", () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 9000 });
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 4 }), (contents) => {
      const program = added(contents.map((each, index) => ({ name: `.new${index}`, bytes: each })));
      for (const [index, each] of contents.entries())
        expect(extractSection(program, `.new${index}`)?.equals(each)).toBe(true);
      for (const name of [".text", ".data", ".sbat", ".sdmagic"])
        expect(extractSection(program, name)).toEqual(extractSection(STUB, name));
    }),
    { numRuns: 30 },
  );
});

test("sections follow each other on whole pages, in the file and in memory, and the image ends after the last", () => {
  const program = added([
    { name: ".one", bytes: Buffer.alloc(5000, 1) },
    { name: ".two", bytes: Buffer.alloc(1, 2) },
  ]);
  const read = readSections(program);
  const sections = read.ok ? read.value : [];
  const [one, two] = sections.slice(-2);
  expect(sections.at(-3)?.name).toBe(".sdmagic");
  expect([(one?.address ?? 1) % 4096, (two?.address ?? 1) % 4096]).toEqual([0, 0]);
  expect(two?.address).toBe((one?.address ?? 0) + 8192);
  expect(two?.offset).toBe((one?.offset ?? 0) + 5120);
  expect(program.length).toBe((two?.offset ?? 0) + 512);
  const optional = program.readUInt32LE(0x3c) + 24;
  expect(program.readUInt32LE(optional + 56)).toBeGreaterThan(two?.address ?? Number.MAX_SAFE_INTEGER);
});

test("drops the symbols, so that the added sections directly follow those of the stub", () => {
  const ends = (program: Buffer): number[] => {
    const read = readSections(program);
    return read.ok ? read.value.map(({ offset, size }) => offset + Math.ceil(size / 512) * 512) : [];
  };
  const before = Math.max(...ends(STUB));
  expect(before).toBeLessThan(STUB.length);
  const program = added([{ name: ".one", bytes: Buffer.alloc(1) }]);
  expect(ends(program).at(-1)).toBe(before + 512);
  expect(program.readBigUInt64LE(program.readUInt32LE(0x3c) + 12)).toBe(0n);
});

test.each([
  ["is not a program", Buffer.from("MZ"), "it is no program of UEFI firmware"],
  ["has another format", Buffer.alloc(4096), "it is no program of UEFI firmware"],
  ["is cut short", STUB.subarray(0, 60_000), "a section ends behind the program"],
])("refuses to add a section to a file that %s", (_, program, reason) => {
  expect(appendSections(program, [])).toEqual({ ok: false, reason });
});

test("refuses to add a section if the program is signed or its headers are full", () => {
  const signed = Buffer.from(STUB);
  signed.writeUInt32LE(4096, signed.readUInt32LE(0x3c) + 24 + 144);
  expect(appendSections(signed, [])).toMatchObject({ ok: false, reason: expect.stringContaining("signed") });
  const many = Array.from({ length: 20 }, (_, index) => ({ name: `.s${index}`, bytes: Buffer.alloc(1) }));
  expect(appendSections(STUB, many)).toMatchObject({ ok: false, reason: expect.stringContaining("no room") });
});

test("reads or refuses changed bytes, and never throws", () => {
  const change = fc.record({ at: fc.nat({ max: 1023 }), to: fc.nat({ max: 255 }) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), fc.nat({ max: STUB.length }), (changes, length) => {
      const program = Buffer.from(STUB.subarray(0, length));
      for (const { at, to } of changes) if (at < length) program[at] = to;
      const read = readSections(program);
      if (read.ok) for (const { offset, size } of read.value) expect(offset + size).toBeLessThanOrEqual(program.length);
      extractSection(program, ".text");
    }),
    { numRuns: 2000 },
  );
});
