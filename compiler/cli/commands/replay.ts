// capc replay decides recorded calls again under another policy.

import { escapeInvisible } from "../../../lang/diagnostics/index.ts";
import type { ExitStatus, World } from "../../host/world.ts";
import { Replay, ReplayResultBuilder } from "../../queries/replay/index.ts";
import { type Command, createRefuser, type ParsedArguments } from "../command.ts";
import { createReviewOptions } from "../format-options.ts";
import { replayJson } from "../replay/json.ts";
import { LOG_OPTIONS, type LogsRead, readLogs } from "../replay/logs.ts";
import { replayMarkdown } from "../replay/markdown.ts";
import { readPolicySide } from "../replay/policy.ts";
import { type ReplayReport, reportOf } from "../replay/report.ts";
import { replayLines } from "../replay/text.ts";

const refuse = createRefuser("replay");

const FORMATS = ["text", "json", "markdown"] as const;

/** `capc replay LOG… --policy PAGE` */
export const replay: Command = {
  name: "replay",
  operands: ["LOG…"],
  does: "decide recorded calls by another policy, and count how often people would have to approve",
  details: `LOG is a data disk or its image, a folder of \`capc try --disk\`, a copy of an audit partition,
or the output of \`capc audit export\` as jsonl or ocsf. The gate's decision function decides each
call again, in the order of the log. A call is reported as undecidable if its record is incomplete.
A record is incomplete if arguments were cut or masked, or if the conversation read data before the
log begins.
An unbroken hash chain proves only that no single record was changed. Only --key detects a log that
was rewritten from the start. Ends with 1 if a log is invalid. With --deny-widening it also ends
with 1 if a decision is or may be looser than the recorded decision.`,
  options: [
    {
      name: "policy",
      value: "PAGE|TABLES",
      does: "the other policy: a page, its folder, policy tables, an image or the folder of a build",
    },
    { name: "deny-widening", does: "end with 1 if a decision is or may be looser than the recorded decision" },
    ...LOG_OPTIONS,
    ...createReviewOptions(FORMATS),
  ],
  run: replayLogs,
};

async function replayLogs(typed: ParsedArguments, world: World): Promise<ExitStatus> {
  const policy = await readPolicySide(typed, world, refuse);
  if (policy.kind === "ended") return policy.status;
  const collected = new ReplayResultBuilder();
  const replaying = new Replay(policy.side.tables, policy.digest, collected.add);
  const logs = await readLogs(typed, world, replaying);
  if (logs.kind === "refused") return refuse(world, logs.status, escapeInvisible(logs.reason));
  const report = reportOf(policy.side, logs.logs, collected);
  tell(report, typed, world);
  return decideStatus(report, logs, typed, world);
}

function decideStatus(
  { replayed }: ReplayReport,
  { logs }: Extract<LogsRead, { kind: "read" }>,
  typed: ParsedArguments,
  world: World,
): ExitStatus {
  for (const { name, trouble } of logs) {
    if (trouble !== undefined) refuse(world, 1, `${escapeInvisible(name)}: ${escapeInvisible(trouble)}`);
  }
  const { mayWiden } = replayed.counts;
  if (typed.switches.has("deny-widening") && mayWiden > 0)
    return refuse(world, 1, `${mayWiden} recorded decisions would be looser, or may be`);
  return logs.some(({ trouble }) => trouble !== undefined) ? 1 : 0;
}

function tell(report: ReplayReport, typed: ParsedArguments, world: World): void {
  const wanted = FORMATS.find((format) => format === typed.values.get("format"));
  switch (wanted ?? (typed.switches.has("json") ? "json" : "text")) {
    case "text":
      for (const line of replayLines(report)) world.print(`${escapeInvisible(line)}\n`);
      return;
    case "json":
      world.print(`${replayJson(report)}\n`);
      return;
    case "markdown":
      world.print(replayMarkdown(report));
      return;
  }
}
