// Measures one decision of the gate, with the JavaScript engine's compiler and without it, and with few and many tools. In the same
// run, it measures other policy engines with the same question.

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { bundleBench } from "./bundled.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { type CommandLine, readOutput } from "./measure.ts";
import { renderCedarSources } from "./peers/cedar.ts";
import { renderRegoWithData } from "./peers/rego-data.ts";
import { VERSIONS } from "./peers/versions.ts";
import { tellMissing } from "./peers.ts";

const MOST = { compiled: 0.3, jitless: 2, from: 3 } as const;
/**
 * Microseconds by which a decision among the most tools may be slower than one among the fewest. A tool is found in the
 * same number of steps among ten thousand tools as among ten. But ten tools fit into the processor's cache, and ten
 * thousand do not: a read from main memory takes 5 to 10 % of this tolerance. Rejected: a factor, because it would
 * become stricter if the decision among ten tools became faster.
 */
const FARTHER = 0.1;
const PEER_TOOLS = 1000;

interface Deciding {
  readonly plain: readonly { readonly tools: number; readonly microseconds: number }[];
  readonly where: number;
  readonly from: number;
}

export async function measureDeciding(bench: Bench): Promise<Figure[]> {
  const program = await bundleBench(bench, "deciding-program");
  const compiled = runDeciding(bench, [process.execPath, program]);
  const jitless = runDeciding(bench, [process.execPath, "--jitless", program]);
  const few = compiled.plain[0]?.microseconds ?? 0;
  return [
    ...compiled.plain.map(({ tools, microseconds }) =>
      createFigure(`a decision, ${tools} tools`, microseconds, limit(MOST.compiled)),
    ),
    createFigure(
      "the same, of the most tools",
      getLastMicroseconds(compiled),
      limit(few + FARTHER, `that of the fewest, and ${FARTHER} µs`),
    ),
    createFigure("a decision with a folder in its line", compiled.where),
    createFigure("a decision that asks whose words a path is, after 400 results", compiled.from, limit(MOST.from)),
    createFigure("a decision without a compiler", getLastMicroseconds(jitless), limit(MOST.jitless)),
    createFigure("the same with a folder in its line", jitless.where),
    ...compareToPeers(bench, getLastMicroseconds(compiled)),
  ];
}

function getLastMicroseconds({ plain }: Deciding): number {
  return plain[plain.length - 1]?.microseconds ?? 0;
}

function createFigure(name: string, value: number, against?: Figure["against"]): Figure {
  return { name, value, unit: "CPU µs", ...(against && { against }) };
}

function runDeciding({ runs, scratch }: Bench, command: CommandLine): Deciding {
  const all: Deciding[] = Array.from({ length: runs }, () => JSON.parse(readOutput(scratch, command)));
  const [first] = all;
  const plain = (first?.plain ?? []).map(({ tools }, at) => ({
    tools,
    microseconds: computeMedian(all.map((one) => one.plain[at]?.microseconds ?? 0)),
  }));
  const [where, from] = (["where", "from"] as const).map((name) => computeMedian(all.map((one) => one[name])));
  return { plain, where: where ?? 0, from: from ?? 0 };
}

/** Compares a decision of capc among ten thousand tools with decisions of other engines among a thousand tools. */
function compareToPeers(bench: Bench, own: number): Figure[] {
  const peers = join(bench.checkout, "build/peers");
  const found = [prepareCedar(bench, peers), prepareOpa(bench, peers)];
  tellMissing(found.flatMap((one) => ("missing" in one ? [one.missing] : [])));
  return found.flatMap((one) => {
    if ("missing" in one) return [];
    const value = Number(readOutput(bench.scratch, one.command));
    return [createFigure("a decision", own, { kind: "peer", name: `${one.name}, ${PEER_TOOLS} tools`, value })];
  });
}

type PeerProgram = { readonly name: string; readonly command: CommandLine } | { readonly missing: string };

function prepareCedar({ checkout, scratch }: Bench, peers: string): PeerProgram {
  const library = join(peers, "node_modules/@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js");
  if (!existsSync(library)) return { missing: "cedar-wasm" };
  const folder = writeSources(scratch, "deciding-cedar", renderCedarSources(PEER_TOOLS, 1));
  const program = join(checkout, "compiler/dev/bench/peers/deciding-cedar.ts");
  return { name: `cedar-wasm ${VERSIONS.cedar}`, command: [process.execPath, program, library, folder] };
}

function prepareOpa({ checkout, scratch }: Bench, peers: string): PeerProgram {
  const library = join(peers, "node_modules/@open-policy-agent/opa-wasm");
  const compiler = join(peers, "bin/opa");
  if (!existsSync(library) || !existsSync(compiler)) return { missing: "opa-wasm" };
  const folder = writeSources(scratch, "deciding-opa", renderRegoWithData(PEER_TOOLS, 1));
  readOutput(folder, [compiler, "build", "-t", "wasm", "-e", "policy/mode", "-o", "bundle.tar.gz", "policy.rego"]);
  readOutput(folder, ["tar", "-xzf", "bundle.tar.gz", "/policy.wasm"]);
  const program = join(checkout, "compiler/dev/bench/peers/deciding-opa.ts");
  return { name: `opa-wasm ${VERSIONS.opaWasm}`, command: [process.execPath, program, library, folder] };
}

function writeSources(scratch: string, name: string, sources: Readonly<Record<string, string>>): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(sources)) writeFileSync(join(folder, file), text);
  return folder;
}
