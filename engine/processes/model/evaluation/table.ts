// Renders figures as tables: of one model by sets, and of several models side by side.

import type { Measured, Share } from "./measuring.ts";

const formatPercent = ({ right, low, high }: Share): string =>
  `${(right * 100).toFixed(1)} (${(low * 100).toFixed(0)}–${(high * 100).toFixed(0)})`;

export const HEAD = "| set | cases | name % | and all of it % | CPU s a case | errors |\n|---|--:|--:|--:|--:|---|\n";

export function renderRow({ set, cases, name, full, cpuSeconds, errors }: Measured): string {
  const told = Object.entries(errors).map(([error, count]) => `${count} ${error}`);
  return `| ${set} | ${cases} | ${formatPercent(name)} | ${formatPercent(full)} | ${cpuSeconds.toFixed(2)} | ${told.join(", ")} |\n`;
}

export interface Model {
  readonly name: string;
  readonly megabytes: number;
  readonly results: readonly Measured[];
}

/** Sets of cases whose right answers are text. Such an answer calls no tool, so the name of a tool is not judged. */
const OF_WORDS = ["none", "irrelevance", "result"];

/**
 * Renders a row for each set and a column for each model. A cell has the percentage of answers with the right name, and
 * of those with right arguments too, each with its interval. The number of cases follows.
 */
export function renderComparison(models: readonly Model[]): string {
  const sets = [...new Set(models.flatMap(({ results }) => results.map(({ set }) => set)))];
  const renderLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |\n`;
  return [
    renderLine(["%", ...models.map(({ name, megabytes }) => `${name}, ${megabytes.toFixed(0)} MB`)]),
    renderLine(["---", ...models.map(() => "--:")]),
    ...sets.map((set) =>
      renderLine([set, ...models.map(({ results }) => renderCell(results.find((each) => each.set === set)))]),
    ),
    renderLine(["CPU s a case", ...models.map(({ results }) => computeMeanSeconds(results).toFixed(2))]),
  ].join("");
}

function renderCell(result: Measured | undefined): string {
  if (result === undefined) return "–";
  const { set, cases, name, full } = result;
  return `${OF_WORDS.includes(set) ? formatPercent(full) : `${formatPercent(name)}, ${formatPercent(full)}`}, n ${cases}`;
}

function computeMeanSeconds(results: readonly Measured[]): number {
  const cases = results.reduce((sum, each) => sum + each.cases, 0);
  return results.reduce((sum, each) => sum + each.cpuSeconds * each.cases, 0) / Math.max(1, cases);
}
