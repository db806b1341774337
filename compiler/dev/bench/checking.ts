// Measures `capc check` of pages of all sizes, in a separate process. Measures the installed package and the checkout.

import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { type Figure, limit } from "./figure.ts";
import { writeConditionalPage, writeDensePage, writeLargePage } from "./large-page.ts";
import { type CommandLine, measureCpuSeconds, measurePeakMebibytes } from "./measure.ts";
import { measurePeers } from "./peers.ts";

const SESSIONS = 5;
/** Promised CPU seconds of `capc check`, for pages with these numbers of tools and sessions. */
const PROMISED = [
  { tools: 10, sessions: 1, seconds: 0.25 },
  { tools: 1000, sessions: SESSIONS, seconds: 0.5 },
  { tools: 10_000, sessions: SESSIONS, seconds: 1 },
] as const;
const MEASURED_BESIDE_PEERS = 10_000;
/** The page with four conditions for each tool: its number of conditions, and the promised CPU seconds. */
const DENSE = { conditions: 10_000, seconds: 1 } as const;
/** The page on which each tool has a line with conditions: its number of tools, and the promised CPU seconds. */
const CONDITIONAL = { tools: 10_000, seconds: 2 } as const;
const MOST_MEBIBYTES = 200;
/**
 * Sizes of larger pages in tools. On these pages one tool must not cost much more CPU time than on a page with ten
 * thousand tools.
 */
const GROWING = [30_000, 100_000] as const;
/**
 * Maximum cost of one tool on a larger page, as a multiple of the cost of one tool on the page with ten thousand tools.
 * Growth is not exactly linear, because larger heaps are collected more often.
 */
const UNEVEN = 1.25;

/**
 * Measures checks of pages. The figures are for pages of the promised sizes, for each further tool of larger pages, and
 * for the same page in comparable programs, such as OPA.
 */
export async function checkFigures(bench: Bench): Promise<Figure[]> {
  const packed = await bench.packed();
  const large = writeToolPage(bench, MEASURED_BESIDE_PEERS);
  const own = measureSeconds(bench, packed, large);
  const memory = await measurePeakMebibytes(bench.checkout, checkOf(packed, large));
  const what = `the most memory at ${MEASURED_BESIDE_PEERS} tools`;
  return [
    ...measurePromised(bench, packed),
    ...(await measureConditional(bench, packed)),
    { name: what, value: memory, unit: "MiB", against: limit(MOST_MEBIBYTES) },
    ...measureGrowing(bench, packed, own / MEASURED_BESIDE_PEERS),
    ...(await measurePeers(bench, {
      tools: MEASURED_BESIDE_PEERS,
      sessions: SESSIONS,
      seconds: own,
      mebibytes: memory,
    })),
  ];
}

function measurePromised(bench: Bench, packed: string): Figure[] {
  return PROMISED.flatMap(({ tools, sessions, seconds }): Figure[] => {
    const path = writeToolPage(bench, tools, sessions);
    const against = limit(seconds);
    const name = `capc check, ${tools} tools in ${sessions} sessions`;
    return [
      { name, value: measureSeconds(bench, packed, path), unit: "CPU s", against },
      {
        name: `${name}, from the checkout`,
        value: measureSeconds(bench, bench.launcher, path),
        unit: "CPU s",
        against,
      },
    ];
  });
}

/** Measures a page with many conditions on few tools, and one on which each tool has a line with conditions. */
async function measureConditional(bench: Bench, packed: string): Promise<Figure[]> {
  const { conditions } = DENSE;
  const dense = writeDensePage(join(bench.scratch, "dense"), conditions, SESSIONS);
  const { tools } = CONDITIONAL;
  const path = writeConditionalPage(join(bench.scratch, "conditional"), tools, SESSIONS);
  const memory = await measurePeakMebibytes(bench.checkout, checkOf(packed, path));
  return [
    {
      name: `capc check, ${conditions} conditions on ${conditions / 4} tools`,
      value: measureSeconds(bench, packed, dense),
      unit: "CPU s",
      against: limit(DENSE.seconds),
    },
    {
      name: `capc check, ${tools} tools with a line of conditions each`,
      value: measureSeconds(bench, packed, path),
      unit: "CPU s",
      against: limit(CONDITIONAL.seconds),
    },
    { name: "the most memory of it", value: memory, unit: "MiB", against: limit(MOST_MEBIBYTES) },
  ];
}

/**
 * Measures pages with more tools. `each` is the CPU seconds that one tool costs on the page with ten thousand tools.
 */
function measureGrowing(bench: Bench, packed: string, each: number): Figure[] {
  const against = limit(each * UNEVEN * 1e6, `${UNEVEN} times that of ${MEASURED_BESIDE_PEERS} tools`);
  return GROWING.map((tools) => {
    const value = (measureSeconds(bench, packed, writeToolPage(bench, tools)) / tools) * 1e6;
    return { name: `each of ${tools} tools`, value, unit: "CPU µs", against };
  });
}

function writeToolPage({ scratch }: Bench, tools: number, sessions: number = SESSIONS): string {
  return writeLargePage(join(scratch, `page-${tools}`), tools, sessions);
}

function measureSeconds({ runs, checkout }: Bench, launcher: string, page: string): number {
  return measureCpuSeconds(runs, checkout, checkOf(launcher, page));
}

function checkOf(launcher: string, page: string): CommandLine {
  return [process.execPath, launcher, "check", page];
}
