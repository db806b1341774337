// Tests `capc build --locked`: if a third-party file or a program differs from inputs.lock, the build names it and
// writes nothing.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "../../cli/memory-world.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/first-agent", import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capc-locked-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const build = (...more: readonly string[]) =>
  runCommand(["build", join(EXAMPLE, "system.cap"), "--out", "out", ...more], { folder });

/** Puts a program on the PATH that reports a very old version of xorriso and writes nothing. */
function layOldXorriso(): void {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/xorriso"), "#!/bin/sh\necho 'xorriso version   :  0.1'\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${join(folder, "bin")}:${process.env["PATH"]}`);
}

const DRIFT = "xorriso of the system: 'xorriso version   :  1.5.4' is locked, 'xorriso version   :  0.1' is here";

test("a build with --locked writes an image if the checkout matches inputs.lock", async () => {
  const signed = /^capc build: signed with the development key of this checkout, [^\n]+\n$/;
  expect(await build("--locked")).toMatchObject({ status: 0, err: expect.stringMatching(signed) });
  expect(existsSync(join(folder, "out/system.iso"))).toBe(true);
});

test("--locked refuses an image writer of another version in one sentence, and no file is written", async () => {
  layOldXorriso();
  const { status, out, err } = await build("--locked", "--iso-writer", "native");
  expect({ status, out }).toEqual({ status: 3, out: "" });
  expect(err).toBe(`capc build: --locked, and ${DRIFT}; nothing was written\n`);
  expect(readdirSync(join(folder, "out"))).toEqual([]);
});

test("without --locked, a build warns about an image writer of another version, and continues", async () => {
  layOldXorriso();
  const { err } = await build("--iso-writer", "native");
  expect(err).toContain(`capc build: WARNING, not as locked: ${DRIFT}\n`);
});
