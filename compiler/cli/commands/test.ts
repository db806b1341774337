// capc test: the tests of a page, held against the tables that it compiles to.

import { type Diagnostic, reportOf, visible } from "../../../lang/diagnostics/index.ts";
import { type Coverage, type CoveredRule, type Rehearsed, runTests } from "../../rehearsal/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { lcovText } from "../coverage/lcov.ts";
import { coverageText } from "../coverage/text.ts";
import { compilePage, findingsAsJson, hasErrors, lawful, type PageCompiled } from "../page.ts";
import { tellFindings } from "../telling.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { World } from "../world.ts";

const refuse = refusing("test");

const NO_TEST =
  'capc test: the page has no test; one is written test "…" { as SESSION  call TOOL { … } expect auto }\n';
const FORMS = ["text", "lcov"] as const;

/** `capc test FILE` */
export const test: Command = {
  name: "test",
  operands: ["FILE"],
  does: "run the tests of a page against the tables that it compiles to",
  details: `Ends with 1 if a test fails. Coverage is of rules that decided something, and of tools that were called in each
session; lcov has the rules alone, and then standard output has nothing else. --json has both always.`,
  options: [
    { name: "coverage", value: "FORM", choices: FORMS, does: "print coverage as text or lcov" },
    WATCH_OPTION,
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: async (typed, world) => {
    const once = (): Promise<Ran> => testOnce(typed, world);
    return typed.switches.has("watch") ? watching("test", once, world) : (await once()).status;
  },
};

async function testOnce(typed: Typed, world: World): Promise<Ran> {
  const page = await compilePage(typed.operands[0] ?? "", world, { purpose: "check" });
  const readings = [page.readings];
  if (page.kind === "unreadable") return { status: refuse(world, 3, page.reason), readings };
  if (hasErrors(page.compiled)) {
    if (typed.switches.has("json")) world.print(`${JSON.stringify(findingsAsJson(page.compiled))}\n`);
    else tellFindings(page.compiled.diagnostics, hasColour(typed, world), world);
    return { status: 1, readings };
  }
  const rehearsed = rehearse(page);
  const failures = rehearsed.results.flatMap(({ failure }) => failure ?? []);
  if (typed.switches.has("json")) world.print(`${JSON.stringify(asJson(rehearsed, failures))}\n`);
  else tell(rehearsed, failures, typed, world);
  return { status: failures.length === 0 ? 0 : 1, readings };
}

interface Run extends Rehearsed {
  /** Of the coverage, what stands in files of the package. */
  readonly rulesInFiles: readonly CoveredRule[];
}

/** With places as they are reached from where the person is. */
function rehearse({ compiled, view }: PageCompiled): Run {
  const { policy, origins, model } = lawful(compiled);
  const { results, coverage } = runTests(policy, origins, model);
  const placed = (rule: CoveredRule): CoveredRule => ({ ...rule, span: view.span(rule.span) });
  return {
    results: results.map(({ test: each, failure }) => ({
      test: each,
      failure: failure === undefined ? undefined : view.diagnostic(failure),
    })),
    coverage: { ...coverage, rules: coverage.rules.map(placed) },
    rulesInFiles: coverage.rules.filter(({ span }) => view.isFile(span.source)).map(placed),
  };
}

function tell(run: Run, failures: readonly Diagnostic[], typed: Typed, world: World): void {
  const { results, coverage, rulesInFiles } = run;
  tellFindings(failures, hasColour(typed, world), world);
  const form = typed.values.get("coverage");
  const isLcov = form === "lcov";
  const say = isLcov ? world.report : world.print;
  for (const { test: each, failure } of results)
    say(`${failure === undefined ? "passed" : "FAILED"}  ${visible(each.title)}\n`);
  if (results.length === 0) world.report(NO_TEST);
  say(`${results.length - failures.length} passed, ${failures.length} failed\n`);
  if (isLcov) world.print(lcovText(rulesInFiles));
  else if (form === "text") world.print(coverageText(coverage));
}

function asJson({ results, coverage }: Rehearsed, failures: readonly Diagnostic[]): object {
  return {
    passed: results.length - failures.length,
    failed: failures.length,
    tests: results.map(({ test: each, failure }) => ({ title: each.title, passed: failure === undefined })),
    failures: reportOf(failures, failures.length).diagnostics,
    coverage: coverageAsJson(coverage),
  };
}

function coverageAsJson({ rules, pairs }: Coverage): object {
  const placed = rules.map(({ id, words, span, times }) => {
    const { line, column } = span.source.position(span.start);
    return { id, words, file: span.source.path, line, column, times };
  });
  return { rules: placed, pairs };
}
