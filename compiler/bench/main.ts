// make bench: what the common steps cost, beside what they cannot cost less than. CPU seconds, since shared machines
// differ in everything else; each figure is the median of its runs.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSecondsOfChildren } from "../cli/machine/cpu-time.ts";
import { makeDataDisk } from "../cli/machine/data-disk.ts";
import { cpuSecondsToPrompt } from "./boot.ts";
import { codecFigures } from "./codec.ts";
import { drawFigures, type Figure, median, writtenFigures } from "./figure.ts";
import { emptyImage } from "./image.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = join(CHECKOUT, "build");
const EXAMPLE = join(CHECKOUT, "examples/first-agent");
const RUNS = 3;

function cpuSecondsOf(program: string, words: readonly string[]): number {
  const runs = Array.from({ length: RUNS }, () => {
    const before = cpuSecondsOfChildren();
    const { status, stderr } = spawnSync(program, words, { cwd: CHECKOUT, encoding: "utf8" });
    if (status !== 0) throw new Error(`${[program, ...words].join(" ")} failed:\n${stderr}`);
    return cpuSecondsOfChildren() - before;
  });
  return median(runs);
}

async function bootSeconds(iso: string, scratch: string): Promise<number> {
  const disk = join(scratch, "data.img");
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    rmSync(disk, { force: true });
    const made = makeDataDisk(disk, join(EXAMPLE, "disk"));
    if (!made.ok) throw new Error(made.reason);
    runs.push(await cpuSecondsToPrompt(iso, disk));
  }
  return median(runs);
}

async function measure(scratch: string): Promise<Figure[]> {
  const capc = (...words: string[]): number =>
    cpuSecondsOf(process.execPath, [join(CHECKOUT, "compiler/cli/main.ts"), ...words]);
  const page = join(EXAMPLE, "system.cap");
  const out = join(scratch, "out");
  const node = { name: "node that does nothing", value: cpuSecondsOf(process.execPath, ["-e", "0"]) };
  const check = capc("check", page);
  // The first run fills the cache of roots; the median is of a build with nothing changed.
  const build = capc("build", page, "--out", out);
  const system = join(out, "system.iso");
  const image = readFileSync(system).length;
  const copied = join(scratch, "copy");
  const copy = {
    name: `writing ${Math.round(image / 1e6)} MB with cat`,
    value: cpuSecondsOf("sh", ["-c", 'cat "$0" > "$1"', system, copied]),
  };
  const empty = await bootSeconds(await emptyImage(page, join(scratch, "empty")), scratch);
  const boot = await bootSeconds(system, scratch);
  return [
    { name: "capc check", value: check, unit: "CPU s", against: node },
    { name: "capc build, nothing changed", value: build, unit: "CPU s", against: copy },
    { name: "boot to prompt", value: boot, unit: "CPU s", against: { name: "empty programs", value: empty } },
    ...codecFigures(),
  ];
}

mkdirSync(BUILT, { recursive: true });
const scratch = mkdtempSync(join(BUILT, ".bench-"));
try {
  const figures = writtenFigures(await measure(scratch));
  writeFileSync(join(BUILT, "bench.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  process.stdout.write(drawFigures(figures));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
