import { expect, test } from "vitest";
import { KernelCapSource } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import { FORWARDED, findKernelSource, KERNEL_SOURCES, UNCONFIGURED } from "./kernel-sources.ts";

test("the list has the same sources as the schema, in the same order, and with unique names", () => {
  expect(KERNEL_SOURCES.map(({ enumerant }) => enumerant)).toEqual(KernelCapSource.members);
  expect(new Set(KERNEL_SOURCES.map(({ name }) => name)).size).toBe(50);
});

test("the lists of forwarded and of unconfigurable sources name only existing sources", () => {
  for (const name of [...FORWARDED, ...UNCONFIGURED]) expect(findKernelSource(name)?.reach).toBe("authority");
});
