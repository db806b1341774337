// Measures the ledger of tasks over its real connection, with its file on the disk and the Node.js flags of an image.
// For comparison it measures steps of two durable workflow engines: openworkflow with SQLite, and DBOS with PostgreSQL.
// These two run in Node.js without the flags.

import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { bundleBench, getRoleCommand } from "./bundled.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";
import { VERSIONS } from "./peers/versions.ts";
import { tellMissing } from "./peers.ts";

/**
 * Promised maxima in CPU microseconds for the ledger of tasks. In a CPU second, eight connections to it make 15,000
 * calls or 5,000 steps, and one connection makes 4,500 calls or 1,500 steps.
 */
const MOST = { eight: { call: 1e6 / 15_000, step: 1e6 / 5000 }, one: { call: 1e6 / 4500, step: 1e6 / 1500 } } as const;

type Told = { readonly [K in keyof typeof MOST]: { readonly call: number; readonly step: number } };

/** The workflow engines to compare with: the folder of each library, and the program that measures it. */
const ENGINES = [
  { name: `openworkflow ${VERSIONS.openworkflow}`, library: "openworkflow", program: "steps-openworkflow" },
  { name: `DBOS ${VERSIONS.dbos}`, library: "@dbos-inc/dbos-sdk", program: "steps-dbos" },
] as const;

export async function measureLedger(bench: Bench): Promise<Figure[]> {
  const { runs, scratch } = bench;
  const server = await bundleBench(bench, "ledger-server");
  const command = await getRoleCommand("conversations", bench, "ledger-program");
  const all = Array.from({ length: runs }, (): Told => {
    const folder = mkdtempSync(join(scratch, "ledger-"));
    return JSON.parse(readOutput(scratch, [...command, server, folder]));
  });
  const createFigure = (name: string, flight: keyof Told, part: "call" | "step"): Figure => ({
    name,
    value: computeMedian(all.map((told) => told[flight][part])),
    unit: "CPU µs",
    against: limit(MOST[flight][part]),
  });
  return [
    createFigure("an acknowledged call of the ledger, eight in flight", "eight", "call"),
    createFigure("the same, one in flight", "one", "call"),
    createFigure("a step of a task, eight in flight: both processes", "eight", "step"),
    createFigure("the same, one in flight", "one", "step"),
    ...measureEngines(bench, computeMedian(all.map(({ eight }) => eight.step))),
  ];
}

/** Measures one step in each workflow engine that is installed, while eight workflows run at once. */
function measureEngines({ checkout, runs, scratch }: Bench, own: number): readonly Figure[] {
  const isInstalled = ({ library }: (typeof ENGINES)[number]) => existsSync(locate(library));
  const locate = (library: string) => join(checkout, "build/peers/node_modules", library);
  tellMissing(ENGINES.filter((engine) => !isInstalled(engine)).map(({ name }) => name));
  return ENGINES.filter(isInstalled).map(({ name, library, program }) => {
    const measured = Array.from({ length: runs }, () => {
      // PostgreSQL runs as another user in a folder below `folder`, so that user must be able to enter `folder`.
      const folder = mkdtempSync(join(tmpdir(), "capc-bench-"));
      chmodSync(folder, 0o755);
      const source = join(checkout, `compiler/dev/bench/peers/${program}.ts`);
      try {
        return Number(readOutput(scratch, [process.execPath, source, locate(library), folder]));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
    const peer = { kind: "peer", name, value: computeMedian(measured) } as const;
    return { name: "a step of a task, beside another engine", value: own, unit: "CPU µs", against: peer };
  });
}
