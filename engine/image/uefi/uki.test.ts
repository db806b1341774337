import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { extractSection } from "./pe.ts";
import { assembleUki, extractInitrd } from "./uki.ts";

const PARTS = {
  stub: readFileSync(new URL("../../prebuilt/uefi/linuxx64.efi.stub", import.meta.url)),
  kernel: Buffer.from("a kernel"),
  initrd: Buffer.from("an initrd"),
  kernelParameters: ["console=ttyS0,115200", "quiet"],
  systemId: "lab",
  version: "1.2.0",
};

test("the program contains kernel, initrd, command line and name, and equal parts give equal bytes", () => {
  const made = assembleUki(PARTS);
  const program = made.ok ? made.value : Buffer.alloc(0);
  expect(assembleUki(PARTS)).toEqual(made);
  const text = (name: string): string | undefined => extractSection(program, name)?.toString();
  expect(text(".linux")).toBe("a kernel");
  expect(extractInitrd(program)?.toString()).toBe("an initrd");
  expect(text(".cmdline")).toBe("console=ttyS0,115200 quiet");
  expect(text(".osrel")).toBe('ID=lab\nVERSION_ID="1.2.0"\nPRETTY_NAME="lab 1.2.0"\n');
});

test("fails with a reason if the stub is not a program", () => {
  expect(assembleUki({ ...PARTS, stub: Buffer.alloc(10) })).toMatchObject({ ok: false });
});
