// Measures `capc diff` of two large pages. In each session, the first page has the line `consent mutatingLocal`. The
// second page has `auto mutatingLocal where path under "/tmp" else consent` instead.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { writeLargePage } from "./large-page.ts";
import { measureCpuSeconds } from "./measure.ts";

const TOOLS = 10_000;
const SESSIONS = 5;
/** Promised CPU seconds of one `capc diff`. */
const PROMISED = 2;

export async function measureDifference(bench: Bench): Promise<Figure[]> {
  const before = writeLargePage(join(bench.scratch, "difference-before"), TOOLS, SESSIONS);
  const after = writeLargePage(join(bench.scratch, "difference-after"), TOOLS, SESSIONS);
  const text = readFileSync(after, "utf8");
  const changed = text
    .replaceAll("consent   mutatingLocal", 'auto      mutatingLocal where path under "/tmp" else consent')
    .replace("40 calls per turn", "50 calls per turn");
  if (changed === text) throw new Error("the two pages are the same");
  writeFileSync(after, changed);
  const launcher = await bench.packed();
  const value = measureCpuSeconds(bench.runs, bench.checkout, [process.execPath, launcher, "diff", before, after]);
  const name = `capc diff, two pages of ${TOOLS} tools in ${SESSIONS} sessions`;
  return [{ name, value, unit: "CPU s", against: limit(PROMISED) }];
}
