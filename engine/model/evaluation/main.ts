// How good a model is at its work here: `main.ts --weights FILE [--sets seen,unseen] [--every N] [--json] [--answers FILE]`.

import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { LOOKED_AT, SETS } from "./cases.ts";
import { type Measured, measured, type Share } from "./measuring.ts";
import { openWeights } from "./weights.ts";

const { values } = parseArgs({
  options: {
    weights: { type: "string", default: "" },
    sets: { type: "string", default: SETS.join(",") },
    every: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
    /** Each case and its answer, one JSON line for each. */
    answers: { type: "string" },
  },
});

const percent = ({ right, low, high }: Share): string =>
  `${(right * 100).toFixed(1)} (${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)})`;

function line({ set, cases, name, full, cpuSeconds, errors }: Measured): string {
  const told = Object.entries(errors).map(([error, count]) => `${count} ${error}`);
  return `| ${set} | ${cases} | ${percent(name)} | ${percent(full)} | ${cpuSeconds.toFixed(2)} | ${told.join(", ")} |\n`;
}

const folder = mkdtempSync(join(tmpdir(), "capos-evaluation-"));
try {
  const decoder = await openWeights(values.weights, folder);
  const results: Measured[] = [];
  const wanted = values.sets.split(",");
  if (!values.json)
    process.stdout.write(
      "| set | cases | name % | and all of it % | CPU s a case | errors |\n|---|--:|--:|--:|--:|---|\n",
    );
  for (const set of [...SETS, LOOKED_AT].filter((each) => wanted.includes(each))) {
    const result = await measured(decoder, set, Number(values.every), (asked, answer, error) => {
      if (values.answers === undefined) return;
      const { messages, wanted: right } = asked;
      const told = { set, messages: messages.map(({ content }) => content), right, answer, error };
      appendFileSync(values.answers, `${JSON.stringify(told)}\n`);
    });
    results.push(result);
    if (!values.json) process.stdout.write(line(result));
  }
  if (values.json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true });
}
