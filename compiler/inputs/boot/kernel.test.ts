import fc from "fast-check";
import { expect, test } from "vitest";
import { createTinyKernel } from "../../dev/fixtures/boot/tiny-kernel.ts";
import { findKernelFault } from "./kernel.ts";

const kernel = createTinyKernel();

test("a program for x86-64 with a segment in the higher half is accepted", () => {
  expect(findKernelFault(kernel)).toBeUndefined();
  expect(findKernelFault(createTinyKernel({ type: 3, address: 0n }))).toBeUndefined();
});

test.each([
  ["nothing", new Uint8Array(), "it is not a 64-bit ELF file"],
  ["a text", Buffer.from("the kernel, soon ".repeat(10)), "it is not a 64-bit ELF file"],
  ["a truncated header", kernel.subarray(0, 63), "it is not a 64-bit ELF file"],
  ["a 32-bit program", kernel.with(4, 1), "it is not a 64-bit ELF file"],
  ["a program for another processor", createTinyKernel({ machine: 183 }), "it is not for x86-64"],
  ["a relocatable object", createTinyKernel({ type: 1 }), "it is an object file, not a program"],
  ["no segments", createTinyKernel({ segments: 0 }), "it has no segment to load"],
  [
    "more segments than fit in the file",
    createTinyKernel({ segments: 65_535 }),
    "its segments are outside of the file",
  ],
  ["segment headers that are too small", kernel.with(54, 55), "its segments are outside of the file"],
  ["a truncated program", kernel.subarray(0, -1), "it is truncated: a segment extends beyond its end"],
  [
    "a segment of the largest size",
    createTinyKernel({ fileBytes: 2n ** 64n - 1n }),
    "it is truncated: a segment extends beyond its end",
  ],
  [
    "a segment in the lower half",
    createTinyKernel({ address: 0x10_0000n }),
    "a segment would be at 0x100000, below 0xffffffff80000000",
  ],
])("%s is not a kernel", (_, bytes, reason) => {
  expect(findKernelFault(bytes)).toBe(reason);
});

test("a segment whose size in the file is larger than its size in memory is refused", () => {
  const other = createTinyKernel();
  other.writeBigUInt64LE(1n, 104);
  expect(findKernelFault(other)).toBe("a segment is smaller in memory than in the file");
});

test("checking any header throws no exception", () => {
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
  ["that ends at the last address", 2, 0x8000_0000n, undefined],
  ["that ends beyond the last address", 2, 0x8000_0001n, "a segment would extend beyond the last address"],
  ["of half the address space", 2, 1n << 63n, "a segment would extend beyond the last address"],
  [
    "at any address, which is too large for each",
    3,
    (1n << 64n) - 1n,
    "a segment would extend beyond the last address",
  ],
])("in memory, a segment must not extend beyond the last address: a segment %s", (_, type, memory, fault) => {
  const other = createTinyKernel({ type });
  other.writeBigUInt64LE(memory, MEMORY_AT);
  expect(findKernelFault(other)).toBe(fault);
});
