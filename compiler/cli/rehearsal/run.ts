// Prints the results of the tests of a page, in words and as JSON.

import { type Diagnostic, escapeInvisible, reportOf } from "../../../lang/diagnostics/index.ts";
import { quoteShellWord } from "../../host/shell-word.ts";
import type { World } from "../../host/world.ts";
import { type Coverage, type CoveredRule, runTests, type TestRun } from "../../queries/page-tests/index.ts";
import type { ParsedArguments } from "../command.ts";
import { type PageCompiled, requireLawful } from "../page.ts";
import { tellFindings } from "../render-findings.ts";
import { renderCoverage } from "./coverage.ts";
import { type Golden, renderGolden } from "./golden.ts";
import { renderLcov } from "./lcov.ts";
import { convertSurveyToJson, renderSurvey, type Survey } from "./survey.ts";

const NO_TEST =
  'capc test: the page has no test; one is written test "…" { as SESSION  call TOOL { … } expect auto }\n';

/** Results of the tests of a page. Paths in failures and rules are relative to the user's folder. */
interface Placed extends TestRun {
  /** Coverage of rules in files of the package. */
  readonly rulesInFiles: readonly CoveredRule[];
}

/** Results of the tests, of the comparison with the accepted decisions, and of the mutants. */
export interface Run extends Placed {
  readonly failures: readonly Diagnostic[];
  readonly golden: Golden | undefined;
  readonly found: Survey | undefined;
}

/** Returns the titles of the tests of a page, in the order of the page. */
export function listTestTitles({ compiled }: PageCompiled): readonly string[] {
  return requireLawful(compiled).model.tests.map(({ title }) => title);
}

/**
 * Runs the tests of a page, or only those with a title. `file` is the page as the user named it; paths in the results
 * are relative to the user's folder.
 */
export function runPageTests({ compiled, view }: PageCompiled, file: string, only?: string): Placed {
  const { policy, origins, model } = requireLawful(compiled);
  const tests = model.tests.filter(({ title }) => only === undefined || title === only);
  const { results, coverage } = runTests(policy, origins, { ...model, tests }, quoteShellWord(file));
  const placed = (rule: CoveredRule): CoveredRule => ({ ...rule, span: view.span(rule.span) });
  return {
    results: results.map(({ test: each, failures }) => ({ test: each, failures: failures.map(view.diagnostic) })),
    coverage: { ...coverage, rules: coverage.rules.map(placed) },
    rulesInFiles: coverage.rules.filter(({ span }) => view.isFile(span.source)).map(placed),
  };
}

/**
 * Prints failures to standard error and results to standard output. With `--coverage lcov`, standard output has only
 * the coverage, unless mutants were tested.
 */
export function tellRun(
  { results, coverage, rulesInFiles, failures, golden, found }: Run,
  typed: ParsedArguments,
  world: World,
): void {
  tellFindings(failures, typed, world);
  if (golden !== undefined) world.report(renderGolden(golden));
  const form = typed.values.get("coverage");
  const isLcov = form === "lcov";
  const say = isLcov ? world.report : world.print;
  for (const { test: each, failures: own } of results)
    say(`${own.length === 0 ? "passed" : "FAILED"}  ${escapeInvisible(each.title)}\n`);
  if (results.length === 0) world.report(NO_TEST);
  const failed = countFailed(results);
  say(`${results.length - failed} passed, ${failed} failed\n`);
  if (isLcov) world.print(renderLcov(rulesInFiles));
  else if (form === "text") world.print(renderCoverage(coverage));
  if (found !== undefined) world.print(renderSurvey(found));
}

function countFailed(results: TestRun["results"]): number {
  return results.filter(({ failures }) => failures.length > 0).length;
}

/** Returns a value for `JSON.stringify` in the form that `capc schema test` describes. */
export function runAsJson({ results, coverage, failures, golden, found }: Run): object {
  const failed = countFailed(results);
  return {
    passed: results.length - failed,
    failed,
    tests: results.map(({ test: each, failures: own }) => ({ title: each.title, passed: own.length === 0 })),
    failures: reportOf(failures, failures.length).diagnostics,
    coverage: convertCoverageToJson(coverage),
    golden: golden === undefined ? null : { file: golden.file, moved: golden.moved.map(convertMovedToJson) },
    ...(found === undefined ? {} : { mutation: convertSurveyToJson(found) }),
  };
}

function convertMovedToJson({ before, after }: Golden["moved"][number]): object {
  return { before: before ?? null, after: after ?? null };
}

function convertCoverageToJson({ rules, pairs }: Coverage): object {
  const placed = rules.map(({ id, words, span, times }) => {
    const { line, column } = span.source.position(span.start);
    return { id, words, file: span.source.path, line, column, times };
  });
  return { rules: placed, pairs };
}
