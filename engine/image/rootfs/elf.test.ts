import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { extractMappedPart } from "./elf.ts";

test("Node without its symbols is smaller and runs", () => {
  const whole = readFileSync(process.execPath);
  const mapped = extractMappedPart(whole) ?? Buffer.alloc(0);
  const folder = mkdtempSync(join(tmpdir(), "capos-elf-"));
  writeFileSync(join(folder, "node"), mapped, { mode: 0o755 });
  const ran = spawnSync(join(folder, "node"), ["-p", "new Intl.NumberFormat('de').format(1234.5)"], {
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  expect(ran.stdout).toBe("1.234,5\n");
  expect(mapped.length).toBeLessThan(whole.length);
});

test("finds no mapped part in a script, and never returns more bytes than the file has", () => {
  expect(extractMappedPart(Buffer.from("#!/bin/sh\n"))).toBeUndefined();
  const header = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (noise) => {
      const program = Buffer.concat([header, noise]);
      const mapped = extractMappedPart(program);
      expect(mapped === undefined || mapped.length <= program.length).toBe(true);
    }),
  );
});
