// capc test runs the tests of a page against the tables that the page compiles to.

import { escapeInvisible, findNearest } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { compilePage, hasErrors, type PageCompiled } from "../page.ts";
import { ACCEPT_OPTION, acceptDecisions, GOLDEN_OPTION, readGolden } from "../rehearsal/golden.ts";
import { listTestTitles, type Run, runAsJson, runPageTests, tellRun } from "../rehearsal/run.ts";
import { runSurvey } from "../rehearsal/survey.ts";
import { tellOnly } from "../render-findings.ts";
import { type RunResult, WATCH_OPTION, watchAndRun } from "../watch.ts";

const refuse = createRefuser("test");

const FORMS = ["text", "lcov"] as const;

/** `capc test FILE` */
export const test: Command = {
  name: "test",
  operands: ["FILE"],
  does: "run the tests of a page",
  details: `Ends with 1 if a test fails, or if a decision differs from the accepted baseline. Coverage counts
the rules that decided a call and, for each session, the tools that were called. The format lcov has
only the coverage of rules; text and --json also have the coverage of tools.
--mutate changes the compiled policy in one place at a time, as if a rule of the page were
different. For each change it lists the tests and assertions that detect the change, and the baseline
if it detects the change. Undetected changes come last. All tests of the page must pass first. If they
pass, the command ends with 1 only if fewer changes are detected than the percentage of --min.`,
  options: [
    { name: "only", value: "TITLE", does: "run only the tests with this title" },
    { name: "coverage", value: "FORM", choices: FORMS, otherwise: "text", does: "print coverage as text or lcov" },
    { name: "mutate", does: "change the policy in one place at a time, and list what detects each change" },
    { name: "min", value: "N", does: "with --mutate, the percentage of changes that must be detected (default: 0)" },
    GOLDEN_OPTION,
    ACCEPT_OPTION,
    WATCH_OPTION,
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: async (typed, world) => {
    const wrong = explainMisuse(typed);
    if (wrong !== undefined) return refuse(world, 2, wrong);
    const once = (): Promise<RunResult> => testOnce(typed, world);
    return typed.switches.has("watch") ? watchAndRun("test", once, world) : (await once()).status;
  },
};

function explainMisuse({ switches, values }: ParsedArguments): string | undefined {
  const least = values.get("min");
  if (least !== undefined && !switches.has("mutate")) return "--min is for --mutate";
  if (least !== undefined && !/^(?:100|[1-9]?\d)$/.test(least))
    return `--min is a percentage from 0 to 100, not '${least}'`;
  if (switches.has("accept") && switches.has("watch")) return "--accept is done once, not watching";
  if (values.has("only") && switches.has("mutate")) return "--mutate needs all tests of the page: leave out --only";
  if (switches.has("mutate") && values.get("coverage") === "lcov")
    return "lcov has no mutants: ask for them without it";
  return undefined;
}

async function testOnce(typed: ParsedArguments, world: World): Promise<RunResult> {
  const page = await compilePage(typed.operands[0] ?? "", world, { purpose: "check" });
  const readings = [page.readings];
  if (page.kind === "unreadable") return { status: refuse(world, 3, page.reason), readings };
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return { status: 1, readings };
  }
  return { status: await testPage(page, typed, world), readings };
}

async function testPage(page: PageCompiled, typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const only = typed.values.get("only");
  const titles = listTestTitles(page);
  if (only !== undefined && !titles.includes(only)) {
    const near = findNearest(only, titles);
    const hint = near === undefined ? "" : `; did you mean "${near}"?`;
    return refuse(world, 2, escapeInvisible(`the page has no test "${only}"${hint}`));
  }
  const named = typed.values.get("golden");
  const accepted = typed.switches.has("accept") ? acceptDecisions(page, named, world) : undefined;
  if (accepted?.ok === false) return refuse(world, 3, accepted.reason);
  const read = await readGolden(page, named, world);
  if (!read.ok) return refuse(world, 3, read.reason);
  const rehearsed = runPageTests(page, typed.operands[0] ?? "", only);
  const failures = rehearsed.results.flatMap((result) => result.failures);
  const isGreen = failures.length === 0 && (read.value?.moved.length ?? 0) === 0;
  const found = isGreen && typed.switches.has("mutate") ? runSurvey(page, read.value) : undefined;
  const run: Run = { ...rehearsed, failures, golden: read.value, found };
  if (typed.switches.has("json")) world.print(`${JSON.stringify(runAsJson(run))}\n`);
  else tellRun(run, typed, world);
  if (!isGreen && typed.switches.has("mutate")) return refuse(world, 1, "mutants are made of a page whose tests hold");
  return isGreen && (found?.percent ?? 100) >= Number(typed.values.get("min") ?? 0) ? 0 : 1;
}
