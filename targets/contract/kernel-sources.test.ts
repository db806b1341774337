import { expect, test } from "vitest";
import { KernelCapSource } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import { FORWARDED, findKernelSource, KERNEL_SOURCES, UNCONFIGURED } from "./kernel-sources.ts";

test("the sources equal those of the schema, in the schema's order, and have unique names", () => {
  expect(KERNEL_SOURCES.map(({ enumerant }) => enumerant)).toEqual(KernelCapSource.members);
  expect(new Set(KERNEL_SOURCES.map(({ name }) => name)).size).toBe(50);
});

test("forwarded and unconfigurable sources are known sources", () => {
  for (const name of [...FORWARDED, ...UNCONFIGURED]) expect(findKernelSource(name)?.reach).toBe("authority");
});
