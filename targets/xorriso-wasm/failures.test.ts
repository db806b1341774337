import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PACKAGE } from "./making/sources.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "xorriso-wasm-"));
  mkdirSync(join(folder, "tree"));
  writeFileSync(join(folder, "tree/file"), "");
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly status: number | null;
  readonly stderr: string;
}

function write(words: readonly string[], program = join(PACKAGE, "xorriso-program.mjs")): Ended {
  const all = [program, "-no_rc", "-as", "mkisofs", ...words];
  const { status, stderr } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8", env: {} });
  return { status, stderr };
}

/** Returns the first line in which xorriso reports a failure, or `undefined` if there is none. */
function failure({ stderr }: Ended): string | undefined {
  return stderr.split("\n").find((line) => /: (SORRY|FAILURE|FATAL) :/.test(line));
}

test("progress is printed in rising percentages", () => {
  writeFileSync(join(folder, "tree/large"), Buffer.alloc(5_000_000));
  const { status, stderr } = write(["-o", "x.iso", "tree"]);
  expect(status).toBe(0);
  const said = [...stderr.matchAll(/^written (\d+) %$/gm)].map(([, hundredths]) => Number(hundredths));
  expect(said.length).toBeGreaterThan(10);
  expect(said).toEqual([...new Set(said)].sort((left, right) => left - right));
  expect(Math.max(...said)).toBeLessThanOrEqual(100);
});

test("the error names a missing input, and states that the folder of the output is missing", () => {
  const gone = write(["-o", "x.iso", "-graft-points", "/a=nowhere"]);
  expect(gone.status).not.toBe(0);
  expect(failure(gone)).toContain("nowhere");
  const nowhere = write(["-o", "nowhere/x.iso", "tree"]);
  expect(nowhere.status).not.toBe(0);
  expect(failure(nowhere)).toContain("Neither stdio-path nor its directory exist");
});

/** Returns a copy of the package with an empty folder generated/. */
function copied(): string {
  const copy = join(folder, "copy");
  mkdirSync(join(copy, "generated"), { recursive: true });
  copyFileSync(join(PACKAGE, "xorriso-program.mjs"), join(copy, "xorriso-program.mjs"));
  return copy;
}

test("a missing or damaged program is reported in one line", () => {
  const copy = copied();
  copyFileSync(join(PACKAGE, "generated/xorriso.cjs"), join(copy, "generated/xorriso.cjs"));
  const run = (): Ended => write(["-o", "x.iso", "tree"], join(copy, "xorriso-program.mjs"));
  const absent = run();
  expect(absent).toEqual({
    status: 32,
    stderr: expect.stringMatching(/^xorriso : FATAL : .*cannot be read: ENOENT.*\n$/),
  });
  writeFileSync(join(copy, "generated/xorriso.wasm"), "not a program");
  const damaged = run();
  expect(damaged).toEqual({ status: 32, stderr: expect.stringMatching(/^xorriso : FATAL : .*\n$/) });
});

test("a trap of the program is reported in one line, with the memory in use", () => {
  const copy = copied();
  writeFileSync(join(copy, "generated/xorriso.wasm"), "");
  const trapping = `module.exports = async ({ quit }) => ({
    HEAP8: new Int8Array(40 << 20),
    callMain: () => quit(1, new WebAssembly.RuntimeError("unreachable\\nand more")),
  });`;
  writeFileSync(join(copy, "generated/xorriso.cjs"), trapping);
  expect(write(["-o", "x.iso", "tree"], join(copy, "xorriso-program.mjs"))).toEqual({
    status: 32,
    stderr: "xorriso : FATAL : its program was stopped, with 40 MiB of at most 512 in use: unreachable\n",
  });
});
