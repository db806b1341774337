// make bench: what the common steps cost, beside what they cannot cost less than. CPU seconds, since shared machines
// differ in everything else; each figure is the median of its runs. `make bench RUNS=1` is a quick look.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSecondsOfChildren } from "../cli/machine/cpu-time.ts";
import { makeDataDisk } from "../cli/machine/data-disk.ts";
import { type BootTimes, bootTimes } from "./boot.ts";
import { codecFigures } from "./codec.ts";
import { brokenPromises, drawFigures, type Figure, median, writtenFigures } from "./figure.ts";
import { emptyImage } from "./image.ts";
import { readingFigure } from "./reading.ts";
import { cpuSecondsToQemu } from "./second-run.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const BUILT = join(CHECKOUT, "build");
const EXAMPLE = join(CHECKOUT, "examples/first-agent");
const PAGE = join(EXAMPLE, "system.cap");
/** Nothing that is promised may cost more. */
const MOST_TO_QEMU = 3;

const runs = Number(process.argv[2] ?? "3");

function medianOf(measured: () => number): number {
  return median(Array.from({ length: runs }, measured));
}

function cpuSecondsOf(program: string, words: readonly string[]): number {
  return medianOf(() => {
    const before = cpuSecondsOfChildren();
    const { status, stderr } = spawnSync(program, words, { cwd: CHECKOUT, encoding: "utf8" });
    if (status !== 0) throw new Error(`${[program, ...words].join(" ")} failed:\n${stderr}`);
    return cpuSecondsOfChildren() - before;
  });
}

/** The command line as a person starts it. */
const capc = (...words: string[]): number =>
  cpuSecondsOf(process.execPath, [join(CHECKOUT, "compiler/cli/capc.mjs"), ...words]);

function commandFigures(scratch: string): Figure[] {
  const out = join(scratch, "out");
  const node = {
    kind: "floor",
    name: "node that does nothing",
    value: cpuSecondsOf(process.execPath, ["-e", "0"]),
  } as const;
  // The first run fills the caches, of compiled programs and of roots; the median is of what a person does all day.
  const build = capc("build", PAGE, "--out", out);
  const system = join(out, "system.iso");
  const copied = ["-c", 'cat "$0" > "$1"', system, join(scratch, "copy")];
  const megabytes = Math.round(readFileSync(system).length / 1e6);
  const copy = { kind: "floor", name: `writing ${megabytes} MB with cat`, value: cpuSecondsOf("sh", copied) } as const;
  const again = medianOf(() => cpuSecondsToQemu(CHECKOUT, scratch));
  const promised = { kind: "limit", name: "what is promised", value: MOST_TO_QEMU } as const;
  return [
    { name: "capc --version", value: capc("--version"), unit: "CPU s", against: node },
    { name: "capc check", value: capc("check", PAGE), unit: "CPU s", against: node },
    { name: "capc build, nothing changed", value: build, unit: "CPU s", against: copy },
    { name: "second make run-agent, to QEMU's start", value: again, unit: "CPU s", against: promised },
  ];
}

async function boots(iso: string, scratch: string): Promise<BootTimes> {
  const disk = join(scratch, "data.img");
  const all: BootTimes[] = [];
  for (let run = 0; run < runs; run++) {
    rmSync(disk, { force: true });
    const made = makeDataDisk(disk, join(EXAMPLE, "disk"));
    if (!made.ok) throw new Error(made.reason);
    all.push(await bootTimes(iso, disk));
  }
  return { prompt: median(all.map(({ prompt }) => prompt)), answer: median(all.map(({ answer }) => answer)) };
}

async function bootFigures(scratch: string): Promise<Figure[]> {
  const empty = await boots(await emptyImage(PAGE, join(scratch, "empty")), scratch);
  const real = await boots(join(scratch, "out/system.iso"), scratch);
  const floor = (value: number) => ({ kind: "floor", name: "as many empty programs", value }) as const;
  return [
    { name: "boot to prompt", value: real.prompt, unit: "CPU s", against: floor(empty.prompt) },
    { name: "boot to the gate's first answer", value: real.answer, unit: "CPU s", against: floor(empty.answer) },
  ];
}

mkdirSync(BUILT, { recursive: true });
const scratch = mkdtempSync(join(BUILT, ".bench-"));
try {
  const read = await readingFigure(runs);
  const figures = writtenFigures([
    ...commandFigures(scratch),
    read,
    ...(await bootFigures(scratch)),
    ...codecFigures(),
  ]);
  writeFileSync(join(BUILT, "bench.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  process.stdout.write(drawFigures(figures));
  const broken = brokenPromises(figures);
  process.stderr.write(broken.join(""));
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
