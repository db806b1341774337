import { readFileSync } from "node:fs";
import { isDrawn } from "./sample.ts";

/** A mutant of the code: its change, and whether a test detected it. */
export interface Mutant {
  readonly noticed: boolean;
  /** Place of the change, `path:line:column`, counted from 1. */
  readonly place: string;
  /** Original and changed text in one line, truncated if it is long. */
  readonly change: string;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** The fields of Stryker's report that this file reads; the schema of the report has more fields. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Reported[] }>>;
}

interface Reported {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/**
 * Whether a mutant with a status of Stryker counts as detected. A mutant that never ended counts as detected, because a
 * test that does not end does not pass.
 */
const VERDICTS: ReadonlyMap<string, boolean> = new Map([
  ["Killed", true],
  ["Timeout", true],
  ["Survived", false],
  ["NoCoverage", false],
]);

/** Returns the tested mutants, without mutants that were skipped, were not in the sample, or did not run. */
export function readMutants(report: string): Mutant[] {
  const { files } = JSON.parse(readFileSync(report, "utf8")) as Report;
  return Object.entries(files).flatMap(([path, { source, mutants }]) =>
    mutants.flatMap((mutant) => {
      const noticed = VERDICTS.get(mutant.status);
      if (noticed === undefined || !isDrawn(path, mutant)) return [];
      const { start } = mutant.location;
      return [{ noticed, place: `${path}:${start.line}:${start.column}`, change: changeOf(source, mutant) }];
    }),
  );
}

function changeOf(source: string, { location: { start, end }, replacement }: Reported): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const before = [...lines.slice(0, -1), lines.at(-1)?.slice(0, end.column - 1)].join("\n").slice(start.column - 1);
  return `${joinLines(before)} → ${joinLines(replacement)}`;
}

/** Maximum length of displayed code. It is long enough to distinguish a change from others nearby. */
const SHOWN = 90;

function joinLines(code: string): string {
  const line = code.replace(/\s+/g, " ");
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}

/** Returns the score in percent; without mutants it is 0, so that a missing folder does not pass. */
export function computeScore(mutants: readonly Mutant[]): number {
  const noticed = mutants.filter((mutant) => mutant.noticed).length;
  return mutants.length === 0 ? 0 : (100 * noticed) / mutants.length;
}

/** Returns the 95 % confidence interval (Wilson's) of the score of all mutants, in percent, given this sample of them. */
export function computeRange(mutants: readonly Mutant[]): readonly [number, number] {
  const [of, z] = [mutants.length, 1.96];
  const share = computeScore(mutants) / 100;
  const middle = share + z ** 2 / (2 * of);
  const half = z * Math.sqrt((share * (1 - share) + z ** 2 / (4 * of)) / of);
  const whole = 1 + z ** 2 / of;
  return [(100 * (middle - half)) / whole, (100 * (middle + half)) / whole];
}
