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

test("the program holds kernel, initrd, command line and name, and the same parts give the same bytes", () => {
  const made = assembleUki(PARTS);
  const program = made.ok ? made.value : Buffer.alloc(0);
  expect(assembleUki(PARTS)).toEqual(made);
  const text = (name: string): string | undefined => extractSection(program, name)?.toString();
  expect(text(".linux")).toBe("a kernel");
  expect(extractInitrd(program)?.toString()).toBe("an initrd");
  expect(text(".cmdline")).toBe("console=ttyS0,115200 quiet");
  expect(text(".osrel")).toBe('ID=lab\nVERSION_ID="1.2.0"\nPRETTY_NAME="lab 1.2.0"\n');
});

test("the reason is reported where the stub is none", () => {
  expect(assembleUki({ ...PARTS, stub: Buffer.alloc(10) })).toMatchObject({ ok: false });
});
