// Measures the second `make run-agent` up to the start of QEMU, because a person waits for this.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { readChildrenCpuSeconds } from "../../machine/cpu-time.ts";

/** Returns the CPU seconds of one `make run-agent`. A program that only records its start replaces QEMU. */
export function measureCpuSecondsToQemu(checkout: string, scratch: string): number {
  const programs = join(scratch, "programs");
  const note = join(scratch, "started");
  mkdirSync(programs, { recursive: true });
  rmSync(note, { force: true });
  writeFileSync(join(programs, "qemu-system-x86_64"), `#!/bin/sh\n: > '${note}'\n`, { mode: 0o755 });
  const before = readChildrenCpuSeconds();
  const ran = spawnSync("make", ["run-agent"], {
    cwd: checkout,
    encoding: "utf8",
    input: "",
    env: { ...process.env, PATH: [programs, process.env["PATH"]].join(delimiter) },
  });
  // The conversation fails because no machine runs, but only the time until the start of QEMU matters.
  if (!existsSync(note)) throw new Error(`make run-agent did not start QEMU:\n${ran.stderr}`);
  return readChildrenCpuSeconds() - before;
}
