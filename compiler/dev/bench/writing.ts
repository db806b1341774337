// Compares the cost of the image writer, which is xorriso as WebAssembly, with the cost of the system's xorriso. One
// image has weights. The other image is as small as the image of the example; for such an image, the time to load
// Node.js and the program matters.

import { randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { type CommandLine, measureCpuSeconds } from "./measure.ts";

const PROGRAM = "targets/xorriso-wasm/xorriso-program.mjs";
const LARGE_MB = 500;
const SMALL_MB = 60;
/** Maximum CPU time of the project's writer for the large image, as a multiple of the CPU time of native xorriso. */
const MOST = 2;

export function measureWriting({ runs, checkout, scratch }: Bench): Figure[] {
  const measureSeconds = (megabytes: number, ...writer: CommandLine): number => {
    const out = join(scratch, "written.iso");
    const words = ["-no_rc", "-as", "mkisofs", "-quiet", "-r", "-J", "-o", out, makeTree(scratch, megabytes)];
    return measureCpuSeconds(runs, scratch, [...writer, ...words]);
  };
  const measureOurs = (megabytes: number): number =>
    measureSeconds(megabytes, process.execPath, join(checkout, PROGRAM));
  const measureNative = (megabytes: number): number => measureSeconds(megabytes, "xorriso");
  const most = limit(measureNative(LARGE_MB) * MOST, "twice native xorriso");
  const peer = { kind: "peer", name: "native xorriso", value: measureNative(SMALL_MB) } as const;
  return [
    { name: `writing an image of ${LARGE_MB} MB`, value: measureOurs(LARGE_MB), unit: "CPU s", against: most },
    { name: `writing an image of ${SMALL_MB} MB`, value: measureOurs(SMALL_MB), unit: "CPU s", against: peer },
  ];
}

/** Returns a folder with a file of `megabytes` megabytes. The file is made only once. */
function makeTree(scratch: string, megabytes: number): string {
  const folder = join(scratch, `tree-${megabytes}`);
  if (mkdirSync(folder, { recursive: true }) === undefined) return folder;
  const part = randomBytes(1_000_000);
  writeFileSync(join(folder, "weights"), "");
  for (let written = 0; written < megabytes; written++) appendFileSync(join(folder, "weights"), part);
  return folder;
}
