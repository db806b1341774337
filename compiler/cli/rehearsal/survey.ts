// Prints the results of the mutants of a page, in words and as JSON.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import { formatRowPath } from "../../phases/policy/index.ts";
import { isNoticed, type MutantVerdict, surveyMutants } from "../../queries/mutants/index.ts";
import { type PageCompiled, requireLawful } from "../page.ts";
import type { Golden } from "./golden.ts";

/** The mutants of a page whose tests pass, with what detects each. `golden` is the path of the accepted decisions. */
export interface Survey {
  readonly judged: readonly MutantVerdict[];
  /** Number of mutants that a test or the accepted decisions would detect. */
  readonly noticed: number;
  /** Detected mutants in whole percent, rounded down; 100 without mutants. */
  readonly percent: number;
  readonly golden: string | undefined;
  readonly page: PageCompiled;
}

/** Tests each mutant; the accepted decisions in `golden` may detect it too. */
export function runSurvey(page: PageCompiled, golden: Golden | undefined): Survey {
  const { policy, origins, model } = requireLawful(page.compiled);
  const judged = surveyMutants(policy, origins, model, { golden: golden !== undefined });
  const noticed = judged.filter(isNoticed).length;
  const percent = judged.length === 0 ? 100 : Math.floor((noticed * 100) / judged.length);
  return { judged, noticed, percent, golden: golden?.file, page };
}

/** Returns one line for each mutant, undetected ones last, and the totals. */
export function renderSurvey(found: Survey): string {
  const { judged, noticed, percent } = found;
  const isSurvivor = (each: MutantVerdict) => !isNoticed(each);
  return [
    ...judged
      .filter(isNoticed)
      .map((each) => `noticed   ${describeMutant(found, each)}: ${describeGuards(found, each)}`),
    ...judged.filter(isSurvivor).map((each) => `SURVIVED  ${describeMutant(found, each)}`),
    `${noticed} of ${judged.length} mutants noticed (${percent} %)\n`,
  ].join("\n");
}

function describeMutant({ page }: Survey, { mutant }: MutantVerdict): string {
  const { line, change } = mutant;
  const tools = shortenList(listTools(page, mutant));
  const where = shortenList(listPlaces(page, mutant));
  const place = placeOf(page.view.span(line.span));
  return escapeInvisible(`${place} ${line.words} -> ${change} in ${where}${tools === "" ? "" : ` (${tools})`}`);
}

function describeGuards({ golden }: Survey, { tests, proofs, golden: differs }: MutantVerdict): string {
  const guards = [shortenList(tests.map((title) => `"${title}"`)), shortenList(proofs), differs ? (golden ?? "") : ""];
  return escapeInvisible(guards.filter((word) => word !== "").join(", "));
}

/** Returns the first word of a list and the number of all others, such as `a and 2 more`. */
function shortenList([first, ...more]: readonly string[]): string {
  if (first === undefined) return "";
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** Returns a value for `JSON.stringify` in the form that `capc schema test` describes as `mutation`. */
export function convertSurveyToJson({ judged, noticed, percent, golden, page }: Survey): object {
  const mutants = judged.map(({ mutant, tests, proofs, golden: differs }) => {
    const { kind, change, line } = mutant;
    const span = page.view.span(line.span);
    const at = span.source.position(span.start);
    const where = { file: span.source.path, line: at.line, column: at.column };
    const [places, tools] = [listPlaces(page, mutant), listTools(page, mutant)];
    return { kind, change, words: line.words, ...where, places, tools, tests, proofs, golden: differs };
  });
  return { noticed, survived: judged.length - noticed, percent, golden: golden ?? null, mutants };
}

/** Returns the names of the places that a mutant concerns, such as `operator` or `operator.triage.look`. */
function listPlaces({ compiled }: PageCompiled, { rows }: MutantVerdict["mutant"]): string[] {
  const all = requireLawful(compiled).policy.tables.rows;
  return rows.flatMap((index) => all.slice(index, index + 1)).map(formatRowPath);
}

/** Returns the names of the tools that a mutant concerns; empty if the mutant does not concern particular tools. */
function listTools({ compiled }: PageCompiled, { tools, reach }: MutantVerdict["mutant"]): string[] {
  const all = requireLawful(compiled).policy.tables.tools;
  return reach === "conversations" ? [] : tools.flatMap((index) => all[index]?.name ?? []);
}
