import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { computeScore, type Mutant } from "./report.ts";

/**
 * File with the score of the last run of each scope. Each run writes its own score, unless it measured only a sample.
 */
const SCORES = "compiler/dev/stryker/scores.json";

interface Score {
  readonly noticed: number;
  readonly of: number;
  /** Score in percent, with one decimal. */
  readonly score: string;
  /**
   * SHA-256 of the TypeScript files below the scope, tests included. The digest shows whether the score belongs to the present
   * code.
   */
  readonly sources: string;
}

/** Stores the score of a run beside the scores of other scopes. */
export function keepScore(scope: string, mutants: readonly Mutant[]): void {
  const known: Readonly<Record<string, Score>> = existsSync(SCORES) ? JSON.parse(readFileSync(SCORES, "utf8")) : {};
  const noticed = mutants.filter((mutant) => mutant.noticed).length;
  const score: Score = {
    noticed,
    of: mutants.length,
    score: computeScore(mutants).toFixed(1),
    sources: digestOf(scope.split(",")),
  };
  const all = Object.entries({ ...known, [scope]: score }).sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(SCORES, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}

function digestOf(folders: readonly string[]): string {
  const hash = createHash("sha256");
  for (const path of folders.flatMap((folder) => globSync(`${folder}/**/*.ts`)).sort()) {
    hash.update(`${path}\0`).update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}
