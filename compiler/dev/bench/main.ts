// make bench: what the common steps cost, beside what they cannot cost less than. CPU seconds, since shared machines
// differ in everything else; each figure is the median of its runs. `make bench RUNS=1` is a quick look.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDataDisk } from "../../machine/data-disk.ts";
import { type Bench, benchIn } from "./bench.ts";
import { type BootTimes, bootTimes, lifeOf } from "./boot.ts";
import { checkFigures } from "./checking.ts";
import { codecFigures } from "./codec.ts";
import { decidingFigures } from "./deciding.ts";
import { differenceFigures } from "./difference.ts";
import { editingFigures } from "./editing.ts";
import { encodingFigures } from "./encoding.ts";
import { brokenPromises, drawFigures, type Figure, limit, median, writtenFigures } from "./figure.ts";
import { gatedFigures } from "./gated.ts";
import { generatingFigures } from "./generating.ts";
import { emptyImage } from "./image.ts";
import { interruptFigures } from "./interrupt.ts";
import { listingFigures } from "./listing.ts";
import { cpuSecondsOf } from "./measure.ts";
import { prefilledFigures } from "./prefilled.ts";
import { provingFigures } from "./proving.ts";
import { readingFigure } from "./reading.ts";
import { rebuildingFigures } from "./rebuilding.ts";
import { replayingFigures } from "./replaying.ts";
import { cpuSecondsToQemu } from "./second-run.ts";
import { writingFigures } from "./writing.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const BUILT = join(CHECKOUT, "build");
const EXAMPLE = join(CHECKOUT, "examples/first-agent");
const PAGE = join(EXAMPLE, "system.cap");
/** Nothing that is promised may cost more. */
const MOST_TO_QEMU = 3;
/** A boot to the prompt may cost so much more than one of programs that do nothing. */
const MOST_OF_EMPTY = 1.5;
/** Of the 512 MiB that a machine is given. */
const MOST_IDLE_MIB = 350;
/** Seconds that an end may take; under emulation a second of the machine's processor is one of ours. */
const MOST_TO_END = 3;
/** `capc --version` beside a Node that does nothing. */
const MOST_OF_NODE = 2;

/** What is measured, in this order; `make bench ROWS=NAME,NAME` measures some of it. */
const ROWS: Readonly<Record<string, (bench: Bench) => readonly Figure[] | Promise<readonly Figure[]>>> = {
  reading: async ({ runs }) => [await readingFigure(runs)],
  commands: commandFigures,
  check: checkFigures,
  boot: bootFigures,
  codec: codecFigures,
  editing: editingFigures,
  encoding: encodingFigures,
  rebuilding: rebuildingFigures,
  deciding: decidingFigures,
  difference: differenceFigures,
  gated: gatedFigures,
  listing: listingFigures,
  generating: generatingFigures,
  prefilled: prefilledFigures,
  interrupt: interruptFigures,
  proving: provingFigures,
  replaying: replayingFigures,
  writing: writingFigures,
};

async function commandFigures(bench: Bench): Promise<Figure[]> {
  const { runs, checkout, scratch, launcher } = bench;
  const seconds = (...command: readonly [string, ...string[]]): number => cpuSecondsOf(runs, checkout, command);
  const capc = (...words: string[]): number => seconds(process.execPath, launcher, ...words);
  const packed = await bench.packed();
  const nothing = seconds(process.execPath, "-e", "0");
  const node = { kind: "floor", name: "node that does nothing", value: nothing } as const;
  const twice = limit(nothing * MOST_OF_NODE, "twice a node that does nothing");
  // The first run fills the caches, of compiled programs and of roots; the median is of what a person does all day.
  const build = capc("build", PAGE, "--out", outOf(bench));
  const system = join(outOf(bench), "system.iso");
  const copied = ["-c", 'cat "$0" > "$1"', system, join(scratch, "copy")];
  const megabytes = Math.round(readFileSync(system).length / 1e6);
  const copy = { kind: "floor", name: `writing ${megabytes} MB with cat`, value: seconds("sh", ...copied) } as const;
  const again = median(Array.from({ length: runs }, () => cpuSecondsToQemu(CHECKOUT, scratch)));
  return [
    { name: "capc --version", value: seconds(process.execPath, packed, "--version"), unit: "CPU s", against: twice },
    { name: "capc --version, from the checkout", value: capc("--version"), unit: "CPU s", against: twice },
    { name: "capc check of the example", value: capc("check", PAGE), unit: "CPU s", against: node },
    { name: "capc build, nothing changed", value: build, unit: "CPU s", against: copy },
    { name: "second make run-agent, to QEMU's start", value: again, unit: "CPU s", against: limit(MOST_TO_QEMU) },
  ];
}

function outOf({ scratch }: Bench): string {
  return join(scratch, "out");
}

async function boots({ runs }: Bench, iso: string, scratch: string): Promise<BootTimes> {
  const all: BootTimes[] = [];
  for (let run = 0; run < runs; run++) all.push(await bootTimes(iso, newDisk(scratch)));
  return { prompt: median(all.map(({ prompt }) => prompt)), answer: median(all.map(({ answer }) => answer)) };
}

function newDisk(scratch: string): string {
  const disk = join(scratch, "data.img");
  rmSync(disk, { force: true });
  const made = makeDataDisk(disk, join(EXAMPLE, "disk"));
  if (!made.ok) throw new Error(made.reason);
  return disk;
}

async function bootFigures(bench: Bench): Promise<Figure[]> {
  const { checkout, launcher, scratch } = bench;
  cpuSecondsOf(1, checkout, [process.execPath, launcher, "build", PAGE, "--out", outOf(bench)]);
  const empty = await boots(bench, await emptyImage(PAGE, join(scratch, "empty")), scratch);
  const real = await boots(bench, join(outOf(bench), "system.iso"), scratch);
  const most = limit(empty.prompt * MOST_OF_EMPTY, `${MOST_OF_EMPTY} times as many empty programs`);
  const floor = { kind: "floor", name: "as many empty programs", value: empty.answer } as const;
  const { usedMebibytes, ending } = await lifeOf(join(outOf(bench), "system.iso"), newDisk(scratch));
  return [
    { name: "boot to prompt", value: real.prompt, unit: "CPU s", against: most },
    { name: "boot to the gate's first answer", value: real.answer, unit: "CPU s", against: floor },
    {
      name: "memory of a machine where nothing happens",
      value: usedMebibytes,
      unit: "MiB",
      against: limit(MOST_IDLE_MIB),
    },
    { name: "from /exit to power off", value: ending, unit: "CPU s", against: limit(MOST_TO_END) },
  ];
}

function runsIn(words: string): number {
  if (!/^[1-9]\d*$/.test(words)) throw new Error(`RUNS is a number from 1, not ${words}`);
  return Number(words);
}

function wanted(words: string | undefined): readonly string[] {
  const names = words === undefined || words === "" ? Object.keys(ROWS) : words.split(",");
  const unknown = names.find((name) => ROWS[name] === undefined);
  if (unknown !== undefined) throw new Error(`there are no rows ${unknown}; there are ${Object.keys(ROWS).join(", ")}`);
  return names;
}

const [runs = "3", rows] = process.argv.slice(2);
mkdirSync(BUILT, { recursive: true });
const scratch = mkdtempSync(join(BUILT, ".bench-"));
try {
  const bench = benchIn(CHECKOUT, scratch, runsIn(runs));
  const measured: Figure[] = [];
  for (const name of wanted(rows)) measured.push(...((await ROWS[name]?.(bench)) ?? []));
  const figures = writtenFigures(measured);
  writeFileSync(join(BUILT, "bench.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  process.stdout.write(drawFigures(figures));
  const broken = brokenPromises(measured);
  process.stderr.write(broken.join(""));
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
