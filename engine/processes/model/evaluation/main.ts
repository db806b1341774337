// Measures how well a model does its work here: `main.ts --weights FILE|--needle FOLDER [--sets seen,unseen] [--bfcl FOLDER] [--every N]
// [--json] [--answers FILE]`. With `--bfcl` it measures BFCL's sets as well.

import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Answerer, createAnswerer, startNeedle } from "./answerer.ts";
import { BFCL_SETS, readBfclCases } from "./bfcl.ts";
import { type Case, createCases, LOOKED_AT, SETS } from "./cases.ts";
import { type Measured, measureSet } from "./measuring.ts";
import { HEAD, renderRow } from "./table.ts";
import { openWeights } from "./weights.ts";

const { values } = parseArgs({
  options: {
    weights: { type: "string", default: "" },
    needle: { type: "string" },
    bfcl: { type: "string" },
    sets: { type: "string", default: [...SETS, ...BFCL_SETS].join(",") },
    every: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    /** File for the cases and their answers, one JSON line each. */
    answers: { type: "string" },
  },
});

/** Returns the sets by name, in the order in which they are measured, with those of BFCL if present. */
function selectSets(): readonly (readonly [name: string, cases: () => readonly Case[]])[] {
  const { bfcl } = values;
  const wanted = values.sets.split(",");
  const own = [...SETS, ...LOOKED_AT].map((set) => [set, () => createCases(set)] as const);
  const foreign =
    bfcl === undefined ? [] : BFCL_SETS.map((set) => [set, () => readBfclCases(set, bfcl).cases] as const);
  return [...own, ...foreign].filter(([name]) => wanted.includes(name));
}

function tell(set: string, asked: Case, answer: unknown, error: string | undefined): void {
  if (values.answers === undefined) return;
  const told = { set, messages: asked.messages.map(({ content }) => content), right: asked.wanted, answer, error };
  appendFileSync(values.answers, `${JSON.stringify(told)}\n`);
}

const folder = mkdtempSync(join(tmpdir(), "capos-evaluation-"));
let answerer: Answerer | undefined;
try {
  answerer =
    values.needle === undefined
      ? createAnswerer(await openWeights(values.weights, folder))
      : startNeedle(values.needle);
  const results: Measured[] = [];
  if (!values.json) process.stdout.write(HEAD);
  for (const [set, made] of selectSets()) {
    const cases = made().filter((_, index) => index % Number(values.every) === 0);
    const result = await measureSet(answerer, set, cases, (asked, answer, error) => tell(set, asked, answer, error));
    results.push(result);
    if (!values.json) process.stdout.write(renderRow(result));
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
} finally {
  answerer?.close();
  rmSync(folder, { recursive: true });
}
