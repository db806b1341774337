// make bench: measures the cost of the common steps, compared with lower bounds. It counts CPU seconds, because wall
// time differs between runs on shared machines. Each figure is the median of several runs. `make bench RUNS=1` gives a
// quick overview.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeDataDisk } from "../../machine/data-disk.ts";
import { type Bench, createBench } from "./bench.ts";
import { type BootTimes, bootTimes, measureLife } from "./boot.ts";
import { checkFigures } from "./checking.ts";
import { measureCodec } from "./codec.ts";
import { measureDeciding } from "./deciding.ts";
import { measureDifference } from "./difference.ts";
import { measureEditing } from "./editing.ts";
import { measureEncoding } from "./encoding.ts";
import { computeMedian, convertFigures, drawFigures, type Figure, findBrokenPromises, limit } from "./figure.ts";
import { measureGated } from "./gated.ts";
import { measureGenerating } from "./generating.ts";
import { buildEmptyImage } from "./image.ts";
import { interruptFigures } from "./interrupt.ts";
import { measureLedger } from "./ledger.ts";
import { measureListing } from "./listing.ts";
import { measureCpuSeconds } from "./measure.ts";
import { measureOnHost } from "./on-host.ts";
import { measurePrefilled } from "./prefilled.ts";
import { measureProving } from "./proving.ts";
import { measureReading } from "./reading.ts";
import { measureRebuilding } from "./rebuilding.ts";
import { measureReplaying } from "./replaying.ts";
import { measureCpuSecondsToQemu } from "./second-run.ts";
import { measureTrying } from "./trying.ts";
import { measureWriting } from "./writing.ts";

const CHECKOUT = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
const BUILT = join(CHECKOUT, "build");
const EXAMPLE = join(CHECKOUT, "examples/first-agent");
const PAGE = join(EXAMPLE, "system.cap");
/** Maximum CPU seconds of the second `make run-agent` until QEMU starts. */
const MOST_TO_QEMU = 3;
/** Maximum cost of a boot to the prompt, as a multiple of the cost of a boot with programs that do nothing. */
const MOST_OF_EMPTY = 1.5;
/** Maximum used memory of an idle machine in mebibytes; the machine has 512 MiB. */
const MOST_IDLE_MIB = 350;
/** Maximum CPU seconds of QEMU for a shutdown; under emulation, the work of the guest counts too. */
const MOST_TO_END = 3;
/** Maximum cost of `capc --version`, as a multiple of the cost of a Node.js process that does nothing. */
const MOST_OF_NODE = 2;

/** Rows of the benchmark, in this order; `make bench ROWS=NAME,NAME` runs some of them. */
const ROWS: Readonly<Record<string, (bench: Bench) => readonly Figure[] | Promise<readonly Figure[]>>> = {
  reading: async ({ runs }) => [await measureReading(runs)],
  commands: measureCommands,
  check: checkFigures,
  boot: bootFigures,
  codec: measureCodec,
  editing: measureEditing,
  encoding: measureEncoding,
  rebuilding: measureRebuilding,
  deciding: measureDeciding,
  difference: measureDifference,
  gated: measureGated,
  ledger: measureLedger,
  listing: measureListing,
  generating: measureGenerating,
  prefilled: measurePrefilled,
  interrupt: interruptFigures,
  onHost: measureOnHost,
  proving: measureProving,
  replaying: measureReplaying,
  trying: measureTrying,
  writing: measureWriting,
};

async function measureCommands(bench: Bench): Promise<Figure[]> {
  const { runs, checkout, scratch, launcher } = bench;
  const measureSeconds = (...command: readonly [string, ...string[]]): number =>
    measureCpuSeconds(runs, checkout, command);
  const measureCapc = (...words: string[]): number => measureSeconds(process.execPath, launcher, ...words);
  const packed = await bench.packed();
  const nothing = measureSeconds(process.execPath, "-e", "0");
  const node = { kind: "floor", name: "node that does nothing", value: nothing } as const;
  const twice = limit(nothing * MOST_OF_NODE, "twice a node that does nothing");
  // The first run fills the caches of compiled programs and root file systems. The median shows the later runs, which
  // are the usual case.
  const build = measureCapc("build", PAGE, "--out", getOutFolder(bench));
  const system = join(getOutFolder(bench), "system.iso");
  const copied = ["-c", 'cat "$0" > "$1"', system, join(scratch, "copy")];
  const megabytes = Math.round(readFileSync(system).length / 1e6);
  const copy = {
    kind: "floor",
    name: `writing ${megabytes} MB with cat`,
    value: measureSeconds("sh", ...copied),
  } as const;
  const again = computeMedian(Array.from({ length: runs }, () => measureCpuSecondsToQemu(CHECKOUT, scratch)));
  return [
    {
      name: "capc --version",
      value: measureSeconds(process.execPath, packed, "--version"),
      unit: "CPU s",
      against: twice,
    },
    { name: "capc --version, from the checkout", value: measureCapc("--version"), unit: "CPU s", against: twice },
    { name: "capc check of the example", value: measureCapc("check", PAGE), unit: "CPU s", against: node },
    { name: "capc build, nothing changed", value: build, unit: "CPU s", against: copy },
    { name: "second make run-agent, to QEMU's start", value: again, unit: "CPU s", against: limit(MOST_TO_QEMU) },
  ];
}

function getOutFolder({ scratch }: Bench): string {
  return join(scratch, "out");
}

async function measureBoots({ runs }: Bench, iso: string, scratch: string): Promise<BootTimes> {
  const all: BootTimes[] = [];
  for (let run = 0; run < runs; run++) all.push(await bootTimes(iso, makeDisk(scratch)));
  return {
    prompt: computeMedian(all.map(({ prompt }) => prompt)),
    answer: computeMedian(all.map(({ answer }) => answer)),
  };
}

function makeDisk(scratch: string): string {
  const disk = join(scratch, "data.img");
  rmSync(disk, { force: true });
  const made = makeDataDisk(disk, join(EXAMPLE, "disk"));
  if (!made.ok) throw new Error(made.reason);
  return disk;
}

async function bootFigures(bench: Bench): Promise<Figure[]> {
  const { checkout, launcher, scratch } = bench;
  measureCpuSeconds(1, checkout, [process.execPath, launcher, "build", PAGE, "--out", getOutFolder(bench)]);
  const empty = await measureBoots(bench, await buildEmptyImage(PAGE, join(scratch, "empty")), scratch);
  const real = await measureBoots(bench, join(getOutFolder(bench), "system.iso"), scratch);
  const most = limit(empty.prompt * MOST_OF_EMPTY, `${MOST_OF_EMPTY} times as many empty programs`);
  const floor = { kind: "floor", name: "as many empty programs", value: empty.answer } as const;
  const { usedMebibytes, ending } = await measureLife(join(getOutFolder(bench), "system.iso"), makeDisk(scratch));
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

function parseRuns(words: string): number {
  if (!/^[1-9]\d*$/.test(words)) throw new Error(`RUNS is a number from 1, not ${words}`);
  return Number(words);
}

function parseWanted(words: string | undefined): readonly string[] {
  const names = words === undefined || words === "" ? Object.keys(ROWS) : words.split(",");
  const unknown = names.find((name) => ROWS[name] === undefined);
  if (unknown !== undefined) throw new Error(`there are no rows ${unknown}; there are ${Object.keys(ROWS).join(", ")}`);
  return names;
}

const [runs = "3", rows] = process.argv.slice(2);
mkdirSync(BUILT, { recursive: true });
const scratch = mkdtempSync(join(BUILT, ".bench-"));
try {
  const bench = createBench(CHECKOUT, scratch, parseRuns(runs));
  const measured: Figure[] = [];
  for (const name of parseWanted(rows)) measured.push(...((await ROWS[name]?.(bench)) ?? []));
  const figures = convertFigures(measured);
  writeFileSync(join(BUILT, "bench.json"), `${JSON.stringify(figures, undefined, 2)}\n`);
  process.stdout.write(drawFigures(figures));
  const broken = findBrokenPromises(measured);
  process.stderr.write(broken.join(""));
  if (broken.length > 0) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
