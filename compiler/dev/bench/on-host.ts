// Measures `capc run --on-host` from its start to the prompt, and on to its orderly end. The example has no data disk,
// so that any host with root can measure it.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { measureCpuSeconds } from "./measure.ts";

/** Maximum CPU seconds of all processes of the run, capc included. */
const MOST_ON_HOST = 1.5;

const SCRIPT = "@ nodisk\n< ON A HOST, without own-kernel\n";

export async function measureOnHost(bench: Bench): Promise<Figure[]> {
  const { runs, checkout, scratch } = bench;
  const out = join(scratch, "on-host");
  const packed = await bench.packed();
  measureCpuSeconds(1, checkout, [
    process.execPath,
    packed,
    "build",
    join(checkout, "examples/first-agent/system.cap"),
    "--out",
    out,
  ]);
  const script = join(scratch, "on-host.chat");
  writeFileSync(script, SCRIPT);
  const run = [packed, "run", join(out, "system.iso"), "--on-host", "--script", script];
  const command = [process.execPath, ...run, ...findLacking(run)] as const;
  const value = measureCpuSeconds(runs, checkout, command);
  return [
    { name: "capc run --on-host, to the prompt and the end", value, unit: "CPU s", against: limit(MOST_ON_HOST) },
  ];
}

/**
 * Returns the options with which the image runs although this host lacks some properties. Throws the reason if the host
 * cannot run the image, for example because the user is not root.
 */
function findLacking(run: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(process.execPath, run, { encoding: "utf8" });
  const [, options] = /^to run without (?:it|them): (.*)$/m.exec(stderr) ?? [];
  if (options === undefined) throw new Error(stderr);
  return options.split(" ");
}
