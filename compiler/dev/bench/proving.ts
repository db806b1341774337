// Measures the laws and the proofs of large pages, with every assertion of the standard library.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { listServices, writeLargePage } from "./large-page.ts";
import { readOutput } from "./measure.ts";

const TOOLS = 10_000;
const FEW = { sessions: 5, seconds: 0.5 } as const;
/**
 * The larger page: its size, and the promised time and memory. Its four compartments make sixteen labels, and every
 * session reaches each label.
 */
const MANY = { sessions: 50, seconds: 5, mebibytes: 500, compartments: ["a", "b", "c", "d"] } as const;

interface Proving {
  readonly seconds: number;
  readonly mebibytes: number;
  readonly cells: number;
  readonly labels: number;
}

export function measureProving(bench: Bench): Figure[] {
  const few = runProving(bench, writeLargePage(join(bench.scratch, "proving"), TOOLS, FEW.sessions));
  const many = runProving(bench, writeLabelledPage(join(bench.scratch, "proving-labels"), TOOLS, MANY.sessions));
  const what = `${many.cells} cells, ${many.labels} labels`;
  return [
    { name: `laws and proofs of ${few.cells} cells`, value: few.seconds, unit: "CPU s", against: limit(FEW.seconds) },
    { name: `laws and proofs of ${what}`, value: many.seconds, unit: "CPU s", against: limit(MANY.seconds) },
    { name: "the most memory of it", value: many.mebibytes, unit: "MiB", against: limit(MANY.mebibytes) },
  ];
}

function runProving({ runs, checkout, scratch }: Bench, page: string): Proving {
  const program = join(checkout, "compiler/dev/bench/proving-program.ts");
  const all = Array.from(
    { length: runs },
    (): Proving => JSON.parse(readOutput(scratch, [process.execPath, program, page])),
  );
  const [first] = all;
  if (first === undefined) throw new Error("nothing was measured");
  const computeMedianOf = (figure: (one: Proving) => number) => computeMedian(all.map(figure));
  return {
    ...first,
    seconds: computeMedianOf(({ seconds }) => seconds),
    mebibytes: computeMedianOf(({ mebibytes }) => mebibytes),
  };
}

/**
 * Writes a page on which the data of each service is in one compartment; every combination of compartments is allowed.
 */
function writeLabelledPage(folder: string, tools: number, sessions: number): string {
  mkdirSync(folder, { recursive: true });
  const { compartments } = MANY;
  const services = listServices(tools).map((name, index) => {
    return `  service ${name} : Files { label public:{${compartments[index % compartments.length]}}/reviewed  state 4 KiB }\n`;
  });
  const opened = Array.from({ length: sessions }, (_, session) => {
    return `  session session${session} {
    kind operator
    clearance public:{${compartments.join(", ")}}
    models { auto canned }
    permit { auto readOnly  consent mutatingLocal  forbidden destructive }
    quota { ${session + 1} calls per turn }
  }\n`;
  });
  const page = join(folder, "system.cap");
  writeFileSync(
    page,
    `system labelled version "1.0.0" {
  use std.tools
  compartments { ${compartments.join(", ")} }
  backend canned { stub  clearance public:{${compartments.join(", ")}} }
${services.join("")}${opened.join("")}
  storage { disk "capos-data" }
  image { target linux  machine vm  boot session0 }
}
`,
  );
  return page;
}
