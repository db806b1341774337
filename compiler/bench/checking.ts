// `capc check` of pages of all sizes, as a process of its own: the package, as people install it, and the checkout.

import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Figure } from "./figure.ts";
import { writeLargePage } from "./large-page.ts";
import { type CommandLine, cpuSecondsOf, mostMegabytesOf } from "./measure.ts";
import { peerFigures } from "./peers.ts";

const SESSIONS = 5;
/** CPU seconds that are promised, by the number of tools. */
const PROMISED = [
  { tools: 10, sessions: 1, seconds: 0.25 },
  { tools: 1000, sessions: SESSIONS, seconds: 0.5 },
  { tools: 10_000, sessions: SESSIONS, seconds: 1 },
] as const;
const MEASURED_BESIDE_PEERS = 10_000;
const MOST_MEGABYTES = 200;
/** Of ten thousand tools each costs what one of these does, and not more the more there are. */
const GROWING = [30_000, 100_000] as const;
/** What is linear is not so to the last hundredth: larger heaps are collected more often. */
const UNEVEN = 1.25;

export async function checkFigures(bench: Bench): Promise<Figure[]> {
  const page = (tools: number, sessions: number = SESSIONS): string =>
    writeLargePage(join(bench.scratch, `page-${tools}`), tools, sessions);
  const check = (launcher: string, path: string): CommandLine => [process.execPath, launcher, "check", path];
  const seconds = (launcher: string, path: string): number =>
    cpuSecondsOf(bench.runs, bench.checkout, check(launcher, path));
  const packed = await bench.packed();
  const promised = PROMISED.flatMap(({ tools, sessions, seconds: most }): Figure[] => {
    const path = page(tools, sessions);
    const against = limit("what is promised", most);
    const name = `capc check, ${tools} tools in ${sessions} sessions`;
    return [
      { name, value: seconds(packed, path), unit: "CPU s", against },
      { name: `${name}, from the checkout`, value: seconds(bench.launcher, path), unit: "CPU s", against },
    ];
  });
  const large = page(MEASURED_BESIDE_PEERS);
  const own = seconds(packed, large);
  const memory = await mostMegabytesOf(bench.checkout, check(packed, large));
  const perTool = (tools: number, all: number): number => (all / tools) * 1e6;
  const each = perTool(MEASURED_BESIDE_PEERS, own);
  return [
    ...promised,
    {
      name: `the most memory at ${MEASURED_BESIDE_PEERS} tools`,
      value: memory,
      unit: "MiB",
      against: limit("what is promised", MOST_MEGABYTES),
    },
    ...GROWING.map((tools): Figure => {
      const value = perTool(tools, seconds(packed, page(tools)));
      const against = limit(`${UNEVEN} times that of ${MEASURED_BESIDE_PEERS} tools`, each * UNEVEN);
      return { name: `each of ${tools} tools`, value, unit: "CPU µs", against };
    }),
    ...(await peerFigures(bench, {
      tools: MEASURED_BESIDE_PEERS,
      sessions: SESSIONS,
      seconds: own,
      megabytes: memory,
    })),
  ];
}

function limit(name: string, value: number): Figure["against"] & object {
  return { kind: "limit", name, value };
}
