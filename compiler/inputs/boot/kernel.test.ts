import fc from "fast-check";
import { expect, test } from "vitest";
import { createTinyKernel } from "../../dev/fixtures/boot/tiny-kernel.ts";
import { findKernelFault } from "./kernel.ts";

const kernel = createTinyKernel();

test("a program for x86-64 with a segment in the higher half is one that Limine loads", () => {
  expect(findKernelFault(kernel)).toBeUndefined();
  expect(findKernelFault(createTinyKernel({ type: 3, address: 0n }))).toBeUndefined();
});

test.each([
  ["nothing", new Uint8Array(), "it is no ELF file of 64 bits"],
  ["a text", Buffer.from("the kernel, soon ".repeat(10)), "it is no ELF file of 64 bits"],
  ["a header that is cut short", kernel.subarray(0, 63), "it is no ELF file of 64 bits"],
  ["one of 32 bits", kernel.with(4, 1), "it is no ELF file of 64 bits"],
  ["one for another processor", createTinyKernel({ machine: 183 }), "it is not for x86-64"],
  ["a library's part", createTinyKernel({ type: 1 }), "it is no program, but what one is linked of"],
  ["no segments", createTinyKernel({ segments: 0 }), "nothing of it would be loaded"],
  ["more segments than there is file", createTinyKernel({ segments: 65_535 }), "its segments lie outside of it"],
  ["segments that are too small", kernel.with(54, 55), "its segments lie outside of it"],
  ["one that is cut short", kernel.subarray(0, -1), "it is cut short: a segment reaches behind its end"],
  [
    "a segment of all there is",
    createTinyKernel({ fileBytes: 2n ** 64n - 1n }),
    "it is cut short: a segment reaches behind its end",
  ],
  [
    "one in the lower half",
    createTinyKernel({ address: 0x10_0000n }),
    "a segment of it would lie at 0x100000, below 0xffffffff80000000",
  ],
])("%s is none", (_, bytes, reason) => {
  expect(findKernelFault(bytes)).toBe(reason);
});

test("a segment has at least the room in memory that it has in the file", () => {
  const other = createTinyKernel();
  other.writeBigUInt64LE(1n, 104);
  expect(findKernelFault(other)).toBe("a segment of it has less room in memory than in the file");
});

test("whatever the header says, it is judged and never thrown at", () => {
  const changed = fc.array(fc.tuple(fc.nat(119), fc.nat(255)), { maxLength: 8 });
  const judge = (bytes: Uint8Array): void => {
    expect(["string", "undefined"]).toContain(typeof findKernelFault(bytes));
  };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 256 }), judge));
  fc.assert(
    fc.property(changed, fc.nat(kernel.length), (changes, length) => {
      const other = Uint8Array.from(kernel);
      for (const [at, byte] of changes) other[at] = byte;
      judge(other.subarray(0, length));
    }),
  );
});

/** Offset of the first segment's size in memory. */
const MEMORY_AT = 64 + 40;

test.each<[string, number, bigint, string | undefined]>([
  ["that ends with the last address", 2, 0x8000_0000n, undefined],
  ["that does not", 2, 0x8000_0001n, "a segment of it would reach behind the last address"],
  ["of half a memory", 2, 1n << 63n, "a segment of it would reach behind the last address"],
  [
    "that can be put anywhere, and is too large for anywhere",
    3,
    (1n << 64n) - 1n,
    "a segment of it would reach behind the last address",
  ],
])("a segment %s is checked by its size in memory", (_, type, memory, fault) => {
  const other = createTinyKernel({ type });
  other.writeBigUInt64LE(memory, MEMORY_AT);
  expect(findKernelFault(other)).toBe(fault);
});
