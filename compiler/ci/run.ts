// Runs the action: its inputs, its output files, and its log. Text of pages is untrusted, and a runner executes lines of a log that begin
// with `::`. So the log disables commands before such text, and enables them again after it.

import { randomUUID } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { type Environment, readInputs } from "./inputs.ts";
import { doJob } from "./job.ts";

export async function runAction(environment: Environment): Promise<{ readonly status: number; readonly log: string }> {
  const read = readInputs(environment);
  if (!read.ok) return { status: 2, log: read.reasons.map((reason) => `::error title=capc::${reason}\n`).join("") };
  const { runner } = read.inputs;
  const { status, log, annotations, summary, outputs, report } = await doJob(read.inputs);
  if (report !== undefined) writeFileSync(report.path, report.text);
  appendFileSync(runner.summary, summary);
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`);
  appendFileSync(runner.outputs, lines.join(""));
  return { status, log: `${escapeCommands(log)}${annotations}` };
}

function escapeCommands(text: string): string {
  const end = randomUUID();
  return text === "" ? "" : `::stop-commands::${end}\n${text.trimEnd()}\n::${end}::\n`;
}
