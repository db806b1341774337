// capc suggest finds the narrowest lines under which approved calls need no prompt any more.

import { resolve } from "node:path";
import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { indexPolicyTables } from "../../phases/policy/index.ts";
import { Replay, ReplayResultBuilder } from "../../queries/replay/index.ts";
import {
  Observations,
  type SuggestedPage,
  type SuggestionResult,
  suggest as suggestLinesFor,
  WAYS,
} from "../../queries/suggest/index.ts";
import { COLOUR_OPTION } from "../colour.ts";
import { type Command, createRefuser, JSON_OPTION, type ParsedArguments } from "../command.ts";
import { resolveInFolder } from "../diff/side.ts";
import { compilePage, hasErrors, type PageCompiled, requireLawful } from "../page.ts";
import { formatPath, tellOnly } from "../render-findings.ts";
import { LOG_OPTIONS, type LogsRead, readLogs } from "../replay/logs.ts";
import { digestOf } from "../replay/policy.ts";
import { suggestJson } from "../suggest/json.ts";
import { type SuggestReport, suggestLines } from "../suggest/text.ts";
import { writePage } from "../suggest/write.ts";

const refuse = createRefuser("suggest");

/** `capc suggest LOG… --policy PAGE` */
export const suggest: Command = {
  name: "suggest",
  operands: ["LOG…"],
  does: "suggest the narrowest rules that allow approved calls without a prompt",
  details: `LOG may be any log that is allowed for \`capc replay\`. The command suggests rules for calls that
needed approval and that people approved. It compiles the page with each suggested rule, checks
every law, and decides the recorded calls again. A suggestion never allows calls that a person
refused, forbidden calls, or calls that need a signature.
If a log is invalid, the command ends with 1 and suggests no rule, unless --unverified is given. Only --key detects a
log that was rewritten from the start. Ends with 1 if there is a suggestion, for use in CI jobs.`,
  options: [
    { name: "policy", value: "PAGE", does: "the page, or its folder" },
    {
      name: "by",
      value: "WAY",
      choices: WAYS,
      does: "limit rules by values (approved ones, if few and short; default) or bounds (folders, sizes)",
    },
    { name: "least", value: "N", does: "suggest a rule only if people approved at least N calls (default: 1)" },
    { name: "unverified", does: "use the approvals of an invalid log too" },
    { name: "write", does: "write the suggested changes into the page's files, and format them" },
    ...LOG_OPTIONS,
    COLOUR_OPTION,
    JSON_OPTION,
  ],
  run: suggestFromLogs,
};

async function suggestFromLogs(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const named = typed.values.get("policy");
  if (named === undefined) return refuse(world, 2, "for which page? --policy PAGE");
  const least = typed.values.get("least") ?? "1";
  if (!/^[1-9]\d{0,6}$/.test(least)) return refuse(world, 2, "--least is a number from 1");
  const page = await compilePage(resolveInFolder(resolve(world.folder, named)), world, { purpose: "check" });
  if (page.kind === "unreadable") return refuse(world, 3, escapeInvisible(page.reason));
  if (hasErrors(page.compiled)) {
    tellOnly(page.compiled.diagnostics, typed, world);
    return 1;
  }
  const before = createPage(page);
  const observations = new Observations(typed.switches.has("unverified") ? "all" : "vouched");
  const logs = await readLogs(typed, world, new Replay(before.tables, digestOf(before), observations.add));
  if (logs.kind === "refused") return refuse(world, logs.status, escapeInvisible(logs.reason));
  const distrusted = refuseTrouble(logs, typed, world);
  if (distrusted !== undefined) return distrusted;
  const way = WAYS.find((one) => one === typed.values.get("by")) ?? "values";
  const found = await suggestLinesFor(before, observations.tools, { way, least: Number(least) });
  return await tell({ found, page, read: logs }, typed, world);
}

function createPage({ compiled, readings, path }: PageCompiled): SuggestedPage {
  const { policy, model } = requireLawful(compiled);
  return { host: readings.host, path, options: { purpose: "check" }, tables: indexPolicyTables(policy), model };
}

/**
 * Refuses logs that are not in order, unless `--unverified` is given. The records of a truncated log, or of a log under
 * another key, prove nothing.
 */
function refuseTrouble(
  { logs }: Extract<LogsRead, { kind: "read" }>,
  typed: ParsedArguments,
  world: World,
): ExitStatus | undefined {
  if (typed.switches.has("unverified")) return undefined;
  const wrong = logs.find(({ trouble }) => trouble !== undefined);
  if (wrong === undefined) return undefined;
  return refuse(
    world,
    1,
    `${escapeInvisible(wrong.name)}: ${escapeInvisible(wrong.trouble ?? "")}; --unverified believes it all the same`,
  );
}

/** Suggestions, with the page and the logs from which they were derived. */
interface SuggestedLines {
  readonly found: SuggestionResult;
  readonly page: PageCompiled;
  readonly read: Extract<LogsRead, { kind: "read" }>;
}

async function tell(
  { found, page, read: { logs } }: SuggestedLines,
  typed: ParsedArguments,
  world: World,
): Promise<ExitStatus> {
  const { suggestions, left } = found;
  const collected = new ReplayResultBuilder();
  const again = await readLogs(typed, world, new Replay(found.page.tables, digestOf(found.page), collected.add));
  if (again.kind === "refused") return refuse(world, again.status, escapeInvisible(again.reason));
  const { days } = collected.prompts;
  const report: SuggestReport = {
    policy: formatPath(page.path, world),
    logs,
    suggestions,
    left,
    days,
    span: page.view.span,
  };
  if (typed.switches.has("json")) world.print(`${suggestJson(report)}\n`);
  else for (const line of suggestLines(report)) world.print(`${escapeInvisible(line)}\n`);
  if (!typed.switches.has("write")) return suggestions.length === 0 ? 0 : 1;
  const written = await writePage(found, page);
  return written.ok ? 0 : refuse(world, 3, escapeInvisible(written.reason));
}
