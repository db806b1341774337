// capc test: the tests of a page, held against the tables that it compiles to.

import { type Diagnostic, reportOf, visible } from "../../../lang/diagnostics/index.ts";
import { type Coverage, type CoveredRule, type Rehearsed, runTests } from "../../rehearsal/index.ts";
import { COLOUR_OPTION, hasColour } from "../colour.ts";
import { type Command, JSON_OPTION, refusing, type Typed } from "../command.ts";
import { lcovText } from "../coverage/lcov.ts";
import { coverageText } from "../coverage/text.ts";
import {
  ACCEPT_OPTION,
  acceptDecisions,
  GOLDEN_OPTION,
  type Golden,
  goldenText,
  readGolden,
} from "../mutants/golden.ts";
import { type Survey, survey, surveyAsJson, surveyText } from "../mutants/report.ts";
import { compilePage, hasErrors, lawful, type PageCompiled } from "../page.ts";
import { tellFindings, tellOnly } from "../telling.ts";
import { type Ran, WATCH_OPTION, watching } from "../watch.ts";
import type { ExitStatus, World } from "../world.ts";

const refuse = refusing("test");

const NO_TEST =
  'capc test: the page has no test; one is written test "…" { as SESSION  call TOOL { … } expect auto }\n';
const FORMS = ["text", "lcov"] as const;

/** `capc test FILE` */
export const test: Command = {
  name: "test",
  operands: ["FILE"],
  does: "run the tests of a page against the tables that it compiles to",
  details: `Ends with 1 if a test fails, or if the page decides something else than was accepted. Coverage is of rules that
decided something, and of tools that were called in each session; lcov has the rules alone, and then standard
output has nothing else. --json has both always.
--mutate changes the compiled policy in one place at a time, as if a line of the page said something else, and
names the tests that would fail and the assertions that would not hold; what nobody would notice stands last,
with its line. It wants a page whose tests hold, and ends with 1 only below --min.`,
  options: [
    { name: "coverage", value: "FORM", choices: FORMS, does: "print coverage as text or lcov" },
    { name: "mutate", does: "say which changes of the policy nobody would notice" },
    { name: "min", value: "N", does: "with --mutate: the percentage of changes that have to be noticed (0)" },
    GOLDEN_OPTION,
    ACCEPT_OPTION,
    WATCH_OPTION,
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: async (typed, world) => {
    const wrong = wrongWords(typed);
    if (wrong !== undefined) return refuse(world, 2, wrong);
    const once = (): Promise<Ran> => testOnce(typed, world);
    return typed.switches.has("watch") ? watching("test", once, world) : (await once()).status;
  },
};

function wrongWords({ switches, values }: Typed): string | undefined {
  const least = values.get("min");
  if (least !== undefined && !switches.has("mutate")) return "--min is for --mutate";
  if (least !== undefined && !/^(?:100|[1-9]?\d)$/.test(least))
    return `--min is a percentage from 0 to 100, not '${least}'`;
  if (switches.has("accept") && switches.has("watch")) return "--accept is done once, not watching";
  if (switches.has("mutate") && values.get("coverage") === "lcov")
    return "lcov has no mutants: ask for them without it";
  return undefined;
}

async function testOnce(typed: Typed, world: World): Promise<Ran> {
  const page = await compilePage(typed.operands[0] ?? "", world, { purpose: "check" });
  const readings = [page.readings];
  if (page.kind === "unreadable") return { status: refuse(world, 3, page.reason), readings };
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return { status: 1, readings };
  }
  return { status: await testPage(page, typed, world), readings };
}

async function testPage(page: PageCompiled, typed: Typed, world: World): Promise<ExitStatus> {
  const named = typed.values.get("golden");
  const accepted = typed.switches.has("accept") ? acceptDecisions(page, named, world) : undefined;
  if (accepted?.ok === false) return refuse(world, 3, accepted.reason);
  const read = await readGolden(page, named, world);
  if (!read.ok) return refuse(world, 3, read.reason);
  const rehearsed = rehearse(page);
  const failures = rehearsed.results.flatMap(({ failure }) => failure ?? []);
  const isGreen = failures.length === 0 && (read.golden?.moved.length ?? 0) === 0;
  const found = isGreen && typed.switches.has("mutate") ? survey(page, read.golden) : undefined;
  const run: Run = { ...rehearsed, failures, golden: read.golden, found };
  if (typed.switches.has("json")) world.print(`${JSON.stringify(asJson(run))}\n`);
  else tell(run, typed, world);
  if (!isGreen && typed.switches.has("mutate")) return refuse(world, 1, "mutants are made of a page whose tests hold");
  return isGreen && (found?.percent ?? 100) >= Number(typed.values.get("min") ?? 0) ? 0 : 1;
}

interface Run extends Placed {
  readonly failures: readonly Diagnostic[];
  readonly golden: Golden | undefined;
  readonly found: Survey | undefined;
}

interface Placed extends Rehearsed {
  /** Of the coverage, what stands in files of the package. */
  readonly rulesInFiles: readonly CoveredRule[];
}

/** With places as they are reached from where the person is. */
function rehearse({ compiled, view }: PageCompiled): Placed {
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

function tell({ results, coverage, rulesInFiles, failures, golden, found }: Run, typed: Typed, world: World): void {
  tellFindings(failures, hasColour(typed, world), world);
  if (golden !== undefined) world.report(goldenText(golden));
  const form = typed.values.get("coverage");
  const isLcov = form === "lcov";
  const say = isLcov ? world.report : world.print;
  for (const { test: each, failure } of results)
    say(`${failure === undefined ? "passed" : "FAILED"}  ${visible(each.title)}\n`);
  if (results.length === 0) world.report(NO_TEST);
  say(`${results.length - failures.length} passed, ${failures.length} failed\n`);
  if (isLcov) world.print(lcovText(rulesInFiles));
  else if (form === "text") world.print(coverageText(coverage));
  if (found !== undefined) world.print(surveyText(found));
}

function asJson({ results, coverage, failures, golden, found }: Run): object {
  return {
    passed: results.length - failures.length,
    failed: failures.length,
    tests: results.map(({ test: each, failure }) => ({ title: each.title, passed: failure === undefined })),
    failures: reportOf(failures, failures.length).diagnostics,
    coverage: coverageAsJson(coverage),
    golden: golden === undefined ? null : { file: golden.file, moved: golden.moved.map(movedAsJson) },
    ...(found === undefined ? {} : { mutation: surveyAsJson(found) }),
  };
}

function movedAsJson({ before, after }: Golden["moved"][number]): object {
  return { before: before ?? null, after: after ?? null };
}

function coverageAsJson({ rules, pairs }: Coverage): object {
  const placed = rules.map(({ id, words, span, times }) => {
    const { line, column } = span.source.position(span.start);
    return { id, words, file: span.source.path, line, column, times };
  });
  return { rules: placed, pairs };
}
