// Measures the cost of a keystroke in an editor, from the change to all findings of `capc check` and `capc lint`. Also
// measures the cost of one completion. One page has 5,000 lines as people write them, mostly tests. The other page has
// 5,000 lines that declare services.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { computeMedian, type Figure, limit } from "./figure.ts";
import { listServices, writeLargePage } from "./large-page.ts";
import { measureCpuSeconds, readOutput } from "./measure.ts";

const LINES = 5000;
const SESSIONS = 5;
const USUAL_TOOLS = 1000;
/** Number of tools of the dense page. Each service is one line, and each session names a tenth of the services. */
const DENSE_TOOLS = 13_000;
/** Promised maximum CPU seconds until the findings after an edit, and until a completion. */
const MOST = { findings: 0.1, completion: 0.03 } as const;

interface Typed {
  readonly findings: number;
  /** CPU seconds until the findings, for an edit that makes a syntax error. */
  readonly broken: number;
  readonly completion: number;
}

export async function measureEditing(bench: Bench): Promise<Figure[]> {
  const usual = writePage(bench, "editing", USUAL_TOOLS);
  const typed = measureTyping(bench, usual);
  const dense = writePage(bench, "editing-dense", DENSE_TOOLS);
  const many = measureTyping(bench, dense);
  const check = [process.execPath, await bench.packed(), "check", dense] as const;
  const whole = measureCpuSeconds(bench.runs, bench.checkout, check);
  const of = `${LINES} lines, ${USUAL_TOOLS} tools`;
  const ofMany = `${LINES} lines, ${DENSE_TOOLS} tools`;
  return [
    { name: `findings after a keystroke, ${of}`, value: typed.findings, unit: "CPU s", against: limit(MOST.findings) },
    { name: `the same of a syntax error, ${of}`, value: typed.broken, unit: "CPU s", against: limit(MOST.findings) },
    { name: `a completion, ${of}`, value: typed.completion, unit: "CPU s", against: limit(MOST.completion) },
    {
      name: `findings after a keystroke, ${ofMany}`,
      value: many.findings,
      unit: "CPU s",
      against: { kind: "peer", name: "capc check of it", value: whole },
    },
    { name: `a completion, ${ofMany}`, value: many.completion, unit: "CPU s", against: limit(MOST.completion) },
  ];
}

function measureTyping({ runs, checkout, scratch }: Bench, page: string): Typed {
  const program = join(checkout, "compiler/dev/bench/editing-program.ts");
  const command = [process.execPath, program, page, "consent s30.write"] as const;
  const all = Array.from({ length: runs }, (): Typed => JSON.parse(readOutput(scratch, command)));
  const of = (figure: (one: Typed) => number): number => computeMedian(all.map(figure)) / 1000;
  return {
    findings: of(({ findings }) => findings),
    broken: of(({ broken }) => broken),
    completion: of(({ completion }) => completion),
  };
}

/** Writes the whole page into one file, and adds tests until the file has `LINES` lines. */
function writePage({ scratch }: Bench, name: string, tools: number): string {
  const folder = join(scratch, name);
  mkdirSync(folder, { recursive: true });
  const path = writeLargePage(folder, tools, SESSIONS);
  const services = readFileSync(join(folder, "services-0.cap"), "utf8").replace(/^/gm, "  ");
  const whole = readFileSync(path, "utf8").replace('  use "./services-0.cap"\n', services);
  const tests = renderTests(tools, LINES - whole.split("\n").length);
  writeFileSync(path, whole.replace("  storage {", `${tests}  storage {`));
  return path;
}

function renderTests(tools: number, lines: number): string {
  const services = listServices(tools);
  const count = Math.max(0, Math.floor(lines / LINES_OF_A_TEST));
  return Array.from({ length: count }, (_, index) => {
    const service = services[index % services.length];
    return `  test "of ${service}, ${index}" {
    as session${index % SESSIONS}
    call ${service}.read { path: "notes/${index}" } expect auto
    call ${service}.delete { path: "notes/${index}" } expect refusedByPolicy
  }
`;
  }).join("");
}

const LINES_OF_A_TEST = 5;
