// Measures how long the checkers of other policy languages take for the same ten thousand tools. The tools are written in the usual
// form of each language. Tools have a category, sessions have a mode for each category and rules about single tools. Peers that are
// not installed are named and skipped.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import type { Figure } from "./figure.ts";
import { type CommandLine, measureCpuSeconds, measurePeakMebibytes } from "./measure.ts";
import { PEERS, type Peer } from "./peers/peer.ts";

/** Cost of capc for a page with the same tools and sessions as the sources of the peers. */
interface OwnCost {
  readonly tools: number;
  readonly sessions: number;
  readonly seconds: number;
  readonly mebibytes: number;
}

/** Measures each installed peer. */
export async function measurePeers(bench: Bench, own: OwnCost): Promise<Figure[]> {
  const figures: Figure[] = [];
  const missing: string[] = [];
  for (const peer of PEERS) {
    const command = peer.command(join(bench.checkout, "build/peers"));
    if (command === undefined) missing.push(peer.name);
    else figures.push(...(await compareToPeer(bench, own, peer, command)));
  }
  tellMissing(missing);
  return figures;
}

/** Prints to standard error which peers are not installed. */
export function tellMissing(names: readonly string[]): void {
  if (names.length > 0) process.stderr.write(`not installed, and left out: ${names.join(", ")} (make bench-peers)\n`);
}

async function compareToPeer(bench: Bench, own: OwnCost, peer: Peer, command: CommandLine): Promise<Figure[]> {
  const folder = join(bench.scratch, peer.name);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(peer.sources(own.tools, own.sessions)))
    writeFileSync(join(folder, name), text);
  const name = `${peer.name} ${peer.version}`;
  const seconds = { kind: "peer", name, value: measureCpuSeconds(bench.runs, folder, command) } as const;
  const mebibytes = { kind: "peer", name, value: await measurePeakMebibytes(folder, command) } as const;
  const what = `${own.tools} tools in ${own.sessions} sessions`;
  return [
    { name: `capc check, ${what}`, value: own.seconds, unit: "CPU s", against: seconds },
    { name: "the most memory of it", value: own.mebibytes, unit: "MiB", against: mebibytes },
  ];
}
