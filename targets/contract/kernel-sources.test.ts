import { expect, test } from "vitest";
import { KernelCapSource } from "../../engine/lib/wire/upstream/generated/upstream.ts";
import { FORWARDED, findKernelSource, KERNEL_SOURCES, UNCONFIGURED } from "./kernel-sources.ts";

test("the list has the kernel's capabilities in the order of upstream's schema, with unique names", () => {
  expect(KERNEL_SOURCES.map(({ enumerant }) => enumerant)).toEqual(KernelCapSource.members);
  expect(new Set(KERNEL_SOURCES.map(({ name }) => name)).size).toBe(50);
});

test("each forwarded or unconfigured capability is one of the kernel's list, with the reach `authority`", () => {
  for (const name of [...FORWARDED, ...UNCONFIGURED]) expect(findKernelSource(name)?.reach).toBe("authority");
});
