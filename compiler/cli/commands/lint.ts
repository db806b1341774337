// capc lint prints advice about pages and their errors, in the format that the user chooses.

import { isError, reportOf } from "../../../lang/diagnostics/index.ts";
import type { World } from "../../host/world.ts";
import { ADVICE_ALONE } from "../../rules/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { convertUnreadToJson, endRun, FORMAT_OPTION, formatOf, reportFindings } from "../lint/report.ts";
import { type Findings, fixUntilDone, runLint } from "../lint/run-lint.ts";
import { tellFindings } from "../render-findings.ts";
import { type RunResult, WATCH_OPTION, watchAndRun } from "../watch.ts";

/** `capc lint FILE…` */
export const lint: Command = {
  name: "lint",
  operands: ["FILE…"],
  does: "check pages and give advice",
  details: `Ends with 1 if there is any finding, also if it is only advice. A comment before the line accepts
advice: // capc: allow CODE because "reason". \`capc check\` gives no advice. Text goes to standard
error and stops after fifty findings. json, sarif (2.1.0), github (annotations for a workflow) and
junit (XML, one test case for each finding) go to standard output with all findings.`,
  options: [
    FORMAT_OPTION,
    {
      name: "fix",
      does: "apply fixes that keep the meaning or are the only possible correction, and format the changed files",
    },
    WATCH_OPTION,
    COLOUR_OPTION,
    { ...JSON_OPTION, does: "same as --format json" },
  ],
  run: async (typed, world) => {
    const once = (): Promise<RunResult> => lintOnce(typed, world);
    return typed.switches.has("watch") ? watchAndRun("lint", once, world) : (await once()).status;
  },
};

async function lintOnce(typed: ParsedArguments, world: World): Promise<RunResult> {
  let looked = await runLint(typed.operands, world, "given");
  if (typed.switches.has("fix")) looked = await fixUntilDone(looked, typed.operands, world);
  const { findings, readings } = looked;
  await tell(findings, typed, world);
  const { diagnostics } = findings;
  const status = endRun("lint", looked, diagnostics.length === 0 ? 0 : 1, world);
  if (status === 1 && !diagnostics.some(isError)) world.report(`capc lint: ${ADVICE_ALONE}\n`);
  return { status, readings };
}

async function tell(findings: Findings, typed: ParsedArguments, world: World): Promise<void> {
  const { diagnostics, silenced } = findings;
  const format = formatOf(typed);
  switch (format) {
    case "text":
      tellFindings(diagnostics, typed, world);
      if (silenced.length > 0) world.report(`${silenced.length} silenced, each with a reason\n`);
      return;
    case "json":
      return world.print(`${JSON.stringify(convertToJson(findings))}\n`);
    default:
      return reportFindings({ name: "lint", format, findings, files: typed.operands }, world);
  }
}

function convertToJson(findings: Findings): object {
  const { diagnostics, silenced } = findings;
  const allowed = silenced.map(({ diagnostic, reason }) => ({ ...reportOf([diagnostic]).diagnostics[0], reason }));
  return { ...reportOf(diagnostics, diagnostics.length), silenced: allowed, ...convertUnreadToJson(findings) };
}
