// What became of the mutants of a page, in words and as JSON.

import { visible } from "../../../lang/diagnostics/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import { rowPath } from "../../phases/policy/index.ts";
import { isNoticed, type Judged, surveyMutants } from "../../queries/mutants/index.ts";
import { lawful, type PageCompiled } from "../page.ts";
import type { Golden } from "./golden.ts";

/** The mutants of a page whose tests hold, with places as they are reached from where the person is. */
export interface Survey {
  readonly judged: readonly Judged[];
  /** How many of them somebody would notice. */
  readonly noticed: number;
  /** The same in whole percent, rounded down; of no mutants 100. */
  readonly percent: number;
  readonly golden: string | undefined;
  readonly page: PageCompiled;
}

/** Tries each mutant; `golden` is one more that may notice. */
export function survey(page: PageCompiled, golden: Golden | undefined): Survey {
  const { policy, origins, model } = lawful(page.compiled);
  const judged = surveyMutants(policy, origins, model, { golden: golden !== undefined });
  const noticed = judged.filter(isNoticed).length;
  const percent = judged.length === 0 ? 100 : Math.floor((noticed * 100) / judged.length);
  return { judged, noticed, percent, golden: golden?.file, page };
}

/** A line for each mutant, those that nobody would notice last, and how many there are. */
export function surveyText(found: Survey): string {
  const { judged, noticed, percent } = found;
  const isSurvivor = (each: Judged) => !isNoticed(each);
  return [
    ...judged.filter(isNoticed).map((each) => `noticed   ${wordsOf(found, each)}: ${guardsOf(found, each)}`),
    ...judged.filter(isSurvivor).map((each) => `SURVIVED  ${wordsOf(found, each)}`),
    `${noticed} of ${judged.length} mutants noticed (${percent} %)\n`,
  ].join("\n");
}

function wordsOf({ page }: Survey, { mutant }: Judged): string {
  const { line, change } = mutant;
  const tools = shortened(toolsOf(page, mutant));
  const where = shortened(placesOf(page, mutant));
  const place = placeOf(page.view.span(line.span));
  return visible(`${place} ${line.words} -> ${change} in ${where}${tools === "" ? "" : ` (${tools})`}`);
}

function guardsOf({ golden }: Survey, { tests, proofs, golden: differs }: Judged): string {
  const guards = [shortened(tests.map((title) => `"${title}"`)), shortened(proofs), differs ? (golden ?? "") : ""];
  return visible(guards.filter((word) => word !== "").join(", "));
}

/** The first, and how many there are beside it. */
function shortened([first, ...more]: readonly string[]): string {
  if (first === undefined) return "";
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** For `JSON.stringify`: what `capc schema test` describes as `mutation`. */
export function surveyAsJson({ judged, noticed, percent, golden, page }: Survey): object {
  const mutants = judged.map(({ mutant, tests, proofs, golden: differs }) => {
    const { kind, change, line } = mutant;
    const span = page.view.span(line.span);
    const at = span.source.position(span.start);
    const where = { file: span.source.path, line: at.line, column: at.column };
    const [places, tools] = [placesOf(page, mutant), toolsOf(page, mutant)];
    return { kind, change, words: line.words, ...where, places, tools, tests, proofs, golden: differs };
  });
  return { noticed, survived: judged.length - noticed, percent, golden: golden ?? null, mutants };
}

/** `operator`, `operator.triage.look` */
function placesOf({ compiled }: PageCompiled, { rows }: Judged["mutant"]): string[] {
  const all = lawful(compiled).policy.tables.rows;
  return rows.flatMap((index) => all.slice(index, index + 1)).map(rowPath);
}

/** None where the mutant is not about single tools. */
function toolsOf({ compiled }: PageCompiled, { tools, reach }: Judged["mutant"]): string[] {
  const all = lawful(compiled).policy.tables.tools;
  return reach === "conversations" ? [] : tools.flatMap((index) => all[index]?.name ?? []);
}
