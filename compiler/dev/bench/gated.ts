// Measures the time that the gate adds to a call, with the Node.js flags of the image. Another figure is the number of
// disk syncs that the audit log would make for the records of the call.

import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { getRoleCommand } from "./bundled.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { readOutput } from "./measure.ts";

/** Promised maximum of CPU microseconds that the gate adds to a direct call. */
const MOST = 500;

/** CPU milliseconds of one call, and the number of syncs of its records. */
interface Gated {
  readonly milliseconds: number;
  readonly syncs: number;
}

interface Told {
  /** CPU milliseconds of the direct call of the service. */
  readonly bare: number;
  readonly reading: Gated;
  readonly changing: Gated;
}

export async function measureGated(bench: Bench): Promise<Figure[]> {
  const { runs, scratch } = bench;
  const command = await getRoleCommand("gate", bench, "gated-program");
  const all = Array.from({ length: runs }, (): Told => {
    const folder = mkdtempSync(join(scratch, "gated-"));
    return JSON.parse(readOutput(scratch, [...command, folder]));
  });
  const computeMedianOf = (part: (one: Told) => number) => computeMedian(all.map(part));
  const computeAdded = (kind: "reading" | "changing") =>
    computeMedianOf((one) => one[kind].milliseconds - one.bare) * 1000;
  const computeSyncs = (kind: "reading" | "changing") => computeMedianOf((one) => one[kind].syncs);
  return [
    { name: "a call of a service", value: computeMedianOf(({ bare }) => bare) * 1000, unit: "CPU µs" },
    {
      name: "what the gate adds to it where it only reads",
      value: computeAdded("reading"),
      unit: "CPU µs",
      against: limit(MOST),
    },
    {
      name: "and where it changes something: intent on record first",
      value: computeAdded("changing"),
      unit: "CPU µs",
      against: limit(MOST),
    },
    { name: "syncs of one that only reads, not counted in it", value: computeSyncs("reading"), unit: "times" },
    { name: "syncs of one that changes something, likewise", value: computeSyncs("changing"), unit: "times" },
  ];
}
